#include "harness/sass/machine.h"

#include "harness/base/error.h"
#include "harness/base/subprocess.h"

#include <algorithm>
#include <bit>

namespace harness::sass {

namespace {

std::uint32_t transform32(std::uint32_t value, Transform transform) {
  switch (transform) {
  case Transform::None: return value;
  case Transform::IntNegate: return 0 - value;
  case Transform::IntNot: return ~value;
  case Transform::FloatNegate: return value ^ 0x80000000u;
  case Transform::FloatAbs: return value & 0x7fffffffu;
  case Transform::FloatNegateAbs: return value | 0x80000000u;
  }
  return value;
}

std::uint64_t transform64(std::uint64_t value, Transform transform) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  switch (transform) {
  case Transform::None: return value;
  case Transform::IntNegate: return 0 - value;
  case Transform::IntNot: return ~value;
  case Transform::FloatNegate: return value ^ kSign;
  case Transform::FloatAbs: return value & ~kSign;
  case Transform::FloatNegateAbs: return value | kSign;
  }
  return value;
}

LaneMask laneBit(unsigned lane) {
  return LaneMask{1} << lane;
}

} // namespace

void ConstantBank::set(std::uint32_t offset, const void* data, std::size_t size) {
  if (bytes.size() < offset + size) bytes.resize(offset + size);
  if (known.size() < bytes.size()) known.resize(bytes.size());
  std::memcpy(bytes.data() + offset, data, size);
  std::fill_n(known.begin() + offset, size, true);
}

std::uint64_t ConstantBank::read(unsigned bank, std::int64_t offset, unsigned size) const {
  auto at = static_cast<std::uint64_t>(offset);
  std::uint64_t value = 0, validity = 0, allValid = 0x0101010101010101 >> (64 - 8 * size);
  bool inside = at + size <= bytes.size() && at <= bytes.size();
  if (inside) {
    std::memcpy(&value, bytes.data() + at, size);
    if (known.empty()) return value;
    std::memcpy(&validity, known.data() + at, size);
    if (validity == allValid) return value;
  }
  unsupported(llvm::formatv("reads c[{0:x}][{1:x}], whose meaning is not known", bank, offset).str());
}

std::uint32_t ConstantBank::read32(unsigned bank, std::int64_t offset) const {
  return static_cast<std::uint32_t>(read(bank, offset, 4));
}

// ---- Warp: operands

Warp::Warp(Machine& owner, Block& inBlock, unsigned warpIndex, LaneMask itsLanes)
    : machine(owner), block(inBlock), index(warpIndex), registers(owner.registerCount), lanes(itsLanes) {}

void Warp::restart() {
  auto poison = static_cast<int>(machine.options.poison);
  std::memset(registers.data(), poison, registers.size() * sizeof(Lanes));
  std::memset(uniform, poison, sizeof uniform);
  uniform[255] = 0;
  LaneMask fill = 0;
  std::memset(&fill, poison, sizeof fill);
  std::fill_n(predicates, 7, fill);
  std::fill_n(uniformPredicates, 7, (fill & 1) != 0);
  predicates[7] = kAllLanes;
  uniformPredicates[7] = true;
  std::fill_n(wait, kLanes, Wait::None);
  std::memset(convergence, 0, sizeof convergence);
  for (auto& masks : saved)
    masks.clear();
  if (!local.empty()) std::memset(local.data(), poison, local.size());
  live = lanes;
  active = 0;
  approximated = 0;
  deferred.assign(1, {lanes, machine.kernel.entry});
}

const std::uint32_t* Warp::fetch(const Source& source, Lanes& scratch) const {
  std::uint32_t value = 0;
  switch (source.kind) {
  case Source::Kind::Register:
    if (source.index != 255) {
      const std::uint32_t* lanes = registers[source.index].v;
      if (source.transform == Transform::None) return lanes;
      for (unsigned i = 0; i < kLanes; ++i)
        scratch.v[i] = transform32(lanes[i], source.transform);
      return scratch.v;
    }
    break;
  case Source::Kind::Immediate: value = static_cast<std::uint32_t>(source.immediate); break;
  case Source::Kind::Uniform: value = uniform[source.index]; break;
  case Source::Kind::Constant: value = machine.bank(source.bank).read32(source.bank, source.offset); break;
  case Source::Kind::ConstantIndexed: unsupported("a constant indexed by a register as an operand");
  }
  std::fill_n(scratch.v, kLanes, transform32(value, source.transform));
  return scratch.v;
}

void Warp::fetch64(const Source& source, std::uint64_t (&value)[kLanes]) const {
  std::uint64_t all = 0;
  switch (source.kind) {
  case Source::Kind::Register:
    if (source.index != 255) {
      const std::uint32_t* low = registers[source.index].v;
      const std::uint32_t* high = registers[source.index + 1].v;
      for (unsigned i = 0; i < kLanes; ++i)
        value[i] = transform64(low[i] | std::uint64_t{high[i]} << 32, source.transform);
      return;
    }
    break;
  case Source::Kind::Immediate: all = source.immediate; break;
  case Source::Kind::Uniform:
    if (source.index != 255) all = uniform[source.index] | std::uint64_t{uniform[source.index + 1]} << 32;
    break;
  case Source::Kind::Constant: all = machine.bank(source.bank).read(source.bank, source.offset, 8); break;
  case Source::Kind::ConstantIndexed: unsupported("a constant indexed by a register as an operand");
  }
  std::fill_n(value, kLanes, transform64(all, source.transform));
}

LaneMask Warp::fetch(const PredicateSource& source) const {
  LaneMask value =
      source.uniform ? (uniformPredicates[source.index] ? kAllLanes : 0) : predicates[source.index];
  return source.negated ? ~value : value;
}

void Warp::write(Destination destination, const std::uint32_t* value, LaneMask mask) {
  if (destination.index == 255) return;
  if (destination.uniform) {
    uniform[destination.index] = value[std::countr_zero(mask)];
    return;
  }
  std::uint32_t* lanes = registers[destination.index].v;
  if (mask == kAllLanes) {
    std::memcpy(lanes, value, sizeof(Lanes));
    return;
  }
  for (unsigned i = 0; i < kLanes; ++i)
    lanes[i] = (mask >> i & 1) ? value[i] : lanes[i];
}

void Warp::write64(Destination destination, const std::uint64_t* value, LaneMask mask) {
  if (destination.index == 255) return;
  Lanes low, high;
  for (unsigned i = 0; i < kLanes; ++i) {
    low.v[i] = static_cast<std::uint32_t>(value[i]);
    high.v[i] = static_cast<std::uint32_t>(value[i] >> 32);
  }
  write(destination, low.v, mask);
  destination.index = static_cast<std::uint8_t>(destination.index + 1);
  write(destination, high.v, mask);
}

void Warp::write(PredicateDestination destination, LaneMask value, LaneMask mask) {
  if (destination.index == 7) return;
  if (destination.uniform)
    uniformPredicates[destination.index] = (value >> std::countr_zero(mask) & 1) != 0;
  else
    predicates[destination.index] = (predicates[destination.index] & ~mask) | (value & mask);
}

void Warp::addresses(const Address& address, std::uint64_t (&value)[kLanes]) const {
  std::uint64_t common = static_cast<std::uint64_t>(address.offset);
  if (address.uniform != 255) {
    common += uniform[address.uniform];
    if (address.uniform64) common += std::uint64_t{uniform[address.uniform + 1]} << 32;
  }
  if (address.base == 255) {
    std::fill_n(value, kLanes, common);
    return;
  }
  const std::uint32_t* low = registers[address.base].v;
  if (address.base64) {
    const std::uint32_t* high = registers[address.base + 1].v;
    for (unsigned i = 0; i < kLanes; ++i)
      value[i] = common + ((low[i] | std::uint64_t{high[i]} << 32) << address.scale);
  } else {
    for (unsigned i = 0; i < kLanes; ++i)
      value[i] = common + (std::uint64_t{low[i]} << address.scale);
  }
}

// ---- Warp: paths

void Warp::branch(LaneMask taken, std::uint64_t target) {
  LaneMask through = active & ~taken;
  if (taken == 0) return;
  if (through == 0) {
    pc = target;
    return;
  }
  if (machine.options.schedule == Schedule::FallThroughFirst) {
    deferred.push_back({taken, target});
    active = through;
  } else {
    deferred.push_back({through, pc});
    active = taken;
    pc = target;
  }
}

void Warp::branchIndirect(LaneMask mask, const std::uint64_t (&targets)[kLanes]) {
  LaneMask through = active & ~mask;
  std::vector<Path> paths;
  for (LaneMask left = mask; left;) {
    std::uint64_t target = targets[std::countr_zero(left)];
    Path path{0, target};
    for (unsigned i = 0; i < kLanes; ++i)
      if ((left >> i & 1) && targets[i] == target) path.mask |= laneBit(i);
    left &= ~path.mask;
    paths.push_back(path);
  }
  if (through) paths.insert(paths.begin(), Path{through, pc});
  for (std::size_t i = paths.size(); i-- > 1;)
    deferred.push_back(paths[i]);
  active = paths[0].mask;
  pc = paths[0].pc;
}

void Warp::openConvergence(unsigned barrier, LaneMask mask) {
  for (unsigned i = 0; i < kLanes; ++i)
    if (mask >> i & 1) convergence[barrier][i] = mask;
  releaseConvergence();
}

void Warp::breakConvergence(unsigned barrier, LaneMask mask) {
  for (unsigned i = 0; i < kLanes; ++i) {
    if (mask >> i & 1)
      convergence[barrier][i] = 0;
    else
      convergence[barrier][i] &= ~mask;
  }
  releaseConvergence();
}

void Warp::setConvergence(unsigned barrier, const std::uint32_t* members, LaneMask mask) {
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!(mask >> i & 1)) continue;
    convergence[barrier][i] = members[i];
    auto last = std::find_if(saved[i].rbegin(), saved[i].rend(),
                             [barrier](const SavedConvergence& s) { return s.barrier == barrier; });
    if (last != saved[i].rend()) saved[i].erase(std::prev(last.base()));
  }
  releaseConvergence();
}

void Warp::clearConvergence(unsigned barrier, LaneMask mask, bool save) {
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!(mask >> i & 1)) continue;
    if (save) saved[i].push_back({barrier, convergence[barrier][i]});
    convergence[barrier][i] = 0;
  }
  releaseConvergence();
}

void Warp::waitConvergence(unsigned barrier, LaneMask mask) {
  LaneMask waiting = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    if ((mask >> i & 1) && convergence[barrier][i] != 0) waiting |= laneBit(i);
  suspend(waiting, Wait::Convergence, barrier);
  releaseConvergence();
}

void Warp::waitWarpSync(LaneMask lanes, const std::uint32_t* members) {
  LaneMask waiting = 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!(lanes >> i & 1)) continue;
    if (!(members[i] >> i & 1)) fault("WARPSYNC by a lane that is not in its own mask", static_cast<int>(i));
    waitMask[i] = members[i];
    waiting |= laneBit(i);
  }
  suspend(waiting, Wait::WarpSync, 0);
  releaseWarpSync();
}

void Warp::waitBlockBarrier(unsigned barrier, LaneMask mask) {
  suspend(mask, Wait::Barrier, barrier);
}

void Warp::exit(LaneMask mask) {
  live &= ~mask;
  active &= ~mask;
  releaseConvergence();
  releaseWarpSync();
}

void Warp::suspend(LaneMask mask, Wait kind, unsigned barrier) {
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!(mask >> i & 1)) continue;
    wait[i] = kind;
    waitBarrier[i] = static_cast<std::uint8_t>(barrier);
    waitPc[i] = pc;
  }
  active &= ~mask;
}

/// Lanes that go on at one place go on together, the lowest lane's place first.
void Warp::resume(LaneMask mask) {
  std::vector<Path> paths;
  for (LaneMask left = mask; left;) {
    Path path{0, waitPc[std::countr_zero(left)]};
    for (unsigned i = 0; i < kLanes; ++i) {
      if (!(left >> i & 1) || waitPc[i] != path.pc) continue;
      path.mask |= laneBit(i);
      wait[i] = Wait::None;
    }
    left &= ~path.mask;
    paths.push_back(path);
  }
  deferred.insert(deferred.end(), paths.rbegin(), paths.rend());
}

bool Warp::belongs(unsigned lane, unsigned barrier, LaneMask group) const {
  return convergence[barrier][lane] == group ||
         std::any_of(saved[lane].begin(), saved[lane].end(),
                     [=](const SavedConvergence& s) { return s.barrier == barrier && s.members == group; });
}

/// A lane waits until every live lane of its mask waits with the same mask. A lane that has executed BSSY on
/// the same barrier again holds another mask and no longer counts (notes: agrees with lane counts seen on
/// hardware).
void Warp::releaseConvergence() {
  for (unsigned i = 0; i < kLanes; ++i) {
    if (wait[i] != Wait::Convergence) continue;
    unsigned barrier = waitBarrier[i];
    LaneMask group = convergence[barrier][i];
    LaneMask required = 0, present = 0;
    for (unsigned j = 0; j < kLanes; ++j) {
      if (!((group | laneBit(i)) & live & laneBit(j)) || !belongs(j, barrier, group)) continue;
      required |= laneBit(j);
      if (convergence[barrier][j] == group && wait[j] == Wait::Convergence && waitBarrier[j] == barrier)
        present |= laneBit(j);
    }
    if (required == present) resume(present);
  }
}

void Warp::releaseWarpSync() {
  for (unsigned i = 0; i < kLanes; ++i) {
    if (wait[i] != Wait::WarpSync) continue;
    LaneMask required = waitMask[i] & live, present = 0;
    for (unsigned j = 0; j < kLanes; ++j)
      if ((required >> j & 1) && wait[j] == Wait::WarpSync && waitMask[j] == waitMask[i])
        present |= laneBit(j);
    if (required == present) resume(present);
  }
}

void Warp::releaseBlockBarrier(unsigned barrier) {
  LaneMask released = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    if (wait[i] == Wait::Barrier && waitBarrier[i] == barrier) released |= laneBit(i);
  resume(released);
}

void Warp::run() {
  while (!deferred.empty()) {
    active = deferred.back().mask;
    pc = deferred.back().pc;
    deferred.pop_back();
    execute();
  }
}

void Warp::execute() {
  machine.currentWarp = this;
  while (active) {
    const Op* op = machine.at(pc);
    machine.currentOp = op;
    pc += 16;
    machine.countWarpInstruction(op->uniform ? LaneMask{1} : active);
    LaneMask mask = fetch(op->guard) & (op->uniform ? kAllLanes : active);
    if (mask) op->run(*this, *op, mask);
  }
}

std::string Warp::describeWaiting() const {
  std::string text;
  for (LaneMask left = live; left;) {
    unsigned first = static_cast<unsigned>(std::countr_zero(left));
    LaneMask same = 0;
    for (unsigned i = first; i < kLanes; ++i)
      if ((left >> i & 1) && wait[i] == wait[first] && waitPc[i] == waitPc[first]) same |= laneBit(i);
    left &= ~same;
    static constexpr const char* kNames[] = {"run", "wait at BSYNC", "wait at WARPSYNC", "wait at BAR"};
    text += llvm::formatv("{0}lanes {1:x8} of warp {2} {3} before {4:x}", text.empty() ? "" : ", ", same,
                          index, kNames[static_cast<int>(wait[first])], waitPc[first])
                .str();
  }
  return text;
}

// ---- Block

Block::Block(Machine& owner) : machine(owner), shared(owner.sharedSize) {
  auto threads = static_cast<unsigned>(owner.launch.threadsPerBlock());
  warps.reserve((threads + kLanes - 1) / kLanes);
  for (unsigned first = 0; first < threads; first += kLanes) {
    unsigned count = std::min(kLanes, threads - first);
    warps.emplace_back(owner, *this, first / kLanes, count == kLanes ? kAllLanes : laneBit(count) - 1);
  }
}

std::array<unsigned, kBlockBarriers> Block::waiting() const {
  std::array<unsigned, kBlockBarriers> count{};
  for (const Warp& warp : warps)
    for (LaneMask left = warp.live; left; left &= left - 1) {
      auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (warp.wait[lane] == Wait::Barrier) ++count[warp.waitBarrier[lane]];
    }
  return count;
}

unsigned Block::alive() const {
  unsigned count = 0;
  for (const Warp& warp : warps)
    count += static_cast<unsigned>(std::popcount(warp.live));
  return count;
}

void Block::run(std::array<std::uint32_t, 3> blockIndex) {
  index = blockIndex;
  std::fill(shared.begin(), shared.end(), machine.options.poison);
  for (Warp& warp : warps)
    warp.restart();
  for (;;) {
    for (Warp& warp : warps)
      warp.run();
    unsigned left = alive();
    if (left == 0) return;
    if (!releaseBarriers(left)) throw ExecutionStop{ExecutionEnd::Timeout, "deadlock: " + describeWaiting()};
  }
}

bool Block::releaseBarriers(unsigned aliveThreads) {
  std::array<unsigned, kBlockBarriers> count = waiting();
  bool released = false;
  for (unsigned barrier = 0; barrier < kBlockBarriers; ++barrier) {
    if (count[barrier] != aliveThreads) continue;
    for (Warp& warp : warps)
      warp.releaseBlockBarrier(barrier);
    released = true;
  }
  return released;
}

std::string Block::describeWaiting() const {
  constexpr unsigned kDescribed = 4;
  std::string who;
  unsigned described = 0;
  for (const Warp& warp : warps) {
    if (warp.finished()) continue;
    if (described++ < kDescribed) who += (who.empty() ? "" : ", ") + warp.describeWaiting();
  }
  if (described > kDescribed)
    who += llvm::formatv(", and lanes of {0} more warps", described - kDescribed).str();
  return who;
}

// ---- Machine

namespace {

/// Where bank 0 holds what the launch defines; 0xffff = nowhere. ntid, nctaid, stack pointer, dynamic shared
/// size and descriptor are from published tables; the windows and the base of bank 3 from what nvcc 13.0.88
/// -G and -Xptxas -O0 read for generic pointers to a shared, local and constant array. From sm_90 on the
/// shared window is not in the bank but SR_SWINHI.
struct BankZeroLayout {
  std::uint32_t ntid, nctaid, stackPointer, dynamicShared, descriptor, sharedWindow, localWindow,
      constantBase;
};

constexpr std::uint32_t kNowhere = 0xffff;

BankZeroLayout bankZeroLayout(unsigned sm) {
  if (sm >= 100) return {0x360, 0x370, 0x37c, 0x2ac, 0x358, kNowhere, 0x2f8, 0x120};
  if (sm >= 90) return {0x00, 0x0c, 0x28, 0x2c, 0x208, kNowhere, 0x20, 0xd0};
  if (sm >= 80) return {0x00, 0x0c, 0x28, 0x2c, 0x118, 0x18, 0x20, 0x50};
  return {0x00, 0x0c, 0x28, 0x2c, kNowhere, 0x18, 0x20, 0x50};
}

} // namespace

Machine::Machine(const std::vector<Op>& ops, const std::vector<std::string>& texts, unsigned registers,
                 const Cubin& theCubin, const Kernel& theKernel, const Launch& theLaunch,
                 GlobalMemory& theMemory, const ExecutionOptions& theOptions)
    : cubin(theCubin), kernel(theKernel), launch(theLaunch), memory(theMemory), options(theOptions),
      registerCount(registers), ops_(ops), texts_(texts) {
  sharedStart = cubin.smVersion >= 90 ? 0x400 : 0;
  sharedSize = std::max(sharedStart, kernel.staticShared) + launch.dynamicShared;
  localSize = std::max<std::uint32_t>(0x400, (kernel.minStackSize + kernel.frameSize + 0xff) / 0x100 * 0x100);
  fillConstants();
}

void Machine::fillConstants() {
  for (const auto& [index, contents] : kernel.constants) {
    if (index >= kConstantBanks) continue;
    ConstantBank& bank = banks_[index];
    bank.bytes.resize(contents.size());
    std::memcpy(bank.bytes.data(), contents.data(), contents.size());
  }
  BankZeroLayout layout = bankZeroLayout(cubin.smVersion);
  ConstantBank& zero = banks_[0];
  zero.known.resize(1);
  auto set = [&zero](std::uint32_t offset, const void* data, std::size_t size) {
    if (offset != kNowhere) zero.set(offset, data, size);
  };
  set(layout.ntid, launch.block.data(), 12);
  set(layout.nctaid, launch.grid.data(), 12);
  set(layout.stackPointer, &localSize, 4);
  set(layout.dynamicShared, &launch.dynamicShared, 4);
  std::uint64_t descriptor = 0; // access rights and cache policy of global memory; never looked into
  set(layout.descriptor, &descriptor, 8);
  set(layout.sharedWindow, &kSharedWindow, 8);
  set(layout.localWindow, &kLocalWindow, 8);
  set(layout.constantBase, &Cubin::kConstantBase, 8);
  for (const KernelParam& param : kernel.params) {
    if (param.ordinal >= launch.args.size()) continue;
    const std::vector<std::byte>& value = launch.args[param.ordinal];
    zero.set(kernel.paramBase + param.offset, value.data(), value.size());
  }
}

void Machine::lost(std::uint64_t pc) const {
  auto external = cubin.externals.find(pc);
  if (external != cubin.externals.end()) unsupported("a call of " + external->second);
  fault(llvm::formatv("jump to {0:x}, which is no instruction", pc).str());
}

std::string Machine::refusal(const Op& op) const {
  const std::string& text = texts_[op.line];
  return op.option[0] ? "illegal instruction" : "no support for '" + text + "'";
}

const ConstantBank& Machine::bank(unsigned index) const {
  if (index >= kConstantBanks || banks_[index].bytes.empty())
    unsupported(llvm::formatv("reads constant bank {0}, which the kernel lacks", index).str());
  return banks_[index];
}

const Allocation& Machine::allocation(std::uint64_t address, unsigned size, int lane) {
  if (address % size) fault(llvm::formatv("misaligned {0}-byte access to {1:x}", size, address).str(), lane);
  const Allocation* found = memory.find(address, size);
  if (!found)
    fault(llvm::formatv("{0}-byte access to {1:x}: {2}", size, address, memory.describe(address, size)).str(),
          lane);
  return *found;
}

ExecutionResult Machine::run() {
  Block block(*this); // outlives the catch: messages name the warp it stopped in
  try {
    for (std::uint32_t z = 0; z < launch.grid[2]; ++z)
      for (std::uint32_t y = 0; y < launch.grid[1]; ++y)
        for (std::uint32_t x = 0; x < launch.grid[0]; ++x)
          block.run({x, y, z});
  } catch (const ExecutionStop& stop) {
    complete(stop);
  }
  return std::move(result);
}

void Machine::pause() {
  constexpr std::uint64_t kStride = std::uint64_t{1} << 20; // milliseconds
  throwIfInterrupted();
  if (result.warpInstructions > options.maxWarpInstructions)
    throw ExecutionStop{ExecutionEnd::Timeout, "the limit on executed instructions was reached"};
  nextPause_ = std::min(options.maxWarpInstructions, result.warpInstructions + kStride);
}

void Machine::complete(const ExecutionStop& stop) {
  result.end = stop.end;
  result.message = stop.message;
  if (!currentOp || !currentWarp) return;
  result.message +=
      llvm::formatv("; at {0:x} '{1}'", std::uint64_t{currentOp->line} * 16, texts_[currentOp->line]).str();
  const auto& block = currentWarp->block.index;
  result.message +=
      llvm::formatv(", block ({0},{1},{2}), warp {3}", block[0], block[1], block[2], currentWarp->index)
          .str();
  if (stop.lane >= 0) result.message += llvm::formatv(", lane {0}", stop.lane).str();
}

} // namespace harness::sass

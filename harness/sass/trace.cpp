#include "harness/sass/trace.h"

#include "harness/sass/executor.h"
#include "harness/sass/machine.h"
#include "harness/sass/mma_operation.h"
#include "harness/sass/register_access.h"
#include "harness/sass/shuffle.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <bit>

namespace harness::sass {

namespace {

constexpr std::uint32_t kWord = 4;

std::uint64_t locationOf(RegisterFile file, unsigned index) {
  return std::uint64_t{static_cast<std::uint8_t>(file)} << 32 | index;
}

bool isPredicate(RegisterFile file) {
  return file == RegisterFile::Predicate || file == RegisterFile::UniformPredicate;
}

/// How an instruction's results hang together with other threads.
enum class Reach : std::uint8_t {
  Own,       ///< its own thread's values, and memory
  Shuffle,   ///< one other lane
  First,     ///< the first lane of the warp that executes it
  Warp,      ///< the values of all lanes that execute it
  Matrix,    ///< rows and columns that other lanes hold
  Elsewhere, ///< more than can be listed
};

Reach reachOf(const std::string& opcode) {
  if (isMmaOpcode(opcode)) return Reach::Matrix;
  return llvm::StringSwitch<Reach>(opcode)
      .Case("SHFL", Reach::Shuffle)
      .Case("R2UR", Reach::First)
      .Cases("VOTE", "VOTEU", "MATCH", "REDUX", "CREDUX", "ELECT", Reach::Warp)
      .Cases("MOVM", "LDSM", "STSM", "FSWZADD", "B2R", "BAR", Reach::Elsewhere)
      .Cases("ATOM", "ATOMG", "ATOMS", "SYNCS", "UBLKCP", Reach::Elsewhere)
      .Default(Reach::Own);
}

struct ConstantOperand {
  std::string name;
  unsigned bank = 0;
  std::int64_t offset = 0;
  unsigned bytes = kWord;
};

/// What an instruction reads and writes, found once.
struct Shape {
  TextInstruction text;
  Reach reach = Reach::Own;
  const MmaOperation* mma = nullptr;     ///< of Reach::Matrix
  std::vector<TraceValue> reads, writes; ///< without bits and thread; a register each
  std::vector<RegisterFile> readFiles, writeFiles;
  std::vector<unsigned> readRegisters, writeRegisters;
  std::vector<int> readOperands; ///< as RegisterRange::operand
  std::vector<ConstantOperand> constants;
};

/// The values of one lane of a warp.
class LaneState {
public:
  LaneState(const Warp& warp, unsigned lane) : warp_(warp), lane_(lane) {}

  std::uint64_t read(RegisterFile file, unsigned index) const {
    switch (file) {
    case RegisterFile::General: return index < warp_.registers.size() ? warp_.registers[index].v[lane_] : 0;
    case RegisterFile::Uniform: return index < 256 ? warp_.uniform[index] : 0;
    case RegisterFile::Predicate: return index < 8 ? warp_.predicates[index] >> lane_ & 1 : 0;
    case RegisterFile::UniformPredicate: return index < 8 && warp_.uniformPredicates[index];
    }
    return 0;
  }

private:
  const Warp& warp_;
  unsigned lane_;
};

/// Sees every instruction of a launch of traced code, which it must be the observer of. Counts them, and ends
/// the launch after some.
class Tracer : public Observer {
public:
  Tracer(const Code& original, std::uint64_t until) : original_(original), until_(until) {}

  /// What all instructions of traced code do: the original between before() and after().
  static void run(Warp& warp, const Op& op, LaneMask) {
    auto& tracer = static_cast<Tracer&>(*warp.machine.observer);
    const Op& original = tracer.original_.ops[op.line];
    LaneMask mask = warp.fetch(original.guard) & (original.uniform ? kAllLanes : warp.active);
    tracer.before(warp, original, mask);
    try {
      if (mask) original.run(warp, original, mask);
    } catch (const ExecutionStop& stop) {
      tracer.stopped(warp, stop);
      throw;
    }
    tracer.after(warp, original, mask);
  }

protected:
  /// An instruction is about to be executed for the lanes of `mask`, those of the active ones whose guard
  /// holds; maybe for none.
  virtual void before(const Warp&, const Op&, LaneMask /*mask*/) {
    if (order_ >= until_) throw ExecutionStop{ExecutionEnd::Timeout, "seen enough"};
    ++order_;
  }
  /// It has been. Not called if it ended the launch.
  virtual void after(const Warp&, const Op&, LaneMask /*mask*/) {}
  /// It ends the launch.
  virtual void stopped(const Warp&, const ExecutionStop&) {}

  std::uint64_t order_ = 0; ///< of the instruction being executed, from 1

private:
  const Code& original_;
  std::uint64_t until_;
};

/// Code whose instructions all run through Tracer::run, whatever their guards say.
std::unique_ptr<Code> tracedCode(const Code& original) {
  auto traced = std::make_unique<Code>(original);
  for (Op& op : traced->ops) {
    op.run = Tracer::run;
    op.guard = {};
  }
  return traced;
}

/// Remembers the last store into a byte.
class StoreWatch : public Tracer {
public:
  StoreWatch(const Code& code, MemorySpace space, std::uint64_t block, std::uint64_t address,
             std::uint64_t before)
      : Tracer(code, before == 0 ? 0 : before - 1), space_(space), block_(block), address_(address) {}

  std::optional<TraceStore> last;

  void access(const Warp& warp, const MemoryAccess& access) override {
    if (access.kind == AccessKind::Read || access.space != space_) return;
    std::uint64_t block = warp.block.linearIndex();
    if (space_ == MemorySpace::Shared && block != block_) return;
    for (LaneMask left = access.mask; left; left &= left - 1) {
      auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (address_ - access.addresses[lane] < access.bytes)
        last = {{block, warp.index * kLanes + lane}, order_, access.kind == AccessKind::Atomic};
    }
  }

private:
  MemorySpace space_;
  std::uint64_t block_, address_;
};

/// Remembers which thread's fault ends the launch.
class FaultWatch : public Tracer {
public:
  explicit FaultWatch(const Code& code) : Tracer(code, TraceSource::kEnd) {}

  std::optional<TraceStop> fault;

  void stopped(const Warp& warp, const ExecutionStop& stop) override {
    if (stop.end != ExecutionEnd::Fault || stop.lane < 0) return;
    fault = {{warp.block.linearIndex(), warp.index * kLanes + static_cast<unsigned>(stop.lane)}, order_};
  }
};

/// Records the steps of one thread.
class Recorder : public Tracer {
public:
  Recorder(Trace& trace, const Code& code, ThreadId thread, std::uint64_t until)
      : Tracer(code, until), trace_(trace), thread_(thread), lane_(thread.thread % kLanes),
        warp_(thread.thread / kLanes), shapes_(code.ops.size()) {}

  void startBlock(const Block& block) override {
    here_ = block.linearIndex() == thread_.block;
    if (!here_ || warp_ >= block.warps.size()) return;
    snapshot(block.warps[warp_]);
  }

  void before(const Warp& warp, const Op& op, LaneMask mask) override {
    Tracer::before(warp, op, mask);
    open_ = false;
    if (!here_ || warp.index != warp_) return;
    bool common = op.uniform || op.dst.uniform || op.pdst[0].uniform || op.pdst[1].uniform;
    bool active = common || (warp.active >> lane_ & 1);
    if (!active) return;
    open_ = true;
    executed_ = mask != 0 && (common || (mask >> lane_ & 1));
    const Shape& shape = shapeOf(warp, op);
    trace_.begin(order_, op.line, executed_);
    addReads(warp, shape, mask);
  }

  void access(const Warp& warp, const MemoryAccess& access) override {
    if (!open_ || !executed_ || warp.index != warp_ || !(access.mask >> lane_ & 1)) return;
    static constexpr TraceSpace kSpaces[] = {TraceSpace::Global, TraceSpace::Shared, TraceSpace::Local};
    static constexpr TraceAccess::Kind kKinds[] = {TraceAccess::Kind::Read, TraceAccess::Kind::Write,
                                                   TraceAccess::Kind::Atomic};
    // An instruction that copies from memory to memory has two; the one that writes counts.
    if (trace_.last().access >= 0 && access.kind == AccessKind::Read) return;
    trace_.setAccess({kSpaces[static_cast<std::size_t>(access.space)],
                      kKinds[static_cast<std::size_t>(access.kind)], access.bytes, access.addresses[lane_]});
    if (access.kind == AccessKind::Write) placeData(trace_.lastReads(), access.bytes, /*stored=*/true);
  }

  void after(const Warp& warp, const Op& op, LaneMask) override {
    if (!open_) return;
    open_ = false;
    const Shape& shape = *shapes_[op.line];
    LaneState state(warp, lane_);
    std::vector<TraceValue> writes;
    for (std::size_t i = 0; i < shape.writes.size(); ++i) {
      TraceValue value = shape.writes[i];
      value.bits = state.read(shape.writeFiles[i], shape.writeRegisters[i]);
      writes.push_back(value);
    }
    if (executed_) addChanged(warp, writes);
    const TraceAccess* access = trace_.access(trace_.last());
    if (access && access->kind == TraceAccess::Kind::Read) placeData(writes, access->bytes, false);
    for (const TraceValue& value : writes)
      trace_.addWrite(value);
  }

private:
  TraceValue valueOf(RegisterFile file, unsigned index, TraceRole role) {
    static constexpr const char* kPrefixes[] = {"R", "UR", "P", "UP"};
    TraceValue value;
    value.location = locationOf(file, index);
    value.name = trace_.nameNumber(kPrefixes[static_cast<std::size_t>(file)] + std::to_string(index));
    value.width = isPredicate(file) ? 1 : 32;
    value.role = role;
    return value;
  }

  const Shape& shapeOf(const Warp& warp, const Op& op) {
    std::unique_ptr<Shape>& slot = shapes_[op.line];
    if (slot) return *slot;
    slot = std::make_unique<Shape>();
    auto text = parseInstruction(warp.machine.code().texts[op.line]);
    if (!text) return *slot;
    slot->text = std::move(*text);
    slot->reach = reachOf(slot->text.opcode);
    slot->mma = op.mma;
    RegisterAccess access = accessOf(slot->text);
    for (const RegisterRange& range : access.reads)
      for (unsigned i = 0; i < range.count; ++i) {
        slot->reads.push_back(valueOf(range.file, range.first + i, roleOf(slot->text, range)));
        slot->readFiles.push_back(range.file);
        slot->readRegisters.push_back(range.first + i);
        slot->readOperands.push_back(range.operand);
      }
    // [R4] of sm_75 stands for a pair where .E is printed.
    if (op.address.base64 && op.address.base != kZeroRegister)
      addPair(*slot, RegisterFile::General, op.address.base);
    for (const RegisterRange& range : access.writes)
      for (unsigned i = 0; i < range.count; ++i) {
        slot->writes.push_back(valueOf(range.file, range.first + i, TraceRole::Data));
        slot->writeFiles.push_back(range.file);
        slot->writeRegisters.push_back(range.first + i);
      }
    addConstants(*slot);
    return *slot;
  }

  static TraceRole roleOf(const TextInstruction& text, const RegisterRange& range) {
    if (range.operand == RegisterRange::kGuard) return TraceRole::Guard;
    OperandKind kind = text.operands[static_cast<std::size_t>(range.operand)].kind;
    return kind == OperandKind::Memory || kind == OperandKind::Constant ? TraceRole::Address
                                                                        : TraceRole::Data;
  }

  void addPair(Shape& shape, RegisterFile file, unsigned first) {
    for (unsigned index : {first, first + 1}) {
      std::uint64_t location = locationOf(file, index);
      bool known = std::any_of(shape.reads.begin(), shape.reads.end(), [&](const TraceValue& value) {
        return value.location == location && value.role == TraceRole::Address;
      });
      if (known) continue;
      shape.reads.push_back(valueOf(file, index, TraceRole::Address));
      shape.readFiles.push_back(file);
      shape.readRegisters.push_back(index);
      shape.readOperands.push_back(RegisterRange::kGuard); // an address: nobody asks
    }
  }

  /// c[0x0][0x168]: constants without a register in their address.
  static void addConstants(Shape& shape) {
    for (const TextOperand& operand : shape.text.operands) {
      if (operand.kind != OperandKind::Constant || operand.base || operand.uniform) continue;
      bool wide = shape.writes.size() == 2 && !isPredicate(shape.writeFiles[0]) &&
                  shape.writeRegisters[1] == shape.writeRegisters[0] + 1;
      shape.constants.push_back({llvm::formatv("c[{0:x}][{1:x}]", operand.bank, operand.number).str(),
                                 operand.bank, operand.number, wide ? 2 * kWord : kWord});
    }
  }

  void addReads(const Warp& warp, const Shape& shape, LaneMask mask) {
    for (std::size_t i = 0; i < shape.reads.size(); ++i) {
      if (!executed_ && shape.reads[i].role != TraceRole::Guard) continue;
      bool lanes =
          shape.readFiles[i] == RegisterFile::General || shape.readFiles[i] == RegisterFile::Predicate;
      if (lanes && shape.reads[i].role == TraceRole::Data && shape.reach != Reach::Own)
        addFromLanes(warp, shape, i, mask);
      else
        addRead(warp, shape, i, lane_);
    }
    if (!executed_) return;
    for (const ConstantOperand& constant : shape.constants) {
      auto bits = warp.machine.bank(constant.bank).find(constant.offset, constant.bytes);
      if (!bits) bits = warp.machine.bank(constant.bank).find(constant.offset, kWord);
      TraceValue value;
      value.name = trace_.nameNumber(constant.name);
      value.bits = bits.value_or(0);
      value.width = static_cast<std::uint8_t>(8 * constant.bytes);
      if (bits) trace_.addRead(value);
    }
  }

  void addRead(const Warp& warp, const Shape& shape, std::size_t i, unsigned lane) {
    TraceValue value = shape.reads[i];
    value.bits = LaneState(warp, lane).read(shape.readFiles[i], shape.readRegisters[i]);
    if (lane != lane_) value.thread = warp_ * kLanes + lane;
    trace_.addRead(value);
  }

  void addFromLanes(const Warp& warp, const Shape& shape, std::size_t i, LaneMask mask) {
    switch (shape.reach) {
    case Reach::Own:
    case Reach::Elsewhere: return addRead(warp, shape, i, lane_);
    case Reach::First: return addRead(warp, shape, i, static_cast<unsigned>(std::countr_zero(mask)));
    case Reach::Shuffle:
      return addRead(warp, shape, i, isShuffled(shape, i) ? shuffledLane(warp, shape) : lane_);
    case Reach::Warp: return addReads(warp, shape, i, mask);
    case Reach::Matrix: return addReads(warp, shape, i, matrixLanes(shape, i));
    }
  }

  void addReads(const Warp& warp, const Shape& shape, std::size_t i, LaneMask lanes) {
    for (LaneMask left = lanes; left; left &= left - 1)
      addRead(warp, shape, i, static_cast<unsigned>(std::countr_zero(left)));
  }

  /// HMMA.16816.F32 D, A, B, C; after them the scales of A and of B.
  LaneMask matrixLanes(const Shape& shape, std::size_t i) const {
    if (!shape.mma) return laneBit(lane_);
    MmaOperation::Sources sources = shape.mma->sources(lane_);
    switch (shape.readOperands[i]) {
    case 1: return sources.a;
    case 2: return sources.b;
    case 3: return sources.c;
    default: return sources.scales;
    }
  }

  /// SHFL.BFLY P, R, value, lane, control: the first register that is read.
  static bool isShuffled(const Shape& shape, std::size_t i) {
    for (std::size_t before = 0; before < i; ++before)
      if (shape.reads[before].role == TraceRole::Data) return false;
    return true;
  }

  unsigned shuffledLane(const Warp& warp, const Shape& shape) const {
    const auto& operands = shape.text.operands;
    const auto& modifiers = shape.text.modifiers;
    if (operands.size() < 3 || modifiers.empty()) return lane_;
    auto valueOfOperand = [&](const TextOperand& operand) -> std::uint32_t {
      LaneState state(warp, lane_);
      if (operand.kind == OperandKind::Register)
        return operand.index == kZeroRegister
                   ? 0
                   : static_cast<std::uint32_t>(state.read(RegisterFile::General, operand.index));
      if (operand.kind == OperandKind::UniformRegister)
        return operand.index == kZeroRegister
                   ? 0
                   : static_cast<std::uint32_t>(state.read(RegisterFile::Uniform, operand.index));
      return static_cast<std::uint32_t>(operand.number);
    };
    auto mode = llvm::StringSwitch<ShuffleMode>(modifiers.front())
                    .Case("UP", ShuffleMode::Up)
                    .Case("DOWN", ShuffleMode::Down)
                    .Case("BFLY", ShuffleMode::Butterfly)
                    .Default(ShuffleMode::Index);
    bool inRange = false;
    return shuffleSource(mode, lane_, valueOfOperand(operands[operands.size() - 2]),
                         valueOfOperand(operands[operands.size() - 1]), inRange);
  }

  /// Which bytes of its access each value of a load or store has. LDG.256 names its upper half first.
  void placeData(std::span<TraceValue> values, std::uint32_t bytes, bool stored) const {
    std::vector<TraceValue*> data;
    for (TraceValue& value : values)
      if (value.role == TraceRole::Data && value.width == 32 && value.location != TraceValue::kNowhere)
        data.push_back(&value);
    constexpr std::uint32_t kTwoGroups = 32;
    if (!stored && bytes == kTwoGroups && data.size() == kTwoGroups / kWord)
      std::rotate(data.begin(), data.begin() + 4, data.end());
    for (std::uint32_t i = 0; i < data.size() && i * kWord < bytes; ++i) {
      data[i]->memoryOffset = static_cast<std::uint8_t>(i * kWord);
      data[i]->memoryBytes = static_cast<std::uint8_t>(std::min(kWord, bytes - i * kWord));
    }
  }

  /// Registers that have changed although the instruction is not known to write them.
  void addChanged(const Warp& warp, std::vector<TraceValue>& writes) {
    LaneState state(warp, lane_);
    for (Stretch& stretch : known_) {
      if (stretch.file == RegisterFile::Uniform &&
          std::equal(stretch.bits.begin(), stretch.bits.end(), warp.uniform))
        continue;
      for (unsigned i = 0; i < stretch.bits.size(); ++i) {
        auto now = static_cast<std::uint32_t>(state.read(stretch.file, i));
        if (now == stretch.bits[i]) continue;
        stretch.bits[i] = now;
        std::uint64_t location = locationOf(stretch.file, i);
        if (std::any_of(writes.begin(), writes.end(),
                        [location](const TraceValue& value) { return value.location == location; }))
          continue;
        TraceValue value = valueOf(stretch.file, i, TraceRole::Data);
        value.bits = now;
        writes.push_back(value);
      }
    }
  }

  void snapshot(const Warp& warp) {
    LaneState state(warp, lane_);
    known_[0] = {RegisterFile::General, std::vector<std::uint32_t>(warp.registers.size())};
    known_[1] = {RegisterFile::Uniform, std::vector<std::uint32_t>(kZeroRegister)};
    known_[2] = {RegisterFile::Predicate, std::vector<std::uint32_t>(kTruePredicate)};
    known_[3] = {RegisterFile::UniformPredicate, std::vector<std::uint32_t>(kTruePredicate)};
    for (Stretch& stretch : known_)
      for (unsigned i = 0; i < stretch.bits.size(); ++i)
        stretch.bits[i] = static_cast<std::uint32_t>(state.read(stretch.file, i));
  }

  struct Stretch {
    RegisterFile file = RegisterFile::General;
    std::vector<std::uint32_t> bits;
  };

  Trace& trace_;
  ThreadId thread_;
  unsigned lane_, warp_;
  std::vector<std::unique_ptr<Shape>> shapes_; ///< by instruction
  Stretch known_[4];                           ///< what the lane's registers held after its last step
  bool here_ = false;                          ///< the thread's block is being executed
  bool open_ = false, executed_ = false;       ///< of the instruction being executed
};

std::string placeOf(const Cubin& cubin, std::uint64_t address) {
  for (const CodeSection& section : cubin.sections)
    if (address - section.address < section.size)
      return llvm::formatv("{0:x}", address - section.address).str();
  return llvm::formatv("{0:x}", address).str();
}

} // namespace

TracedLaunch::TracedLaunch(const Program& program, const Kernel& kernel, const Launch& launch,
                           std::function<std::unique_ptr<GlobalMemory>()> fresh,
                           const ExecutionOptions& options, std::vector<std::uint32_t> lines)
    : program_(program),
      traced_(std::make_unique<Program>(program.sharedCubin(), tracedCode(program.decoded()))),
      kernel_(kernel), launch_(launch), fresh_(std::move(fresh)), options_(options) {
  const Code& code = program.decoded();
  for (std::size_t i = 0; i < code.size(); ++i) {
    auto text = parseInstruction(code.texts[i]);
    instructions_.push_back({code.texts[i], placeOf(program.cubin(), i * 16), i < lines.size() ? lines[i] : 0,
                             text && reachOf(text->opcode) == Reach::Elsewhere});
  }
}

TracedLaunch::~TracedLaunch() = default;

const Trace& TracedLaunch::trace(ThreadId thread, std::uint64_t until) {
  auto [first, last] = recorded_.equal_range(thread);
  for (auto found = first; found != last; ++found)
    if (found->second.until >= until) return *found->second.trace;
  auto trace = std::make_unique<Trace>();
  trace->instructions = instructions_;
  Recorder recorder(*trace, program_.decoded(), thread, until);
  execute(*traced_, kernel_, launch_, *fresh_(), options_, &recorder);
  return *recorded_.emplace(thread, Recorded{until, std::move(trace)})->second.trace;
}

std::optional<TraceStore> TracedLaunch::lastStore(TraceSpace space, std::uint64_t block,
                                                  std::uint64_t address, std::uint64_t before) {
  MemorySpace where = space == TraceSpace::Global ? MemorySpace::Global : MemorySpace::Shared;
  StoreWatch watch(program_.decoded(), where, block, address, before);
  execute(*traced_, kernel_, launch_, *fresh_(), options_, &watch);
  return watch.last;
}

std::optional<TraceStop> TracedLaunch::fault() {
  FaultWatch watch(program_.decoded());
  execute(*traced_, kernel_, launch_, *fresh_(), options_, &watch);
  return watch.fault;
}

} // namespace harness::sass

#include "harness/ptx/trace.h"

#include "harness/ptx/executor.h"
#include "harness/ptx/machine.h"
#include "harness/ptx/special.h"
#include "harness/ptx/symbols.h"

#include <llvm/ADT/StringSwitch.h>

#include <algorithm>
#include <bit>

namespace harness::ptx {

namespace {

/// How an instruction's results hang together with other threads.
enum class Reach : std::uint8_t {
  Own,       ///< its own thread's values, and memory
  Shuffle,   ///< one other lane
  Warp,      ///< the values of all lanes that execute it
  Elsewhere, ///< more than can be listed
};

Reach reachOf(const Instruction& instruction) {
  return llvm::StringSwitch<Reach>(instruction.opcode)
      .Case("shfl", Reach::Shuffle)
      .Cases("vote", "match", "redux", "elect", "activemask", Reach::Warp)
      .Cases("mma", "wmma", "ldmatrix", "stmatrix", "movmatrix", Reach::Elsewhere)
      .Cases("atom", "bar", "barrier", "mbarrier", "wgmma", Reach::Elsewhere)
      .Default(Reach::Own);
}

std::uint64_t locationOf(unsigned depth, bool predicate, Slot slot) {
  return std::uint64_t{depth} << 33 | std::uint64_t{predicate} << 32 | slot;
}

/// A place of a value in the instruction's frame.
struct Operand {
  Source source; ///< of what is read, unless it is a predicate
  bool predicate = false;
  Slot slot = 0;    ///< of a predicate, or of what is written
  TraceValue value; ///< without bits, thread and depth
};

struct Shape {
  Reach reach = Reach::Own;
  std::vector<Operand> reads, writes;
  const Call* call = nullptr;
};

/// The registers of a function by slot. Binding gives out the slots in the order of the declarations; going
/// through them once more tells their names.
class RegisterNames {
public:
  struct One {
    std::string name = "_";
    std::uint8_t bits = 64;
  };

  explicit RegisterNames(const FunctionCode& code)
      : symbols_(scratch_, module_, function_, code.function->entry) {
    if (!code.function->entry) {
      for (const Variable& result : code.function->results)
        declare(result);
      for (const Variable& parameter : code.function->parameters)
        declare(parameter);
    }
    if (code.function->body) walk(*code.function->body);
  }

  const One& of(bool predicate, Slot slot) const {
    static const One kUnknown, kUnknownPredicate{"_", 1};
    const std::map<Slot, One>& names = predicate ? predicates_ : registers_;
    auto found = names.find(slot);
    return found != names.end() ? found->second : predicate ? kUnknownPredicate : kUnknown;
  }

private:
  void walk(const Scope& scope) {
    symbols_.open();
    for (const Statement& statement : scope.statements)
      if (const auto* variable = std::get_if<Variable>(&statement))
        declare(*variable);
      else if (const auto* inner = std::get_if<std::unique_ptr<Scope>>(&statement))
        walk(**inner);
    symbols_.close();
  }

  void declare(const Variable& variable) {
    if (variable.space != Space::Reg) return;
    bool predicate = variable.type == Type::Pred;
    Slot& next = predicate ? function_.predicates : function_.registers;
    Slot first = next;
    symbols_.declare(variable);
    unsigned each = variable.type == Type::B128 ? 2 : 1;
    for (Slot slot = first; slot < next; ++slot) {
      One& one = (predicate ? predicates_ : registers_)[slot];
      one.name = variable.name + (variable.count ? std::to_string((slot - first) / each) : "");
      one.bits = predicate ? 1 : static_cast<std::uint8_t>(std::min(64u, bitsOf(variable.type)));
    }
  }

  Code scratch_;
  ModuleSymbols module_;
  FunctionCode function_;
  FunctionSymbols symbols_;
  std::map<Slot, One> registers_, predicates_;
};

TraceSpace spaceOf(AddressSpace space) {
  switch (space) {
  case AddressSpace::Shared: return TraceSpace::Shared;
  case AddressSpace::Local: return TraceSpace::Local;
  case AddressSpace::Param: return TraceSpace::Param;
  default: return TraceSpace::Global;
  }
}

/// Counts warp instructions, and ends the launch after some.
class Counter : public Observer {
public:
  explicit Counter(std::uint64_t until) : until_(until) {}
  void before(const Warp&, std::uint32_t, LaneMask) override {
    if (order_ >= until_) throw ExecutionStop{ExecutionEnd::Timeout, "seen enough"};
    ++order_;
  }

protected:
  std::uint64_t order_ = 0; ///< of the instruction being executed, from 1

private:
  std::uint64_t until_;
};

/// Remembers the last store into a byte.
class StoreWatch : public Counter {
public:
  StoreWatch(TraceSpace space, std::uint64_t block, std::uint64_t address, std::uint64_t before)
      : Counter(before == 0 ? 0 : before - 1), space_(space), block_(block), address_(address) {}

  std::optional<TraceStore> last;

  void access(const Warp& warp, const Access& access) override {
    if (!access.writes || spaceOf(access.space) != space_ || address_ - access.address >= access.bytes)
      return;
    std::uint64_t block = warp.block.linearIndex();
    if (space_ == TraceSpace::Shared && block != block_) return;
    last = {{block, warp.index * kLanes + access.lane}, order_, access.reads};
  }

private:
  TraceSpace space_;
  std::uint64_t block_, address_;
};

/// Records the steps of one thread.
class Recorder : public Counter {
public:
  Recorder(Trace& trace, const Code& code, ThreadId thread, std::uint64_t until)
      : Counter(until), trace_(trace), code_(code), thread_(thread), lane_(thread.thread % kLanes),
        warp_(thread.thread / kLanes), shapes_(code.ops.size()) {}

  void startBlock(const Block& block) override { here_ = block.linearIndex() == thread_.block; }

  void before(const Warp& warp, std::uint32_t at, LaneMask mask) override {
    Counter::before(warp, at, mask);
    open_ = here_ && warp.index == warp_ && (warp.active.mask >> lane_ & 1);
    if (!open_) return;
    executed_ = mask >> lane_ & 1;
    frame_ = warp.active.frame;
    const Shape& shape = shapeOf(at);
    trace_.begin(order_, at, executed_);
    for (std::size_t i = 0; i < shape.reads.size(); ++i) {
      if (!executed_ && shape.reads[i].value.role != TraceRole::Guard) continue;
      addReads(warp, shape, i, mask);
    }
    if (executed_ && shape.call)
      for (const Passed& argument : shape.call->arguments)
        if (argument.isRegister) addRead(warp, readOf(argument.source, *frame_, at), lane_);
  }

  void access(const Warp& warp, const Access& access) override {
    if (!open_ || !executed_ || warp.index != warp_ || access.lane != lane_) return;
    // An instruction that copies from memory to memory has two; the one that writes counts.
    if (trace_.last().access >= 0 && !access.writes) return;
    auto kind = access.reads && access.writes ? TraceAccess::Kind::Atomic
                : access.writes               ? TraceAccess::Kind::Write
                                              : TraceAccess::Kind::Read;
    trace_.setAccess({spaceOf(access.space), kind, access.bytes, access.address});
    if (kind == TraceAccess::Kind::Write) placeData(trace_.lastReads(), access.bytes);
  }

  void after(const Warp& warp, std::uint32_t at, LaneMask) override {
    if (!open_) return;
    open_ = false;
    const Shape& shape = *shapes_[at];
    std::vector<TraceValue> writes;
    for (const Operand& operand : shape.writes)
      writes.push_back(valueIn(operand, *frame_));
    if (executed_ && shape.call) addPassed(warp, writes);
    if (executed_ && code_.ops[at].flow == Flow::End && frame_->caller && frame_->call) addReturned(writes);
    const TraceAccess* access = trace_.access(trace_.last());
    if (access && access->kind == TraceAccess::Kind::Read) placeData(writes, access->bytes);
    for (const TraceValue& value : writes)
      trace_.addWrite(value);
    frame_ = nullptr;
  }

private:
  // ---- what an instruction touches

  const FunctionCode& functionOf(std::uint32_t at) const {
    return *std::find_if(code_.functions.begin(), code_.functions.end(),
                         [at](const FunctionCode& one) { return at >= one.begin && at < one.end; });
  }

  /// Name and width of a register.
  void describe(TraceValue& value, const FunctionCode& function, bool predicate, Slot slot) {
    auto [names, isNew] = names_.try_emplace(&function, function);
    const RegisterNames::One& one = names->second.of(predicate, slot);
    value.name = trace_.nameNumber(one.name);
    value.width = one.bits;
  }

  Operand readOf(const Source& source, const Frame& frame, std::uint32_t at) {
    return readOf(source, frame.function, at);
  }
  Operand readOf(const Source& source, const FunctionCode& function, std::uint32_t at) {
    Operand operand;
    operand.source = source;
    if (source.kind == Source::Kind::Register) {
      describe(operand.value, function, false, source.index);
      operand.value.location = locationOf(0, false, source.index);
    } else {
      operand.value.width = 64;
      operand.value.name = trace_.nameNumber(constantName(source, at));
    }
    return operand;
  }

  /// "%tid.x"; numbers are in the text.
  std::string constantName(const Source& source, std::uint32_t at) const {
    if (source.kind != Source::Kind::Special || !code_.instructions[at]) return "";
    for (const ptx::Operand& operand : code_.instructions[at]->operands)
      if (operand.kind == ptx::Operand::Kind::Name && specialNamed(operand.name) == source.index)
        return operand.name;
    return "";
  }

  Operand predicateAt(const FunctionCode& function, Slot slot, TraceRole role) {
    Operand operand;
    operand.predicate = true;
    operand.slot = slot;
    describe(operand.value, function, true, slot);
    operand.value.location = locationOf(0, true, slot);
    operand.value.role = role;
    return operand;
  }

  const Shape& shapeOf(std::uint32_t at) {
    std::unique_ptr<Shape>& slot = shapes_[at];
    if (slot) return *slot;
    slot = std::make_unique<Shape>();
    const Op& op = code_.ops[at];
    const FunctionCode& function = functionOf(at);
    const Instruction* instruction = code_.instructions[at];
    if (instruction) slot->reach = reachOf(*instruction);
    if (!op.guard.always) slot->reads.push_back(predicateAt(function, op.guard.slot, TraceRole::Guard));
    if (op.address.base.kind == Source::Kind::Register) {
      slot->reads.push_back(readOf(op.address.base, function, at));
      slot->reads.back().value.role = TraceRole::Address;
    }
    for (unsigned i = 0; i < op.sources; ++i)
      slot->reads.push_back(readOf(op.src[i], function, at));
    for (std::uint32_t i = op.moreBegin; i < op.moreEnd; ++i)
      slot->reads.push_back(readOf(code_.moreSources[i], function, at));
    for (const PredicateSource& predicate : op.psrc)
      if (!predicate.always) slot->reads.push_back(predicateAt(function, predicate.slot, TraceRole::Data));
    for (unsigned i = 0; i < op.destinations; ++i) {
      Operand operand;
      operand.slot = op.dst[i].slot;
      describe(operand.value, function, false, operand.slot);
      operand.value.width = op.dst[i].bits;
      operand.value.location = locationOf(0, false, operand.slot);
      slot->writes.push_back(operand);
    }
    for (unsigned i = 0; i < op.predicateDestinations; ++i)
      slot->writes.push_back(predicateAt(function, op.pdst[i], TraceRole::Data));
    if (instruction && instruction->opcode == "call" && op.target < code_.calls.size())
      slot->call = &code_.calls[op.target];
    return *slot;
  }

  // ---- values

  TraceValue valueIn(const Operand& operand, const Frame& frame) const {
    TraceValue value = operand.value;
    value.location = locationOf(frame.depth, operand.predicate, operand.slot);
    value.bits = operand.predicate ? frame.predicates[operand.slot] >> lane_ & 1
                                   : frame.registers[operand.slot].v[lane_];
    return value;
  }

  void addReads(const Warp& warp, const Shape& shape, std::size_t i, LaneMask mask) {
    const Operand& operand = shape.reads[i];
    if (operand.value.role != TraceRole::Data || shape.reach == Reach::Own || shape.reach == Reach::Elsewhere)
      return addRead(warp, operand, lane_);
    if (shape.reach == Reach::Shuffle)
      return addRead(warp, operand, isFirstSource(shape, i) ? shuffledLane(warp, shape) : lane_);
    for (LaneMask left = mask; left; left &= left - 1)
      addRead(warp, operand, static_cast<unsigned>(std::countr_zero(left)));
  }

  void addRead(const Warp& warp, const Operand& operand, unsigned lane) {
    TraceValue value = operand.value;
    if (operand.predicate) {
      value.bits = frame_->predicates[operand.slot] >> lane & 1;
      value.location = locationOf(frame_->depth, true, operand.slot);
    } else {
      Lanes scratch;
      value.bits = warp.fetch(operand.source, scratch)[lane];
      if (value.width < 64) value.bits &= (std::uint64_t{1} << value.width) - 1;
      if (operand.source.kind == Source::Kind::Register)
        value.location = locationOf(frame_->depth, false, operand.source.index);
    }
    if (lane != lane_) value.thread = warp_ * kLanes + lane;
    trace_.addRead(value);
  }

  static bool isFirstSource(const Shape& shape, std::size_t i) {
    return std::none_of(shape.reads.begin(), shape.reads.begin() + static_cast<std::ptrdiff_t>(i),
                        [](const Operand& operand) { return operand.value.role == TraceRole::Data; });
  }

  /// PTX ISA, shfl.sync: where the lane's value comes from.
  unsigned shuffledLane(const Warp& warp, const Shape& shape) const {
    std::vector<std::uint32_t> data;
    for (const Operand& operand : shape.reads)
      if (operand.value.role == TraceRole::Data && !operand.predicate) {
        Lanes scratch;
        data.push_back(static_cast<std::uint32_t>(warp.fetch(operand.source, scratch)[lane_]));
      }
    if (data.size() < 3) return lane_;
    const auto& modifiers = code_.instructions[trace_.last().instruction]->modifiers;
    auto is = [&](const char* name) {
      return std::find(modifiers.begin(), modifiers.end(), name) != modifiers.end();
    };
    unsigned amount = data[1] & 0x1f, clamp = data[2] & 0x1f, segment = data[2] >> 8 & 0x1f;
    unsigned most = (lane_ & segment) | (clamp & ~segment & 0x1f);
    unsigned least = lane_ & segment;
    if (is("up")) return static_cast<int>(lane_ - amount) >= static_cast<int>(most) ? lane_ - amount : lane_;
    unsigned from = is("down")   ? lane_ + amount
                    : is("bfly") ? lane_ ^ amount
                                 : least | (amount & ~segment & 0x1f);
    return from <= most ? from & 0x1f : lane_;
  }

  /// Arguments in registers of the function that has been called.
  void addPassed(const Warp& warp, std::vector<TraceValue>& writes) {
    const Frame* callee = warp.active.frame.get();
    if (!callee || callee->caller != frame_) return;
    for (const Passed& formal : callee->function.parameters)
      if (formal.isRegister) addRegister(formal.destination.slot, *callee, writes);
  }

  /// Results in registers of the caller.
  void addReturned(std::vector<TraceValue>& writes) {
    for (const Passed& result : frame_->call->results)
      if (result.isRegister) addRegister(result.destination.slot, *frame_->caller, writes);
  }

  void addRegister(Slot slot, const Frame& frame, std::vector<TraceValue>& writes) {
    Operand operand;
    operand.slot = slot;
    describe(operand.value, frame.function, false, slot);
    writes.push_back(valueIn(operand, frame));
  }

  /// Which bytes of its access each value of a load or store has: all elements have the same size.
  void placeData(std::span<TraceValue> values, std::uint32_t bytes) const {
    std::vector<TraceValue*> data;
    for (TraceValue& value : values)
      if (value.role == TraceRole::Data && value.width > 1 && value.thread == TraceValue::kOwn)
        data.push_back(&value);
    if (data.empty() || bytes % data.size() != 0) return;
    auto each = static_cast<std::uint8_t>(bytes / data.size());
    for (std::size_t i = 0; i < data.size(); ++i) {
      data[i]->memoryOffset = static_cast<std::uint8_t>(i * each);
      data[i]->memoryBytes = each;
    }
  }

  Trace& trace_;
  const Code& code_;
  ThreadId thread_;
  unsigned lane_, warp_;
  std::vector<std::unique_ptr<Shape>> shapes_; ///< by instruction
  std::map<const FunctionCode*, RegisterNames> names_;
  std::shared_ptr<Frame> frame_;         ///< of the instruction being executed
  bool here_ = false;                    ///< the thread's block is being executed
  bool open_ = false, executed_ = false; ///< of the instruction being executed
};

} // namespace

TracedLaunch::TracedLaunch(const Program& program, std::string kernel, const Launch& launch,
                           std::function<std::unique_ptr<GlobalMemory>()> fresh,
                           const ExecutionOptions& options)
    : program_(program), kernel_(std::move(kernel)), launch_(launch), fresh_(std::move(fresh)),
      options_(options) {
  for (const Instruction* instruction : program.code().instructions) {
    if (!instruction) {
      instructions_.push_back({"(end of the function)", "end", 0, false});
      continue;
    }
    instructions_.push_back({print(*instruction), "line " + std::to_string(instruction->line),
                             instruction->line, reachOf(*instruction) == Reach::Elsewhere});
  }
}

TracedLaunch::~TracedLaunch() = default;

const Trace& TracedLaunch::trace(ThreadId thread, std::uint64_t until) {
  auto [first, last] = recorded_.equal_range(thread);
  for (auto found = first; found != last; ++found)
    if (found->second.until >= until) return *found->second.trace;
  auto trace = std::make_unique<Trace>();
  trace->instructions = instructions_;
  Recorder recorder(*trace, program_.code(), thread, until);
  execute(program_, kernel_, launch_, *fresh_(), options_, &recorder);
  return *recorded_.emplace(thread, Recorded{until, std::move(trace)})->second.trace;
}

std::optional<TraceStore> TracedLaunch::lastStore(TraceSpace space, std::uint64_t block,
                                                  std::uint64_t address, std::uint64_t before) {
  StoreWatch watch(space == TraceSpace::Global ? TraceSpace::Global : TraceSpace::Shared, block, address,
                   before);
  execute(program_, kernel_, launch_, *fresh_(), options_, &watch);
  return watch.last;
}

} // namespace harness::ptx

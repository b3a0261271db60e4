// Frames: calls, returns, and the local memory they stand on.

#include "harness/ptx/machine.h"
#include "harness/ptx/quote.h"
#include "harness/ptx/symbols.h"

#include <algorithm>
#include <cstring>

namespace harness::ptx {

namespace {

constexpr unsigned kDepthLimit = 4096;
constexpr std::uint32_t kLocalLimit = 1u << 19; ///< bytes a lane

std::uint64_t bytesOf(const FunctionCode& function) {
  return std::uint64_t{function.registers} * (sizeof(Lanes) + sizeof(LaneMask)) +
         std::uint64_t{function.predicates} * 2 * sizeof(LaneMask) + sizeof(Frame);
}

/// Variables are passed as they lie in memory; what has no size takes what comes.
void requireSameSize(const Passed& formal, const Passed& actual, std::size_t place, const Frame& callee) {
  bool bothVariables = !formal.isRegister && !actual.isRegister;
  if (bothVariables && formal.size && actual.size && formal.size != actual.size)
    fault("a call that passes " + std::to_string(actual.size) + " bytes for parameter " +
          std::to_string(place) + " of " + quote(callee.function.function->name) + ", which has " +
          std::to_string(formal.size));
}

} // namespace

Frame::Frame(Machine& owner, const FunctionCode& code) : machine(owner), function(code) {
  machine.take(bytesOf(function));
  registers.resize(function.registers);
  predicates.resize(function.predicates);
  machine.poison(std::as_writable_bytes(std::span(registers)));
  machine.poison(std::as_writable_bytes(std::span(predicates)));
  written.assign(std::size_t{function.registers} + function.predicates, 0);
}

Frame::~Frame() {
  machine.giveBack(bytesOf(function));
}

void Warp::ensureLocal(std::uint32_t bytes) {
  if (bytes <= localCapacity) return;
  if (bytes > kLocalLimit) fault("the stack is full: a thread has more than 512 KiB of local memory");
  std::uint32_t capacity = std::min(kLocalLimit, std::max(bytes, 2 * localCapacity));
  machine.take(std::uint64_t{capacity - localCapacity} * kLanes * 2);
  std::vector<std::byte> grown(std::size_t{capacity} * kLanes, machine.options.poison);
  std::vector<std::uint8_t> grownWritten(std::size_t{capacity} * kLanes, 0);
  for (unsigned lane = 0; lane < kLanes && localCapacity; ++lane) {
    std::memcpy(&grown[std::size_t{capacity} * lane], &local[std::size_t{localCapacity} * lane],
                localCapacity);
    std::memcpy(&grownWritten[std::size_t{capacity} * lane], &localWritten[std::size_t{localCapacity} * lane],
                localCapacity);
  }
  local = std::move(grown);
  localWritten = std::move(grownWritten);
  localCapacity = capacity;
}

void Warp::call(const Call& call, LaneMask mask) {
  Lanes scratch;
  std::uint32_t functions[kLanes];
  std::fill_n(functions, kLanes, call.function);
  if (call.indirect) {
    const std::uint64_t* pointer = fetch(call.pointer, scratch);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!(mask >> lane & 1)) continue;
      std::uint64_t index = (pointer[lane] - kCodeWindow) / 16;
      if (pointer[lane] % 16 != 0 || index >= machine.code.functions.size())
        fault("a call of what is no function", static_cast<int>(lane));
      functions[lane] = static_cast<std::uint32_t>(index);
    }
  }
  // Lanes apart come together again after the call.
  std::uint32_t first = functions[std::countr_zero(mask)];
  LaneMask same = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if ((mask >> lane & 1) && functions[lane] == first) same |= laneBit(lane);
  if (same == active.mask) return enter(call, machine.code.functions[first], same);
  ++machine.result.divergences;
  auto join = std::make_shared<Join>();
  join->at = active.pc;
  join->frame = active.frame.get();
  join->keep = active.frame;
  join->expected = active.mask;
  join->outer = active.join;
  active.join = join;
  Path whole = active;
  if (LaneMask others = active.mask & ~mask) {
    Path path = whole;
    path.mask = others;
    ready.push_back(std::move(path));
  }
  for (LaneMask left = mask; left;) {
    std::uint32_t function = functions[std::countr_zero(left)];
    LaneMask group = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if ((left >> lane & 1) && functions[lane] == function) group |= laneBit(lane);
    left &= ~group;
    active = whole;
    active.mask = group;
    enter(call, machine.code.functions[function], group);
    if (left) ready.push_back(std::move(active));
  }
}

void Warp::enter(const Call& call, const FunctionCode& function, LaneMask mask) {
  if (!function.function->body)
    unsupported("a call of " + quote(function.function->name) + ", which has no body");
  if (function.function->entry) unsupported("a call of a kernel");
  if (active.frame->depth >= kDepthLimit) fault("the stack is full: calls are nested more than 4,096 deep");
  auto callee = std::make_shared<Frame>(machine, function);
  std::uint32_t top = active.frame->stack + active.frame->function.stackBytes;
  callee->stack = (top + 15) / 16 * 16;
  callee->depth = active.frame->depth + 1;
  callee->caller = active.frame;
  callee->returnTo = active.pc;
  callee->call = &call;
  ensureLocal(callee->stack + function.stackBytes);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    auto at = static_cast<std::ptrdiff_t>(std::size_t{localCapacity} * lane + callee->stack);
    machine.poison(std::span(local).subspan(static_cast<std::size_t>(at), function.stackBytes));
    std::fill_n(localWritten.begin() + at, function.stackBytes, std::uint8_t{0});
  }
  machine.work(std::uint64_t{function.stackBytes} * 2 * kLanes);
  passArguments(call, *callee, mask);
  active.frame = std::move(callee);
  active.pc = function.begin;
}

void Warp::passArguments(const Call& call, Frame& callee, LaneMask mask) {
  const std::vector<Passed>& formal = callee.function.parameters;
  if (formal.size() != call.arguments.size() || callee.function.results.size() < call.results.size())
    fault("a call with " + std::to_string(call.arguments.size()) + " arguments and " +
          std::to_string(call.results.size()) + " results of " + quote(callee.function.function->name) +
          ", which has " + std::to_string(formal.size()) + " and " +
          std::to_string(callee.function.results.size()));
  for (std::size_t i = 0; i < formal.size(); ++i)
    requireSameSize(formal[i], call.arguments[i], i, callee);
  for (std::size_t i = 0; i < formal.size(); ++i)
    copyPassed(formal[i], callee, call.arguments[i], *active.frame, mask);
}

void Warp::passResults(const Frame& callee, LaneMask mask) {
  for (std::size_t i = 0; i < callee.call->results.size(); ++i)
    copyPassed(callee.call->results[i], *callee.caller, callee.function.results[i], callee, mask);
}

/// An argument or a result, with what is known of who wrote it.
void Warp::copyPassed(const Passed& to, Frame& toFrame, const Passed& from, const Frame& fromFrame,
                      LaneMask mask) {
  std::uint32_t size = std::min(to.size, from.size);
  Lanes scratch;
  const std::uint64_t* values = nullptr;
  if (from.isRegister)
    values = from.source.kind == Source::Kind::Register ? fromFrame.registers[from.source.index].v
                                                        : fetch(from.source, scratch);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    std::size_t row = std::size_t{localCapacity} * lane;
    std::byte bytes[8];
    std::uint8_t known[8];
    const std::byte* source = bytes;
    const std::uint8_t* sourceKnown = known;
    if (from.isRegister) {
      std::memcpy(bytes, &values[lane], sizeof bytes);
      bool isKnown =
          from.source.kind != Source::Kind::Register || (fromFrame.written[from.source.index] >> lane & 1);
      std::fill_n(known, sizeof known, static_cast<std::uint8_t>(isKnown));
    } else {
      source = local.data() + row + fromFrame.stack + from.offset;
      sourceKnown = localWritten.data() + row + fromFrame.stack + from.offset;
    }
    if (!to.isRegister) {
      if (size == 0) continue;
      std::memmove(&local[row + toFrame.stack + to.offset], source, size);
      std::memmove(&localWritten[row + toFrame.stack + to.offset], sourceKnown, size);
      continue;
    }
    std::uint64_t value = 0;
    std::memcpy(&value, source, std::min<std::uint32_t>(size, 8));
    toFrame.registers[to.destination.slot].v[lane] = value;
    bool isKnown = std::all_of(sourceKnown, sourceKnown + std::min<std::uint32_t>(size, 8),
                               [](std::uint8_t one) { return one != 0; });
    LaneMask& written = toFrame.written[to.destination.slot];
    written = isKnown ? written | laneBit(lane) : written & ~laneBit(lane);
  }
}

void Warp::doReturn() {
  std::shared_ptr<Frame> callee = active.frame;
  if (!callee->caller) return exit(active.mask);
  while (active.join && active.join->frame == callee.get()) {
    std::shared_ptr<Join> join = active.join;
    active.join = join->outer;
    join->outer = nullptr;
    leaveJoins(join, active.mask);
  }
  passResults(*callee, active.mask);
  // The carry flag is not preserved across calls.
  const Frame& caller = *callee->caller;
  callee->caller->written[caller.function.registers + FunctionSymbols::kCarry] &= ~active.mask;
  active.frame = callee->caller;
  active.pc = callee->returnTo;
}

} // namespace harness::ptx

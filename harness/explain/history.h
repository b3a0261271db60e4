#pragma once

#include "harness/explain/bytes.h"
#include "harness/simt/trace.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace harness::explain {

/// A step of a thread.
struct StepRef {
  ThreadId thread;
  std::uint32_t step = 0; ///< in the trace's steps
  auto operator<=>(const StepRef&) const = default;
};

/// A value that a step read or wrote.
struct ValueRef {
  StepRef at;
  bool written = false;
  std::uint32_t index = 0; ///< among the step's reads or writes
  auto operator<=>(const ValueRef&) const = default;
};

/// Who made a value.
struct Origin {
  enum class Kind : std::uint8_t {
    Constant,  ///< an immediate, a constant, a parameter, a special register
    Unwritten, ///< nobody: a register as the launch found it
    Initial,   ///< memory as the launch found it
    Step,      ///< the step at `value.at`, which wrote `value`
    Lost,      ///< older than what is kept of the trace
  };
  Kind kind = Kind::Constant;
  ValueRef value;
  Bytes bytes = kAllBytes; ///< of `value`, those that are meant
};

/// One side's execution, as it is needed to walk back in it. Threads are traced when they are asked for.
class History {
public:
  /// Steps after `until` of any thread are not looked at.
  History(TraceSource& source, std::uint64_t until) : source_(source), until_(until) {}

  const Trace& trace(ThreadId thread) { return entry(thread).trace; }
  const TraceStep& step(StepRef ref) { return trace(ref.thread).steps()[ref.step]; }
  const TraceInstruction& instruction(StepRef ref) { return trace(ref.thread).instruction(step(ref)); }
  const TraceValue& value(const ValueRef& ref);
  std::span<const TraceValue> reads(StepRef ref) { return trace(ref.thread).reads(step(ref)); }
  std::span<const TraceValue> writes(StepRef ref) { return trace(ref.thread).writes(step(ref)); }
  const TraceAccess* access(StepRef ref) { return trace(ref.thread).access(step(ref)); }
  /// A predicate decides whether it is executed.
  bool isGuarded(StepRef ref);

  /// The thread's step of that order.
  std::optional<StepRef> stepAt(ThreadId thread, std::uint64_t order);
  /// Who made a value that a step reads.
  Origin originOf(const ValueRef& read);
  /// Steps between the origin of a value and its use that would have written it, had their guard held.
  std::vector<StepRef> passedWrites(const ValueRef& read);
  /// The values stored to the bytes that a load took the bytes `wanted` of `written` from, the first byte's
  /// first.
  std::vector<Origin> memoryOrigins(const ValueRef& written, Bytes wanted = kAllBytes);
  /// The value that a store step put into a byte.
  std::optional<ValueRef> storedValue(StepRef store, std::uint64_t address);
  /// Which byte of a value that a store step reads goes to an address.
  Bytes storedByte(const ValueRef& stored, std::uint64_t address);

  TraceSource& source() { return source_; }

private:
  struct Entry {
    explicit Entry(const Trace& itsTrace) : trace(itsTrace) {}
    const Trace& trace;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> writers; ///< steps by location, in order
    std::vector<std::uint32_t> stores;                                     ///< steps
  };
  Entry& entry(ThreadId thread);
  Origin byteOrigin(StepRef load, TraceSpace space, std::uint64_t address);
  /// The last step before `before` that stored to the byte.
  std::optional<StepRef> ownStore(ThreadId thread, std::uint32_t before, TraceSpace space,
                                  std::uint64_t address);

  TraceSource& source_;
  std::uint64_t until_;
  std::map<ThreadId, std::unique_ptr<Entry>> entries_;
};

} // namespace harness::explain

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace harness {

// What one thread of a launch did, step by step: the same form for every executor, so that two of them can be
// set side by side.

/// A thread of a launch.
struct ThreadId {
  std::uint64_t block = 0;  ///< place in the grid, x fastest
  std::uint32_t thread = 0; ///< place in the block, x fastest
  auto operator<=>(const ThreadId&) const = default;
};

enum class TraceSpace : std::uint8_t { Global, Shared, Local, Param, Constant };
std::string_view toString(TraceSpace space);

/// An instruction of the program, as people read it.
struct TraceInstruction {
  std::string text;       ///< "STG.E.U8 desc[UR4][R2.64], R5"
  std::string place;      ///< "0x40", "line 31"
  std::uint32_t line = 0; ///< the PTX line that it comes from; 0 = not known
  /// What it computes depends on more than the values listed with a step: on what other threads have at a
  /// barrier, on matrices spread over the warp.
  bool opaque = false;
};

/// What a value is to its instruction.
enum class TraceRole : std::uint8_t {
  Data,
  Guard,   ///< decides whether the instruction is executed
  Address, ///< part of the address of its memory access
};

/// A value that a step read or wrote: of a register, a constant, a special register.
struct TraceValue {
  /// No storage that an instruction could have written: a constant, a parameter, a special register.
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
  /// Of the step's own thread.
  static constexpr std::uint32_t kOwn = ~std::uint32_t{0};
  static constexpr std::uint8_t kNoMemory = 0xff;

  std::uint64_t location = kNowhere; ///< of its storage in the thread: equal numbers are the same storage
  std::uint64_t bits = 0;
  std::uint32_t name = 0;      ///< in Trace::names
  std::uint32_t thread = kOwn; ///< place in the block of the thread whose value it is (shuffles)
  std::uint8_t width = 32;     ///< bits: 1, 8, 16, 32, 64
  TraceRole role = TraceRole::Data;
  /// First byte of the step's memory access that this value was stored to or loaded from.
  std::uint8_t memoryOffset = kNoMemory;
  std::uint8_t memoryBytes = 0; ///< how many of them; a narrower load extends them
};

/// What a step did to memory.
struct TraceAccess {
  enum class Kind : std::uint8_t { Read, Write, Atomic };
  TraceSpace space = TraceSpace::Global;
  Kind kind = Kind::Read;
  std::uint32_t bytes = 0;
  std::uint64_t address = 0; ///< inside the window, for shared, local and parameter memory

  bool covers(std::uint64_t byte) const { return byte - address < bytes; }
};

/// One instruction executed, or passed because of its guard.
struct TraceStep {
  std::uint64_t order = 0;       ///< among all warp instructions of the launch, so that threads compare
  std::uint32_t instruction = 0; ///< in Trace::instructions
  std::uint32_t occurrence = 0;  ///< how often the thread had come to this instruction before
  std::uint32_t firstValue = 0;  ///< reads, then writes
  std::uint16_t reads = 0, writes = 0;
  std::int32_t access = -1; ///< in the trace's accesses; -1 = none
  /// False: the guard did not hold. Only the guard is then listed as read, and as written what the
  /// instruction would have written, with what was there.
  bool executed = true;
};

/// The steps of a thread, oldest first. Of a long run only the newest are kept.
class Trace {
public:
  static constexpr std::size_t kMostSteps = std::size_t{1} << 20;
  static constexpr std::size_t kMostValues = 8 * kMostSteps; ///< 400 MB

  std::vector<TraceInstruction> instructions;
  std::vector<std::string> names; ///< of values

  const std::vector<TraceStep>& steps() const { return steps_; }
  std::span<const TraceValue> reads(const TraceStep& step) const;
  std::span<const TraceValue> writes(const TraceStep& step) const;
  /// Null if the step did nothing to memory.
  const TraceAccess* access(const TraceStep& step) const;
  const TraceInstruction& instruction(const TraceStep& step) const { return instructions[step.instruction]; }
  const std::string& name(const TraceValue& value) const { return names[value.name]; }
  /// Steps of the thread that are not kept any more.
  std::uint64_t forgotten() const { return forgotten_; }

  /// The number of a name, which is new or not.
  std::uint32_t nameNumber(std::string_view name);
  /// A new step. What is then added belongs to it; reads come before writes.
  void begin(std::uint64_t order, std::uint32_t instruction, bool executed);
  void addRead(const TraceValue& value);
  void addWrite(const TraceValue& value);
  void setAccess(const TraceAccess& access);
  TraceStep& last() { return steps_.back(); }
  /// The reads of the last step, to be completed.
  std::span<TraceValue> lastReads();

private:
  void forgetOldest();

  std::vector<TraceStep> steps_;
  std::vector<TraceValue> values_;
  std::vector<TraceAccess> accesses_;
  std::vector<std::uint32_t> occurrences_; ///< by instruction
  std::unordered_map<std::string, std::uint32_t> nameNumbers_;
  std::uint64_t forgotten_ = 0;
};

/// Who stored into a byte.
struct TraceStore {
  ThreadId thread;
  std::uint64_t order = 0;
  bool atomic = false;
};

/// Where a launch ended before its time.
struct TraceStop {
  ThreadId thread;
  std::uint64_t order = 0; ///< of the thread's last step
};

/// A launch that can be run again and again, to look at other things each time.
class TraceSource {
public:
  static constexpr std::uint64_t kEnd = std::numeric_limits<std::uint64_t>::max();

  virtual ~TraceSource() = default;
  /// The thread's steps with an order of up to `until`. The reference holds as long as the source.
  virtual const Trace& trace(ThreadId thread, std::uint64_t until = kEnd) = 0;
  /// The last store into a byte of global memory, or of a block's shared memory, with an order below
  /// `before`.
  virtual std::optional<TraceStore> lastStore(TraceSpace space, std::uint64_t block, std::uint64_t address,
                                              std::uint64_t before = kEnd) = 0;
};

} // namespace harness

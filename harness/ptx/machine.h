#pragma once

#include "harness/ptx/code.h"
#include "harness/ptx/copies.h"
#include "harness/ptx/observer.h"
#include "harness/simt/launch.h"
#include "harness/simt/memory.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace harness::ptx {

/// Thrown by operations; ends the launch. The machine adds line, lane and block to the message.
struct ExecutionStop {
  ExecutionEnd end;
  std::string message;
  int lane = -1;
};

[[noreturn]] inline void fault(std::string message, int lane = -1) {
  throw ExecutionStop{ExecutionEnd::Fault, std::move(message), lane};
}
[[noreturn]] inline void unsupported(std::string message) {
  throw ExecutionStop{ExecutionEnd::Unsupported, std::move(message)};
}

class Machine;
struct Block;
struct Warp;

/// A function being executed by lanes of a warp: its registers and where it returns to.
struct Frame {
  Frame(Machine& machine, const FunctionCode& function);
  ~Frame();
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  Machine& machine;
  const FunctionCode& function;
  std::vector<Lanes> registers;
  std::vector<LaneMask> predicates;
  /// Which lanes have written a place, with a value that is not made of one that nobody wrote: registers,
  /// then predicates.
  std::vector<LaneMask> written;
  std::uint32_t stack = 0; ///< where its local memory begins
  unsigned depth = 0;      ///< callers above it
  std::shared_ptr<Frame> caller;
  std::uint32_t returnTo = 0; ///< index into Code::ops
  const Call* call = nullptr; ///< the call site
};

/// Where the sides of a branch wait for each other. It only saves work: lanes may go on alone whenever others
/// need them to.
struct Join {
  std::uint32_t at = 0; ///< index into Code::ops
  const Frame* frame = nullptr;
  LaneMask expected = 0, arrived = 0;
  std::shared_ptr<Frame> keep; ///< `frame`
  std::shared_ptr<Join> outer;
};

/// What the threads that came to a barrier have voted (bar.red).
struct Vote {
  std::uint32_t voters = 0, votes = 0;
  bool unknown = false; ///< a predicate among them was a value that nobody wrote
};

/// A set of lanes that run together.
struct Path {
  LaneMask mask = 0;
  std::uint32_t pc = 0;
  std::shared_ptr<Frame> frame;
  std::shared_ptr<Join> join;
  bool together = false;    ///< its lanes have come together for the instruction at pc
  std::uint16_t yields = 0; ///< how often it has let others go first
  Vote vote;                ///< with `together` at a barrier: what it gave
};

/// A block's barriers 0 to 15, and that of its cluster (which has one block).
inline constexpr unsigned kClusterBarrier = 16, kBarriers = 17;

/// 32 lanes and the paths they have diverged into.
struct Warp {
  Warp(Machine& machine, Block& block, unsigned index, LaneMask lanes);
  void restart(); ///< as at the start of a block

  Machine& machine;
  Block& block;
  const unsigned index;
  const LaneMask lanes;             ///< of the block's threads
  LaneMask live = 0;                ///< that have not exited
  Path active;                      ///< the running path; pc is that of the next instruction
  std::vector<Path> ready;          ///< the last one runs next, unless the schedule has another order
  std::vector<Path> waiting;        ///< at an instruction that all lanes of a member mask execute together
  LaneMask memberMask[kLanes] = {}; ///< whom each of them waits for
  std::vector<Path> atBarrier[kBarriers]; ///< at the instruction that waits
  LaneMask arrivedAt[kBarriers] = {};     ///< by bar.arrive and the like, since the barrier opened last
  std::vector<Path> atJoin;

  std::vector<std::byte> local;           ///< kLanes × localCapacity
  std::vector<std::uint8_t> localWritten; ///< a byte each: 1 = written
  std::uint32_t localCapacity = 0;
  AsyncCopies copies;             ///< under way (cp.async)
  std::uint64_t approximated = 0; ///< approximate results of this block so far

  /// The lanes for which the instruction being executed has a result made of a value that nobody wrote. Set
  /// from its sources before it runs; an operation that knows better changes it.
  LaneMask undefined = 0;
  /// Of one of several results: its lanes are undefined too. After the operation has written it.
  void markUndefined(Slot place, LaneMask lanes) {
    if (lanes) alsoUndefined[alsoUndefinedCount++] = {place, lanes};
  }
  struct PlaceLanes {
    Slot place;
    LaneMask lanes;
  };
  std::array<PlaceLanes, kOperands> alsoUndefined;
  unsigned alsoUndefinedCount = 0;
  /// Set by an operation that waits for what others do: they get their turn after it.
  bool wantsYield = false;

  // Operands.
  const std::uint64_t* fetch(const Source& source, Lanes& scratch) const {
    if (source.kind == Source::Kind::Register) return active.frame->registers[source.index].v;
    return fetchElsewhere(source, scratch);
  }
  LaneMask fetch(const PredicateSource& source) const {
    LaneMask value = source.always ? kAllLanes : active.frame->predicates[source.slot];
    return source.negated ? ~value : value;
  }
  /// Where an operation of all lanes may write its result; else write() it.
  std::uint64_t* registerAt(Destination destination) { return active.frame->registers[destination.slot].v; }
  /// Values are zero-extended.
  void write(Destination destination, const std::uint64_t* value, LaneMask mask);
  void writePredicate(Slot slot, LaneMask value, LaneMask mask);
  /// Lanes that have written a source's register (all, of other sources).
  LaneMask written(const Source& source) const;
  LaneMask written(const PredicateSource& source) const;

  // Memory, a lane at a time. The space of a generic address is found by its window. Misaligned accesses and
  // those outside are faults. The pointer is good for `bytes`.
  enum class Access : std::uint8_t { Read, Write, Atomic };
  struct Place {
    std::byte* host = nullptr;
    std::uint8_t* written = nullptr; ///< of its bytes; null: nothing is tracked there (global memory)
    AddressSpace space = AddressSpace::Global; ///< the one really meant
    std::uint64_t address = 0;                 ///< inside that space
  };
  Place resolve(AddressSpace space, std::uint64_t address, std::uint32_t bytes, Access access, unsigned lane);
  /// The addresses of all lanes.
  void addresses(const Address& address, std::uint64_t (&value)[kLanes]) const;

  // Control. All take lanes that are active.
  void branch(LaneMask taken, std::uint32_t target, std::uint32_t join);
  /// Every lane of `mask` goes to its own target.
  void branchIndirect(LaneMask mask, const std::uint32_t (&targets)[kLanes], std::uint32_t join);
  void call(const Call& call, LaneMask mask);
  /// All active lanes return from their function; from the kernel, they exit.
  void doReturn();
  void exit(LaneMask mask);
  /// They have come to a barrier and go on.
  void arriveAtBarrier(unsigned barrier, LaneMask mask);
  /// The running path lets all others go first (nanosleep, a long loop).
  void yield();

  /// Runs until no path can go on.
  void run();
  /// Lets one path more go on alone; false if none waits at a join.
  bool dissolveJoins();
  void releaseBarrier(unsigned barrier, const Vote& vote);
  /// Lanes that wait at a barrier.
  LaneMask waitingAt(unsigned barrier) const;
  bool finished() const { return live == 0; }
  std::string describeWaiting() const;
  /// What the program does that PTX leaves undefined: reported once a line.
  void reportUndefined(const std::string& what, LaneMask mask);
  /// A value made of one that nobody wrote comes where it may change what the program does.
  void reportUnwritten(const std::string& what, LaneMask mask);

private:
  void report(const std::string& what, LaneMask mask, std::vector<std::string>& list);
  const std::uint64_t* fetchElsewhere(const Source& source, Lanes& scratch) const;
  bool execute();
  bool waitForMembers(const Op& op, LaneMask mask);
  bool waitAtBarrier(const Op& op, LaneMask mask);
  void reportPartialBarrier(unsigned barrier);
  bool next();
  void suspend(LaneMask mask, std::vector<Path>& where, std::uint32_t pc);
  void mergeReady();
  bool arriveAtJoin();
  void leaveJoins(const std::shared_ptr<Join>& join, LaneMask mask);
  void releaseWaiting();
  bool meets(std::uint32_t a, std::uint32_t b) const;
  bool joinGroup(Path& into, const Path& other);
  /// Makes room for so many bytes of local memory a lane.
  void ensureLocal(std::uint32_t bytes);
  void enter(const Call& call, const FunctionCode& function, LaneMask mask);
  void passArguments(const Call& call, Frame& callee, LaneMask mask);
  void passResults(const Frame& callee, LaneMask mask);
  void copyPassed(const Passed& to, Frame& toFrame, const Passed& from, const Frame& fromFrame,
                  LaneMask mask);
  void watchReads(const Op& op, LaneMask mask);
  std::uint64_t random();

  std::uint64_t random_ = 0;
};

/// A block being executed; one after the other uses the same.
struct Block {
  explicit Block(Machine& machine);

  Machine& machine;
  std::array<std::uint32_t, 3> index{};
  std::vector<std::byte> shared;           ///< static, then dynamic
  std::vector<std::uint8_t> sharedWritten; ///< a byte each
  std::vector<std::unique_ptr<Warp>> warps;

  std::uint64_t linearIndex() const;
  void run(std::array<std::uint32_t, 3> index);

  /// A barrier between its first arrival and its opening.
  struct Barrier {
    unsigned threads = 0; ///< that it waits for; 0 = all of the block
    Vote vote;
  };
  std::array<Barrier, kBarriers> barriers;

  /// The number that a thread gives of a barrier, checked.
  unsigned barrierNumber(std::uint64_t number, unsigned lane) const;
  /// A thread comes to a barrier with a count of the threads that it takes.
  void expect(Warp& warp, unsigned barrier, std::uint32_t threads, unsigned lane);
  /// Opens a barrier that has all it waits for; false if nobody waited.
  bool openIfComplete(unsigned barrier);
  /// All barriers: threads that exit may have been all that they waited for.
  bool releaseBarriers();

private:
  bool isComplete(unsigned barrier) const;
  std::string describeWaiting() const;
};

/// A launch being executed.
class Machine {
public:
  Machine(const Code& code, const FunctionCode& kernel, const Launch& launch, GlobalMemory& memory,
          const ExecutionOptions& options, Observer* observer);

  ExecutionResult run();

  const Code& code;
  const FunctionCode& kernel;
  const Launch& launch;
  GlobalMemory& memory;
  const ExecutionOptions& options;
  Observer* const observer; ///< null: nobody watches
  std::vector<Lanes> constants;
  std::vector<std::byte> parameters; ///< the kernel's parameter block
  std::uint32_t sharedSize = 0;      ///< bytes a block
  std::uint32_t dynamicShared = 0;   ///< where extern shared variables begin

  /// Counts a warp instruction; stops the launch at its limit, throws Error(Interrupted) after Ctrl-C.
  void count(LaneMask lanes) {
    ++result.warpInstructions;
    result.threadInstructions += static_cast<unsigned>(std::popcount(lanes));
    if (result.warpInstructions >= nextPause_) pause();
  }
  /// Work that takes a program's time without being an instruction, so many bytes filled or copied: counts
  /// towards the limit.
  void work(std::uint64_t bytes) {
    std::uint64_t units = bytes / kBytesOfInstruction;
    otherWork_ += units;
    nextPause_ -= std::min(nextPause_, units);
  }
  /// Counts what a block's threads take of the host's memory, registers and local; stops the launch if it is
  /// more than 1 GiB.
  void take(std::uint64_t bytes);
  void giveBack(std::uint64_t bytes) { taken_ -= bytes; }
  /// The allocation that holds [address, address+size) of global memory; stops the launch if there is none.
  const Allocation& allocation(std::uint64_t address, std::uint32_t size, int lane);
  /// Fills what nobody has written yet.
  void poison(std::span<std::byte> bytes);
  /// Of a variable of the module.
  std::uint64_t variableAddress(std::uint32_t variable) const { return variableAddresses_[variable]; }

  ExecutionResult result;
  /// What is executed, for messages.
  const Warp* warp = nullptr;
  std::uint32_t at = 0;
  std::set<std::pair<std::uint32_t, std::string>> reported; ///< what reportUndefined has said, and where

private:
  void pause();
  void placeVariables();
  void checkLaunch() const;
  std::string where(int lane) const;

  std::vector<std::uint64_t> variableAddresses_;
  const Allocation* recent_ = nullptr;
  static constexpr std::uint64_t kBytesOfInstruction = 4096; ///< a warp instruction takes as long
  std::uint64_t nextPause_ = 0;
  std::uint64_t otherWork_ = 0;   ///< in warp instructions
  std::uint64_t taken_ = 0;       ///< bytes
  std::uint64_t poisonState_ = 0; ///< of the random poison
};

} // namespace harness::ptx

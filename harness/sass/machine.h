#pragma once

#include "harness/cubin/cubin.h"
#include "harness/sass/code.h"
#include "harness/sass/observer.h"
#include "harness/sass/op.h"
#include "harness/sass/patience.h"
#include "harness/simt/launch.h"
#include "harness/simt/memory.h"

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness::sass {

/// Thrown by operations; ends the launch. The machine adds instruction, lane and block to the message.
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
/// PTX leaves undefined what becomes of a matrix that the whole warp holds if lanes are missing.
inline void requireWholeWarp(LaneMask mask, const char* what) {
  if (mask != kAllLanes) unsupported(std::string(what) + " that not all 32 lanes of the warp execute");
}

inline constexpr unsigned kConstantBanks = 32;
inline constexpr unsigned kBlockBarriers = 17;  ///< BAR's sixteen and the cluster's
inline constexpr unsigned kClusterBarrier = 16; ///< of a cluster of one block

/// A constant bank. In bank 0 only the bytes whose meaning is known may be read.
struct ConstantBank {
  std::vector<std::byte> bytes;
  std::vector<std::uint8_t> known; ///< a byte each, 1 or 0; empty = all

  void set(std::uint32_t offset, const void* data, std::size_t size);
  /// `size` bytes, zero-extended; nothing if they are outside the bank or not known.
  std::optional<std::uint64_t> find(std::int64_t offset, unsigned size) const;
  /// The same; stops the launch if there is nothing.
  std::uint64_t read(unsigned bank, std::int64_t offset, unsigned size) const;
};

/// Where generic pointers see the block's shared and the thread's local memory; the upper word tells them
/// apart.
inline constexpr std::uint64_t kSharedWindow = 0x7fc000000000;
inline constexpr std::uint64_t kLocalWindow = 0x7fd000000000;

/// Bytes of local memory that a thread of `kernel` gets. Where the compiler does not know how much it needs
/// (a recursion, a call by a pointer) it is 64 KiB; CUDA's own default is 1 KiB.
std::uint64_t localBytes(const Kernel& kernel);

/// A stretch of addresses that can be accessed, and where it lies on the host.
struct Window {
  std::uint64_t begin = 0, size = 0; ///< addresses
  std::byte* host = nullptr;
  std::uint64_t laneStride = 0; ///< host bytes from one lane's copy to the next (local memory)

  bool holds(std::uint64_t address, std::uint32_t bytes) const {
    return address % bytes == 0 && address - begin < size && size - (address - begin) >= bytes;
  }
  std::byte* at(std::uint64_t address, unsigned lane) const {
    return host + (address - begin) + laneStride * lane;
  }
};

class Machine;
struct Block;

/// A set of lanes that run together.
struct Path {
  LaneMask mask = 0;
  std::uint64_t pc = 0; ///< address in the code space
  bool spins = false;   ///< waits for what others must do: runs after all that do not
};

/// What lanes that meet at WARPSYNC do then.
enum class WarpSync : std::uint8_t {
  Plain,      ///< each goes on where it is
  Exclusive,  ///< they run an instruction together, nobody else with them
  Collective, ///< they run together up to ENDCOLLECTIVE, then each goes to the target of its own WARPSYNC
};

/// What BAR.RED computes of its threads' predicates.
enum class BarrierReduction : std::uint8_t { None, Popc, And, Or };

/// Lanes coming to a barrier of the block.
struct BarrierArrival {
  unsigned barrier = 0;
  unsigned threads = 0; ///< that the barrier waits for, a multiple of 32; 0 = all of the block
  bool waits = true;    ///< BAR.ARV does not
  BarrierReduction reduction = BarrierReduction::None;
  LaneMask votes = 0; ///< the lanes' predicates, of a reduction
};

/// 32 lanes, their registers, and the paths they have diverged into. Which of them runs is the schedule's
/// choice; but for LowestPcFirst they merge only at BSYNC, WARPSYNC and BAR.
struct Warp {
  Warp(Machine& machine, Block& block, unsigned index, LaneMask lanes);
  /// As at the start of a block: registers are poison, all lanes at the kernel's entry.
  void restart();

  Machine& machine;
  Block& block;
  unsigned index;
  std::vector<Lanes> registers;
  LaneMask predicates[8] = {};
  std::uint32_t uniform[256] = {}; ///< [255] = URZ
  std::vector<Lanes> uniformLanes; ///< the first of `uniform`, once for every lane
  bool uniformPredicates[8] = {};
  Lanes returnPc[2] = {}; ///< Rpc.LO and Rpc.HI
  const LaneMask lanes;   ///< of the block's threads
  Lanes threadIndex[3];   ///< in the block
  LaneMask live = 0;

  // The running path.
  LaneMask active = 0;
  std::uint64_t pc = 0; ///< of the next instruction
  /// Of the instruction being executed, in the program.
  std::uint32_t line() const;
  std::vector<Path> deferred; ///< the last one runs next, unless the schedule has another order

  // Waiting lanes.
  LaneMask atConvergence = 0, atWarpSync = 0, atBarrier[kBlockBarriers] = {};
  std::uint8_t waitBarrier[kLanes] = {};       ///< Convergence: B register
  LaneMask waitMask[kLanes] = {};              ///< WarpSync: who must come
  std::uint64_t waitPc[kLanes] = {};           ///< where it goes on
  WarpSync waitSync[kLanes] = {};              ///< WarpSync: of which kind
  std::uint64_t collectiveTarget[kLanes] = {}; ///< where ENDCOLLECTIVE leads; 0 = nowhere else
  LaneMask convergence[16][kLanes] = {};       ///< what BSSY gave each lane
  struct SavedConvergence {
    unsigned barrier;
    LaneMask members;
  };
  std::vector<SavedConvergence> saved[kLanes]; ///< the last one is restored first

  /// What a lane's last BAR.RED has given it.
  struct BarrierResult {
    BarrierReduction reduction = BarrierReduction::None;
    std::uint32_t voters = 0, votes = 0;
  };
  BarrierResult barrierResult[kLanes];
  LaneMask haveResult = 0; ///< the last barrier they came to was of a BAR.RED

  std::uint64_t approximated = 0; ///< approximate instructions executed in this block

  std::vector<std::byte> local; ///< kLanes × Machine::localSize, made at first use

  // Operands.
  const std::uint32_t* fetch(const Source& source, Lanes& scratch) const;
  void fetch64(const Source& source, std::uint64_t (&value)[kLanes]) const;
  /// The register that an operation of all lanes may write its result to lane by lane; null if it must go
  /// through write().
  std::uint32_t* whole(Destination destination, LaneMask mask);
  LaneMask fetch(const PredicateSource& source) const;
  void write(Destination destination, const std::uint32_t* value, LaneMask mask);
  void write64(Destination destination, const std::uint64_t* value, LaneMask mask);
  void write(PredicateDestination destination, LaneMask value, LaneMask mask);
  /// Device addresses of all lanes.
  void addresses(const Address& address, std::uint64_t (&value)[kLanes]) const;

  // Control. All take lanes that are active.
  /// The running path goes on when all others have run as far as they can (NANOSLEEP).
  void sleep();
  /// `taken` go to `target`, the other active lanes fall through.
  void branch(LaneMask taken, std::uint64_t target);
  /// Every lane of `mask` goes to its own target.
  void branchIndirect(LaneMask mask, const std::uint64_t (&targets)[kLanes]);
  void openConvergence(unsigned barrier, LaneMask mask);
  void breakConvergence(unsigned barrier, LaneMask mask);
  /// Gives every lane of `mask` its member mask (BMOV B, …); what it saved of the barrier is back in place.
  void setConvergence(unsigned barrier, const std::uint32_t* members, LaneMask mask);
  /// Empties the barrier for the lanes of `mask` (BMOV.32.CLEAR R, B). With `save` they will come back: a
  /// function that uses a barrier of its caller saves it, and the caller's other lanes still wait for them.
  void clearConvergence(unsigned barrier, LaneMask mask, bool save);
  void waitConvergence(unsigned barrier, LaneMask mask);
  /// `members` are each lane's mask; `target` is of a collective.
  void waitWarpSync(LaneMask lanes, const std::uint32_t* members, WarpSync kind, std::uint64_t target);
  /// ENDCOLLECTIVE.
  void endCollective(LaneMask mask);
  void comeToBarrier(const BarrierArrival& arrival, LaneMask mask);
  void exit(LaneMask mask);

  /// Runs until no path can go on, or all that can are found to spin.
  void run();
  /// Some path can go on.
  bool ready() const { return !deferred.empty(); }
  bool finished() const { return live == 0; }
  /// Lets lanes that waited at a barrier of the block go on.
  void releaseBlockBarrier(unsigned barrier);
  /// "lanes 0x0000ffff wait at BSYNC …", for a deadlock.
  std::string describeWaiting() const;

private:
  const std::uint32_t* fetchElsewhere(const Source& source, Lanes& scratch) const;
  void writeUniform(unsigned index, std::uint32_t value);
  /// A source that is the same for all lanes, before its transform.
  std::uint64_t fetchCommon(const Source& source, unsigned bytes) const;

  /// Runs the active path until it ends or spins.
  void execute();
  /// Executes from `first` on until the path changes, `straight_` instructions at most; returns their number.
  std::uint64_t runStraight(const Op* first);
  /// Lanes for which an instruction is executed.
  LaneMask enabled(const Op& op) const {
    if (!op.uniform && !op.guard.uniform)
      return (op.guard.negated ? ~predicates[op.guard.index] : predicates[op.guard.index]) & active;
    return fetch(op.guard) & (op.uniform ? kAllLanes : active);
  }

  // Which path runs.
  void defer(LaneMask mask, std::uint64_t at);
  /// The schedule's choice of the deferred paths becomes the active one.
  void next();
  /// Takes those deferred at the active path's place into it.
  void merge();
  /// Schedule::Random: another path goes on, or not.
  void mayChange();
  /// A deferred path is not ahead of the active one.
  bool isOvertaken() const;
  std::uint64_t random();

  // Waiting lanes.
  /// Takes `mask` among those that wait in the same way.
  void suspend(LaneMask mask, LaneMask& waiting);
  void resume(LaneMask mask);
  bool belongs(unsigned lane, unsigned barrier, LaneMask group) const;
  void releaseConvergence();
  void releaseWarpSync();
  void checkTogether(LaneMask group);

  const Lanes* tables_[3]; ///< by SourcePlace::Table, up to Uniforms
  Patience patience_;
  bool tried_ = false; ///< all ready paths have been found to spin since a path last ended
  std::uint64_t straight_ = 0;
  std::uint64_t random_ = 0; ///< state of the generator
};

/// A block being executed; one after the other uses the same.
struct Block {
  explicit Block(Machine& machine);

  Machine& machine;
  std::array<std::uint32_t, 3> index{};
  std::vector<std::byte> shared; ///< static, then dynamic
  std::vector<Warp> warps;
  std::array<Window, 16> recent; ///< of global memory, where an instruction found it last; by its line
  // Since the block's start.
  std::uint64_t warpInstructions = 0, threadInstructions = 0;
  std::uint64_t divergences = 0, approximations = 0; ///< as in ExecutionResult

  /// Its place in the grid, x fastest.
  std::uint64_t linearIndex() const;
  /// Runs the block of that index from its start.
  void run(std::array<std::uint32_t, 3> index);
  /// Counts lanes of `warp` that come to a barrier (those that wait do so already). Lets everyone go on if it
  /// was the last that the barrier waits for; one that waits for all threads opens when nobody can run.
  void arrive(const Warp& warp, const BarrierArrival& arrival, LaneMask lanes);
  /// What the clocks show: instructions that warps of the block have executed so far, so that it is the same
  /// in every run.
  std::uint64_t clock() const;

  /// The straight run that a warp is in, for counts and messages.
  struct Position {
    const Warp* warp = nullptr;
    const Op* first = nullptr; ///< null: counted already
    const Op* op = nullptr;    ///< the instruction being executed
    LaneMask lanes = 0;
  };
  Position position;
  /// A warp begins a straight run. Returns how many instructions it may have. Now and then: stops the launch
  /// at its limit, throws Error(Interrupted) after Ctrl-C.
  std::uint64_t begin(const Warp& warp, const Op* first);
  /// Counts the straight run up to position.op.
  void count();

private:
  void pause();
  /// A barrier between its first arrival and its opening.
  struct Barrier {
    bool open = false;    ///< somebody has come
    unsigned threads = 0; ///< that it waits for; 0 = all
    unsigned arrived = 0; ///< threads, by BAR.ARV
    std::uint32_t voters = 0, votes = 0;
  };
  std::array<Barrier, kBlockBarriers> barriers_;

  void open(unsigned barrier);
  /// For a barrier with a count of threads; true if it opened.
  bool openIfComplete(unsigned barrier);
  /// Threads that wait at a barrier.
  unsigned waiting(unsigned barrier) const;
  /// Threads that have not exited.
  unsigned alive() const;
  /// Lets everyone go on who waits where all others do too; false if nobody could.
  bool releaseBarriers(unsigned aliveThreads);
  std::string describeWaiting() const;

  std::uint64_t nextPause_ = 0; ///< after so many warp instructions
};

inline std::uint32_t Warp::line() const {
  return block.position.op->line;
}

/// A launch being executed.
class Machine {
public:
  Machine(const Code& code, const Cubin& cubin, const Kernel& kernel, const Launch& launch,
          GlobalMemory& memory, const ExecutionOptions& options, Observer* observer);

  ExecutionResult run();

  const Code& code() const { return code_; }
  const Op* at(std::uint64_t pc) const {
    if (pc % 16 == 0 && pc / 16 < code_.size()) return &code_.ops[pc / 16];
    lost(pc);
  }
  /// How many there are up to the end of the code.
  std::uint64_t instructionsFrom(const Op* op) const {
    return static_cast<std::uint64_t>(&code_.ops.back() - op);
  }
  /// Whether the instructions from `a` and from `b` are the same up to ENDCOLLECTIVE.
  bool sameCollective(std::uint64_t a, std::uint64_t b) const;
  /// "at 0x40 'BRA 0x0'"
  std::string describe(std::uint32_t line) const;
  /// Why an instruction cannot be executed.
  std::string refusal(const Op& op) const;
  const ConstantBank& bank(unsigned index) const;
  /// A constant of the code, transformed, once for every lane; null if the launch does not know it.
  const std::uint32_t* constant(std::size_t slot) const {
    return constants_[slot] ? constants_[slot]->v : nullptr;
  }
  /// The buffer that holds [address, address+size) of global memory; stops the launch if there is none.
  const Allocation& allocation(std::uint64_t address, unsigned size, int lane);

  const Cubin& cubin;
  const Kernel& kernel;
  const Launch& launch;
  GlobalMemory& memory;
  const ExecutionOptions& options;
  Observer* const observer;      ///< null: nobody watches
  std::uint32_t sharedSize = 0;  ///< bytes a block: reserved, static and dynamic
  std::uint32_t sharedStart = 0; ///< lowest shared address that belongs to the kernel
  std::uint32_t localSize = 0;   ///< bytes a thread

private:
  [[noreturn]] void lost(std::uint64_t pc) const;
  void fillConstants();
  void spreadConstants();
  /// What became of one block.
  struct Outcome {
    ExecutionEnd end = ExecutionEnd::Completed;
    std::string message;
    std::uint64_t warpInstructions = 0, threadInstructions = 0, divergences = 0, approximations = 0;
  };
  Outcome runBlock(Block& block, std::uint64_t linearIndex) const;
  /// Runs blocks from `first` on, side by side where there are several to run in. Those after one that failed
  /// may be left out.
  void runBlocks(std::vector<std::unique_ptr<Block>>& blocks, std::uint64_t first,
                 std::span<Outcome> outcomes) const;
  /// "; at 0x40 'BRA 0x0', block (0,0,0), warp 1".
  std::string describe(const Block::Position& position) const;

  const Code& code_;
  ConstantBank banks_[kConstantBanks]; ///< those that the kernel lacks are empty
  std::vector<std::optional<Lanes>> constants_;
};

} // namespace harness::sass

#include "harness/sass/operands.h"

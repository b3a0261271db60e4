#pragma once

#include "harness/cubin/cubin.h"
#include "harness/sass/op.h"
#include "harness/simt/launch.h"
#include "harness/simt/memory.h"

#include <cstddef>
#include <cstring>
#include <map>
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

inline constexpr unsigned kConstantBanks = 32;
inline constexpr unsigned kBlockBarriers = 16;

/// A constant bank. In bank 0 only the bytes whose meaning is known may be read.
struct ConstantBank {
  std::vector<std::byte> bytes;
  std::vector<std::uint8_t> known; ///< a byte each, 1 or 0; empty = all

  void set(std::uint32_t offset, const void* data, std::size_t size);
  std::uint32_t read32(unsigned bank, std::int64_t offset) const;
  /// `size` bytes, zero-extended. Stops the launch if they are outside the bank or not known.
  std::uint64_t read(unsigned bank, std::int64_t offset, unsigned size) const;
};

/// Where generic pointers see the block's shared and the thread's local memory; the upper word tells them
/// apart.
inline constexpr std::uint64_t kSharedWindow = 0x7fc000000000;
inline constexpr std::uint64_t kLocalWindow = 0x7fd000000000;

class Machine;
struct Block;

/// A set of lanes that run together.
struct Path {
  LaneMask mask = 0;
  std::uint64_t pc = 0; ///< address in the code space
};

/// What a lane that does not run is waiting for.
enum class Wait : std::uint8_t { None, Convergence, WarpSync, Barrier };

/// 32 lanes, their registers, and the paths they have diverged into (schedule `ft` of DESIGN: depth first,
/// fall-through before taken, paths merge only at BSYNC, WARPSYNC and BAR).
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
  bool uniformPredicates[8] = {};
  const LaneMask lanes; ///< of the block's threads
  LaneMask live = 0;

  // The running path.
  LaneMask active = 0;
  std::uint64_t pc = 0;       ///< of the next instruction
  std::vector<Path> deferred; ///< the last one runs next

  // Waiting lanes.
  Wait wait[kLanes] = {};
  std::uint8_t waitBarrier[kLanes] = {}; ///< B register, or named barrier
  LaneMask waitMask[kLanes] = {};        ///< WarpSync: who must come
  std::uint64_t waitPc[kLanes] = {};     ///< where it goes on
  LaneMask convergence[16][kLanes] = {}; ///< what BSSY gave each lane
  struct SavedConvergence {
    unsigned barrier;
    LaneMask members;
  };
  std::vector<SavedConvergence> saved[kLanes]; ///< the last one is restored first

  std::uint64_t approximated = 0; ///< approximate instructions executed in this block

  std::vector<std::byte> local; ///< kLanes × Machine::localSize, made at first use

  // Operands.
  const std::uint32_t* fetch(const Source& source, Lanes& scratch) const;
  void fetch64(const Source& source, std::uint64_t (&value)[kLanes]) const;
  LaneMask fetch(const PredicateSource& source) const;
  void write(Destination destination, const std::uint32_t* value, LaneMask mask);
  void write64(Destination destination, const std::uint64_t* value, LaneMask mask);
  void write(PredicateDestination destination, LaneMask value, LaneMask mask);
  /// Device addresses of all lanes.
  void addresses(const Address& address, std::uint64_t (&value)[kLanes]) const;

  // Control. All take lanes that are active.
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
  void waitWarpSync(LaneMask lanes, const std::uint32_t* members);
  void waitBlockBarrier(unsigned barrier, LaneMask mask);
  void exit(LaneMask mask);

  /// Runs until no path can go on.
  void run();
  bool finished() const { return live == 0; }
  /// Lets lanes that waited at a barrier of the block go on.
  void releaseBlockBarrier(unsigned barrier);
  /// "lanes 0x0000ffff wait at BSYNC …", for a deadlock.
  std::string describeWaiting() const;

private:
  void execute();
  void suspend(LaneMask mask, Wait kind, unsigned barrier);
  void resume(LaneMask mask);
  bool belongs(unsigned lane, unsigned barrier, LaneMask group) const;
  void releaseConvergence();
  void releaseWarpSync();
};

struct Block {
  explicit Block(Machine& machine);

  Machine& machine;
  std::array<std::uint32_t, 3> index{};
  std::vector<std::byte> shared; ///< static, then dynamic
  std::vector<Warp> warps;

  /// Runs the block of that index from its start.
  void run(std::array<std::uint32_t, 3> index);

private:
  /// Threads that wait at each barrier.
  std::array<unsigned, kBlockBarriers> waiting() const;
  /// Threads that have not exited.
  unsigned alive() const;
  /// Lets everyone go on who waits where all others do too; false if nobody could.
  bool releaseBarriers(unsigned aliveThreads);
  std::string describeWaiting() const;
};

/// A launch being executed.
class Machine {
public:
  Machine(const std::vector<Op>& ops, const std::vector<std::string>& texts, unsigned registers,
          const Cubin& cubin, const Kernel& kernel, const Launch& launch, GlobalMemory& memory,
          const ExecutionOptions& options);

  ExecutionResult run();

  const Op* at(std::uint64_t pc) const {
    if (pc % 16 == 0 && pc / 16 < ops_.size()) return &ops_[pc / 16];
    lost(pc);
  }
  /// Why an instruction cannot be executed.
  std::string refusal(const Op& op) const;
  const ConstantBank& bank(unsigned index) const;
  /// The buffer that holds [address, address+size) of global memory; stops the launch if there is none.
  const Allocation& allocation(std::uint64_t address, unsigned size, int lane);
  void countWarpInstruction(LaneMask lanes) {
    ++result.warpInstructions;
    result.threadInstructions += static_cast<unsigned>(__builtin_popcount(lanes));
    if (result.warpInstructions > nextPause_) pause();
  }

  const Cubin& cubin;
  const Kernel& kernel;
  const Launch& launch;
  GlobalMemory& memory;
  const ExecutionOptions& options;
  unsigned registerCount = 0;    ///< registers a thread, with room for a group of four after the last
  std::uint32_t sharedSize = 0;  ///< bytes a block: reserved, static and dynamic
  std::uint32_t sharedStart = 0; ///< lowest shared address that belongs to the kernel
  std::uint32_t localSize = 0;   ///< bytes a thread
  ExecutionResult result;
  // The instruction being executed, for messages.
  const Op* currentOp = nullptr;
  const Warp* currentWarp = nullptr;

private:
  /// Now and then: stops the launch at its limit, throws Error(Interrupted) after Ctrl-C.
  void pause();
  [[noreturn]] void lost(std::uint64_t pc) const;
  void fillConstants();
  void complete(const ExecutionStop& stop);

  std::uint64_t nextPause_ = 0; ///< after so many warp instructions
  const std::vector<Op>& ops_;
  const std::vector<std::string>& texts_;
  ConstantBank banks_[kConstantBanks]; ///< those that the kernel lacks are empty
};

} // namespace harness::sass

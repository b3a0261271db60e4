#pragma once

#include "harness/sass/op.h"

#include <cstdint>
#include <string>
#include <vector>

namespace harness::sass {

struct Block;
struct Warp;

enum class MemorySpace : std::uint8_t { Global, Shared, Local };
enum class AccessKind : std::uint8_t { Read, Write, Atomic };

/// What the lanes of `mask` do to memory in one instruction.
struct MemoryAccess {
  MemorySpace space = MemorySpace::Global;
  AccessKind kind = AccessKind::Read;
  std::uint32_t bytes = 4; ///< a lane
  LaneMask mask = 0;
  const std::uint64_t* addresses = nullptr; ///< a lane's; inside the window, for shared and local memory
  /// What is stored: words[i][lane] is the i-th word; null where nothing is known of it (reads, copies).
  const std::uint32_t* const* words = nullptr;
};

/// Watches a launch and changes nothing. Without one, execution pays for a null pointer test at memory
/// accesses and branches only. Calls come before the effect; Warp::pc is then the next instruction's.
class Observer {
public:
  virtual ~Observer() = default;

  virtual void startBlock(const Block&) {}
  virtual void access(const Warp&, const MemoryAccess&) {}
  /// `taken` of the active lanes take a branch.
  virtual void branch(const Warp&, LaneMask /*taken*/) {}
  /// The lanes of `mask` jump, each to its own target.
  virtual void jump(const Warp&, LaneMask /*mask*/, const std::uint64_t* /*targets*/) {}
  /// The lanes of `mask` come to a barrier of the block.
  virtual void arrive(const Warp&, unsigned /*barrier*/, LaneMask /*mask*/) {}
  /// A barrier of the block lets the warps of a set (bit = index) go on.
  virtual void release(const Block&, unsigned /*barrier*/, LaneMask /*warps*/) {}
};

/// Several observers as one.
class Observers : public Observer {
public:
  void add(Observer& observer) { all_.push_back(&observer); }
  bool empty() const { return all_.empty(); }

  void startBlock(const Block& block) override;
  void access(const Warp& warp, const MemoryAccess& access) override;
  void branch(const Warp& warp, LaneMask taken) override;
  void jump(const Warp& warp, LaneMask mask, const std::uint64_t* targets) override;
  void arrive(const Warp& warp, unsigned barrier, LaneMask mask) override;
  void release(const Block& block, unsigned barrier, LaneMask warps) override;

private:
  std::vector<Observer*> all_;
};

} // namespace harness::sass

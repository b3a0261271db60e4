#pragma once

#include "harness/ptx/op.h"

namespace harness::ptx {

struct Block;

/// Watches a launch and changes nothing.
class Observer {
public:
  virtual ~Observer() = default;

  virtual void startBlock(const Block&) {}
  /// Before and after an instruction (`at` in Code::ops) is executed for the lanes of `mask`.
  virtual void before(const Warp&, std::uint32_t /*at*/, LaneMask /*mask*/) {}
  virtual void after(const Warp&, std::uint32_t /*at*/, LaneMask /*mask*/) {}
  /// A lane accesses memory; `address` is inside the space that is really meant (never Generic).
  struct Access {
    AddressSpace space = AddressSpace::Global;
    bool reads = false, writes = false;
    unsigned lane = 0;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
  };
  virtual void access(const Warp&, const Access&) {}
};

} // namespace harness::ptx

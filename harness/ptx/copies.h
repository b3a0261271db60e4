#pragma once

#include "harness/ptx/op.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace harness::ptx {

/// The copies that the lanes of a warp have begun (cp.async) and that have not arrived. Until a lane waits
/// for it, the bytes where a copy goes are as they were, and count as bytes that nobody wrote.
class AsyncCopies {
public:
  struct Copy {
    unsigned lane = 0;
    std::byte* to = nullptr;
    std::uint8_t* written = nullptr; ///< of `to`
    const std::byte* from = nullptr;
    std::uint32_t bytes = 0;
    std::uint32_t copied = 0; ///< of them, out of `from`; the others become zero
  };
  static constexpr std::size_t kMost = 1 << 16; ///< more than shared memory has room for, 4 bytes each
  /// False if there are kMost already.
  bool begin(const Copy& copy);
  /// What the lane has begun since its last group becomes one.
  void commit(unsigned lane) { ++groups_[lane]; }
  /// All groups of these lanes arrive but each one's last `pending`.
  void finishGroups(LaneMask lanes, std::uint32_t pending);
  /// All that the lane has begun arrives.
  void finishAll(unsigned lane);

private:
  struct Begun {
    Copy copy;
    std::uint64_t group; ///< how many the lane had closed
  };
  /// Copies arrive of which finished(copy) holds.
  template <typename F> void finish(F finished);

  std::vector<Begun> begun_;
  std::array<std::uint64_t, kLanes> groups_{};
};

} // namespace harness::ptx

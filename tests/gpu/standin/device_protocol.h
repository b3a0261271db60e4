#pragma once

#include <cstdint>

namespace harness::standin {

// What the stand-in of libcuda and standin-device, in whose process its kernels run, say to each other.
//
// A request: a DeviceRequest; the cubin; the kernel's name; the values of the arguments, one after the other,
// as the kernel's own parameters have them; for each allocation an AllocationHeader and its bytes.
// A reply: a DeviceReply; then the allocations' bytes in the same order.

struct DeviceRequest {
  std::uint64_t cubinBytes, nameBytes, argumentBytes, allocations;
  std::uint32_t grid[3], block[3], dynamicShared, reserved;
};

struct AllocationHeader {
  std::uint64_t address, bytes;
};

struct DeviceReply {
  std::int32_t result; ///< the CUresult of cuCtxSynchronize
  std::int32_t reserved;
};

/// What to ask of a cubin before anything is launched: its kernels' parameters.
/// Sent with `allocations` = kAskParameters; the reply's result is 0 or why it is refused, then follow one
/// std::uint64_t with the number of parameters and their sizes, each a std::uint64_t.
inline constexpr std::uint64_t kAskParameters = ~std::uint64_t{0};

} // namespace harness::standin

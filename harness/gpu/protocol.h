#pragma once

#include <cstdint>

namespace harness::gpu {

// What a Worker and the harness-gpu program say to each other. Both are built together and run on one
// machine, so structures go as they lie in memory.
//
// To the program: a LaunchRequest; the cubin; the kernel's name; `memoryBytes` of device memory as the launch
// finds it; for each argument how many bytes it has, as 64 bits, and these; the DevicePointers.
// From it, once it is ready and then after every request: any number of bytes that each are a Step it is
// about to take, so that one knows in what it hung or died; kReplyFollows; a LaunchReply; the memory after
// the launch if all went well. A reply with `last` is followed by its end.

inline constexpr std::uint64_t kGpuMagic = 0x31757067736e7268;
inline constexpr std::uint8_t kReplyFollows = 0xff;

enum class Step : std::uint8_t { Open, Context, Load, Find, Memory, CopyIn, Launch, Run, CopyOut, Free };
inline constexpr const char* kStepNames[] = {
    "opening the driver",       "making a context",      "loading the cubin",    "looking up the kernel",
    "allocating device memory", "copying to the device", "launching the kernel", "running the kernel",
    "copying from the device",  "freeing device memory"};

/// What is launched; what follows it stands above.
struct LaunchRequest {
  std::uint64_t magic = kGpuMagic;
  std::uint64_t cubinBytes = 0, nameBytes = 0, memoryBytes = 0;
  std::uint32_t grid[3] = {}, block[3] = {};
  std::uint32_t dynamicShared = 0;
  std::uint32_t arguments = 0;
  std::uint64_t pointers = 0;
  std::uint64_t stackBytes = 0; ///< of each thread; 0 = what the driver thinks right
};

/// A pointer in an argument of the kernel.
struct DevicePointer {
  std::uint64_t argument = 0; ///< by its place
  std::uint64_t offset = 0;   ///< bytes from the argument's start
  std::uint64_t target = 0;   ///< bytes from the start of the memory
};

/// How it went.
struct LaunchReply {
  std::uint64_t magic = kGpuMagic;
  std::int32_t result = 0; ///< CUresult of the call that failed; 0 = all went well
  std::uint8_t step = 0;   ///< that it failed in
  std::uint8_t last = 0;   ///< 1: the program ends
  std::uint8_t reserved[2] = {};
  char call[48] = {}; ///< its name
  char error[208] = {};
};

} // namespace harness::gpu

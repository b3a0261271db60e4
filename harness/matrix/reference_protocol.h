#pragma once

#include <cstdint>

namespace harness {

// What ReferenceRunner and the harness-reference program say to each other. Both are built together and run
// on one machine, so the structures go as they lie in memory.
//
// stdin: a ReferenceRequest; for each buffer a ReferenceBuffer and its bytes; for each argument a
// ReferenceArgument and, for a value, its bytes and its ReferencePointers. stdout: kReferenceMagic, then the
// bytes of the output buffers in order.

inline constexpr std::uint64_t kReferenceMagic = 0x31666572736e7268;

struct ReferenceRequest {
  std::uint64_t magic = kReferenceMagic;
  std::uint32_t grid[3], block[3], shared;
  std::uint32_t buffers, arguments, reserved = 0;
};

struct ReferenceBuffer {
  std::uint64_t bytes;
  std::uint64_t output; ///< 0 or 1
};

struct ReferenceArgument {
  static constexpr std::uint64_t kValue = ~std::uint64_t{0};
  static constexpr std::uint64_t kMostBytes = 1 << 16;
  std::uint64_t buffer; ///< index of a buffer, or kValue
  std::uint64_t bytes;  ///< of the value, at most kMostBytes
  std::uint64_t pointers;
};

/// Where in a value the address of a buffer goes.
struct ReferencePointer {
  std::uint64_t offset; ///< bytes
  std::uint64_t buffer; ///< its index
};

/// Exit codes of harness-reference.
enum class ReferenceExit : int {
  Ok = 0,
  BadRequest = 101,
  CannotLoad = 102,
  NoFunction = 103,
  CannotWrite = 104
};

} // namespace harness

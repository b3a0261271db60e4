/* What a case's reference.cpp implements. It shares no code with the kernel: plain C++ on the host. */
#ifndef HARNESS_REFERENCE_H
#define HARNESS_REFERENCE_H

#include <cstdint>

/// The launch of the case on the shape at hand.
struct HarnessLaunch {
  std::uint32_t grid[3];
  std::uint32_t block[3];
  std::uint32_t shared; ///< dynamic shared memory, bytes
};

/// Computes what the kernel must leave in its output buffers.
/// `args` holds one pointer an argument, in the manifest's order: for a buffer, to its contents (outputs
/// start as poison; whatever is not written stays poison and must be left so by the kernel too); for a
/// scalar, to its value; for a structure, to its bytes as the kernel gets them, but for its pointers, which
/// lead to the contents of their buffers. Runs in a child process with a time and memory limit.
extern "C" void reference(const HarnessLaunch* launch, void* const* args);

#endif

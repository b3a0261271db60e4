#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t *out = static_cast<std::uint32_t*>(args[1]), *sums = static_cast<std::uint32_t*>(args[2]);
  int rows = *static_cast<const int*>(args[3]), cols = *static_cast<const int*>(args[4]);
  for (int c = 0; c < cols; ++c) {
    sums[c] = 0;
    for (int r = 0; r < rows; ++r) {
      out[c * rows + r] = in[r * cols + c];
      sums[c] += in[r * cols + c];
    }
  }
}

#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* x = static_cast<const std::uint16_t*>(args[0]);
  auto* out = static_cast<std::uint16_t*>(args[1]);
  int rows = *static_cast<const int*>(args[2]), cols = *static_cast<const int*>(args[3]);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c)
      out[c * rows + r] = x[r * cols + c];
}

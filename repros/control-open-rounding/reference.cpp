#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  const auto* x = static_cast<const float*>(args[0]);
  const auto* y = static_cast<const float*>(args[1]);
  const auto* z = static_cast<const float*>(args[2]);
  auto* out = static_cast<float*>(args[3]);
  for (int i = 0; i < 32; ++i) {
    float product = x[i] * y[i];
    out[i] = product + z[i];
  }
}

#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int32_t*>(args[0]);
  auto* bound = static_cast<const std::int32_t*>(args[1]);
  auto* out = static_cast<std::int32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::int32_t distance = x[i] < 0 ? -x[i] : x[i];
    std::int32_t lesser = distance < bound[i] ? distance : bound[i];
    out[i * 3] = lesser < 0 ? 0 : lesser;
    out[i * 3 + 1] = distance > bound[i] ? distance : bound[i];
    out[i * 3 + 2] = distance > 100 ? distance : 100;
  }
}

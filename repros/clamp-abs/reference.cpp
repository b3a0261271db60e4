#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int32_t*>(args[0]);
  auto* bound = static_cast<const std::int32_t*>(args[1]);
  auto* out = static_cast<std::int32_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    auto limited = [](std::int64_t value, std::int64_t high) {
      std::int64_t distance = value < 0 ? -value : value;
      if (high < 0) return 0;
      return static_cast<std::int32_t>(distance < high ? distance : high);
    };
    out[i * 4] = limited(x[i], bound[i]);
    out[i * 4 + 1] = limited(x[i], 100);
    std::int32_t greater = x[i] < bound[i] ? bound[i] : x[i];
    out[i * 4 + 2] = greater < 0 ? 0 : greater;
    out[i * 4 + 3] = limited(x[i] >> 1, bound[i]);
  }
}

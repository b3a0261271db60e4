#include "harness/reference.h"

#include <algorithm>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const auto* x = static_cast<const std::int32_t*>(args[0]);
  const auto* y = static_cast<const std::int32_t*>(args[1]);
  const auto* z = static_cast<const std::int32_t*>(args[2]);
  auto* out = static_cast<std::int32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->block[0]; ++i) {
    std::int64_t product = std::int64_t{x[i]} * y[i], sum = (product >> 32) + z[i];
    *out++ = static_cast<std::int32_t>(product);
    *out++ = static_cast<std::int32_t>(std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX));
  }
}

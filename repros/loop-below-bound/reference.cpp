#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const auto* start = static_cast<const std::int32_t*>(args[0]);
  const auto* bound = static_cast<const std::int32_t*>(args[1]);
  const auto* x = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    std::uint32_t sum = x[t] ^ static_cast<std::uint32_t>(start[t]);
    for (std::int64_t i = std::int64_t{start[t]} + 1; i < bound[t]; ++i)
      sum = sum * 33 + (x[t] ^ static_cast<std::uint32_t>(i));
    out[t] = sum;
  }
}

#include "harness/reference.h"

namespace {

std::int64_t negated(std::int64_t v) {
  return static_cast<std::int64_t>(~static_cast<std::uint64_t>(v) + 1);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int32_t*>(args[0]);
  auto* y = static_cast<const std::int64_t*>(args[1]);
  auto* out = static_cast<std::int64_t*>(args[2]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::int64_t* o = out + i * 9;
    std::int64_t a = static_cast<std::int16_t>(x[i]), b = x[i], c = static_cast<std::int8_t>(x[i]), w = y[i];
    o[0] = a > 0 ? 1 : 2;
    o[1] = b > 0 ? 1 : 2;
    o[2] = c <= 0 ? a : -c;
    o[3] = negated(w) < 0 ? 1 : 2;
    o[4] = -b > w ? 1 : 2;
    o[5] = x[i] != 0;
    o[6] = -a < 0 ? -1 : 0;
    o[7] = negated(w) < 0 ? w : negated(w);
    o[8] = -b < 0 ? 3 : 4;
  }
}

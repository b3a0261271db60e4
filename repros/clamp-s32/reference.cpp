#include "harness/reference.h"

namespace {

std::int64_t least(std::int64_t a, std::int64_t b) {
  return a < b ? a : b;
}
std::int64_t most(std::int64_t a, std::int64_t b) {
  return a < b ? b : a;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int32_t*>(args[0]);
  auto* y = static_cast<const std::int32_t*>(args[1]);
  auto* z = static_cast<const std::int32_t*>(args[2]);
  auto* out = static_cast<std::int32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::int32_t* o = out + i * 10;
    std::int64_t v = x[i], lo = y[i], hi = z[i];
    o[0] = least(most(v, -128), 127);
    o[1] = most(least(v, 127), -128);
    o[2] = least(most(v, lo), hi);
    o[3] = most(least(v, hi), lo);
    o[4] = most(least(most(v, lo), 100), -100);
    o[5] = least(most(v, 5), -5);
    o[6] = most(least(v, 0x7fffffff), lo);
    o[7] = least(most(v, -0x7fffffff), hi);
    o[8] = least(least(v, 10), least(lo, 20));
    o[9] = most(least(v, hi), least(v, lo));
  }
}

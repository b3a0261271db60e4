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
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* z = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 10;
    std::int64_t v = x[i], lo = y[i], hi = z[i], d = static_cast<std::uint32_t>(v - lo);
    o[0] = least(most(v, 16), 240);
    o[1] = most(least(v, 240), 16);
    o[2] = least(most(v, lo), hi);
    o[3] = most(least(v, hi), lo);
    o[4] = least(most(v, 0x80000000), 0xfffffffe);
    o[5] = most(least(v, 5), 9);
    o[6] = least(most(least(v, hi), 1), 0x7fffffff);
    o[7] = most(least(v, 0), lo);
    o[8] = static_cast<std::uint32_t>(d + v);
    o[9] = least(most(v, hi), most(v, lo));
  }
}

#include "harness/reference.h"

namespace {

std::int64_t least(std::int64_t a, std::int64_t b) {
  return a < b ? a : b;
}
std::int64_t most(std::int64_t a, std::int64_t b) {
  return a < b ? b : a;
}
std::int64_t wrap(std::int64_t v) {
  return static_cast<std::int32_t>(static_cast<std::uint64_t>(v));
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int32_t*>(args[0]);
  auto* y = static_cast<const std::int32_t*>(args[1]);
  auto* z = static_cast<const std::int32_t*>(args[2]);
  auto* out = static_cast<std::int32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::int32_t* o = out + i * 10;
    std::int64_t v = x[i], w = y[i], b = z[i], low = -0x80000000ll, high = 0x7fffffff;
    std::int64_t sum = wrap(v + w), difference = wrap(v - w);
    std::int64_t r[10] = {most(sum, b),
                          least(difference, b),
                          least(most(sum, 0), 255),
                          most(wrap(v + high), w),
                          most(least(sum, b), 0),
                          most(v, 0),
                          least(wrap(v - 1), most(wrap(w + 1), b)),
                          least(most(v + w, low), high),
                          least(most(v - w, low), high),
                          most(least(v, b) - 5, low)};
    for (int k = 0; k < 10; ++k)
      o[k] = static_cast<std::int32_t>(r[k]);
  }
}

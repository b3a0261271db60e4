#include "harness/reference.h"

namespace {

/// The absolute value as a number, and cut to so many bits.
template <typename T> T wrapped(T v) {
  __int128 wide = v;
  return static_cast<T>(wide < 0 ? -wide : wide);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::int32_t*>(args[0]);
  auto* y = static_cast<const std::int32_t*>(args[1]);
  auto* z = static_cast<const std::int64_t*>(args[2]);
  auto* out = static_cast<std::int32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::int32_t* o = out + i * 12;
    std::uint32_t a = static_cast<std::uint32_t>(x[i]), b = static_cast<std::uint32_t>(y[i]);
    auto d32 = wrapped(static_cast<std::int32_t>(a - b));
    auto d16 = wrapped(static_cast<std::int16_t>(a - b));
    auto d64 = wrapped(static_cast<std::int64_t>(static_cast<std::uint64_t>(z[i]) -
                                                 static_cast<std::uint64_t>(std::int64_t{y[i]})));
    bool conditions[5] = {x[i] > 0, x[i] < 0, x[i] >= -1, x[i] < 0 && a != 0x80000000, a <= 0x80000000};
    o[0] = d32 <= 100 ? 1 : 2;
    o[1] = d32 > y[i] ? 1 : 2;
    o[2] = d32 < 0 ? 1 : 2;
    o[3] = d16 < 128 ? 1 : 2;
    o[4] = d16 >= 0 && d16 < 128 ? 1 : 2;
    o[5] = d64 < 1000 ? 1 : 2;
    o[6] = d64 < 0 ? -1 : 0;
    for (int k = 0; k < 5; ++k)
      o[7 + k] = static_cast<std::int32_t>(conditions[k] ? a : ~a + 1);
  }
}

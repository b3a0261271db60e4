#include "harness/reference.h"

#include <algorithm>
#include <functional>

namespace {

using I64 = std::int64_t;

/// Lanes of `bits` of two words, the first word's come first.
struct Lanes {
  int bits;
  std::uint32_t a, b;

  I64 operator()(int lane, bool isSigned) const {
    int count = 32 / bits;
    I64 v = (lane < count ? a : b) >> lane % count * bits & ((1u << bits) - 1);
    return isSigned && v >> (bits - 1) != 0 ? v - (I64{1} << bits) : v;
  }
};

/// `lane(i)` for the lanes of `mask`, the others from `rest`.
std::uint32_t merge(int bits, int mask, std::uint32_t rest, const std::function<I64(int)>& lane) {
  std::uint32_t field = (1u << bits) - 1, r = rest;
  for (int i = 0; i < 32 / bits; ++i)
    if ((mask >> i & 1) != 0)
      r = (r & ~(field << i * bits)) | (static_cast<std::uint32_t>(lane(i)) & field) << i * bits;
  return r;
}

std::uint32_t sum(int bits, int mask, std::uint32_t start, const std::function<I64(int)>& lane) {
  for (int i = 0; i < 32 / bits; ++i)
    if ((mask >> i & 1) != 0) start += static_cast<std::uint32_t>(lane(i));
  return start;
}

/// Half of the sum, rounded away from zero.
I64 average(I64 sum) {
  return sum >= 0 ? (sum + 1) >> 1 : -((-sum + 1) >> 1);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* x = static_cast<const std::uint32_t*>(args[0]);
  const std::uint32_t* y = static_cast<const std::uint32_t*>(args[1]);
  const std::uint32_t* z = static_cast<const std::uint32_t*>(args[2]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[3]);
  constexpr I64 zero = 0;
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t, out += 10) {
    std::uint32_t c = z[t];
    Lanes half{16, x[t], y[t]}, byte{8, x[t], y[t]};
    out[0] = merge(16, 2, c, [&](int i) {
      const int chosen[2] = {2, 1};
      return std::clamp(half(i, true) + half(chosen[i], false), I64{-32768}, I64{32767});
    });
    out[1] = merge(8, 7, c, [&](int i) {
      return std::clamp(byte(2 * i + 1, false) - byte(4 + i, true), zero, I64{255});
    });
    out[2] = merge(16, 3, c, [&](int i) { return average(half(i, true) + half(2 + i, true)); });
    out[3] = merge(8, 10, c, [&](int i) { return average(byte(i, false) + byte(4 + i, false)); });
    out[4] = sum(16, 1, c, [&](int i) { return std::max(half(2 + i, false), half(2 + i, true)); });
    out[5] = merge(8, 15, c, [&](int i) { return std::min(byte(3 - i, true), byte(4, false)); });
    out[6] = merge(8, 8, c,
                   [&](int i) { return std::min(std::abs(byte(i, true) - byte(4 + i, true)), I64{127}); });
    out[7] = merge(16, 3, c, [&](int i) { return I64{half(1 - i, true) >= half(2 + i, false)}; });
    out[8] = sum(8, 5, c, [&](int i) { return I64{byte(i, false) != byte(4 + i, true)}; });
    out[9] = sum(8, 15, c, [&](int i) { return byte(i, false) + byte(4 + i, false); });
  }
}

#include "harness/reference.h"

namespace {

std::int64_t element(std::uint32_t v, int lane, int bits, bool isSigned) {
  std::int64_t e = v >> (lane * bits) & ((1u << bits) - 1);
  return isSigned && e >> (bits - 1) ? e - (1 << bits) : e;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* z = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 9;
    std::uint32_t a = i % 4 ? x[i] : y[i / 4], b = y[i], c = z[i], r = c;
    for (int k = 0; k < 8; ++k) {
      const bool signedA[8] = {false, true, false, true, false, true, true, false},
                 signedB[8] = {false, true, true, false, false, true, false, true};
      o[k] = c;
      for (int lane = 0; lane < (k < 4 ? 4 : 2); ++lane) {
        std::int64_t p = k < 4 ? element(a, lane, 8, signedA[k]) : element(a, lane, 16, signedA[k]);
        std::int64_t q = element(b, k >= 4 && k % 2 ? lane + 2 : lane, 8, signedB[k]);
        o[k] += static_cast<std::uint32_t>(p * q);
      }
    }
    for (std::uint32_t k = 0; k < 3; ++k) {
      std::uint32_t q = b ^ r;
      for (int lane = 0; lane < 4; ++lane)
        r += static_cast<std::uint32_t>(element(a + k, lane, 8, false) * element(q, lane, 8, false));
    }
    o[8] = r;
  }
}

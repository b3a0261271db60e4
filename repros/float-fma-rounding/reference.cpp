#include "harness/reference.h"

#include <cfenv>
#include <cmath>
#include <cstring>

namespace {

constexpr int kModes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

std::uint32_t bits(float value) {
  std::uint32_t result;
  std::memcpy(&result, &value, sizeof result);
  return std::isnan(value) ? 0x7fc00000 : result;
}

/// `operation` on the host's unit under each rounding; operands are volatile, so nothing is computed
/// elsewhere.
template <typename T, typename U, typename Operation> U* rounded(U* out, T a, T b, T c, Operation operation) {
  for (int mode : kModes) {
    volatile T x = a, y = b, z = c;
    std::fesetround(mode);
    volatile T result = operation(x, y, z);
    std::fesetround(FE_TONEAREST);
    *out++ = bits(result);
  }
  return out;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* in = static_cast<const float*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    float a = in[t % 32], b = in[t / 32], c = in[(t * 7 + t / 32) % 32];
    auto fma = [](float x, float y, float z) { return std::fma(x, y, z); };
    out = rounded(out, a, b, c, fma);
    out = rounded(out, -a, b, a * b, fma);
  }
}

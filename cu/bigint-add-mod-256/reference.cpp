#include "harness/reference.h"

namespace {

/// Nine limbs of 32 bits in signed 64, normalised to non-negative digits except the last.
struct Number {
  std::int64_t limb[9] = {};
};

constexpr std::int64_t kBase = std::int64_t{1} << 32;

Number prime() {
  Number p;
  for (int i = 0; i < 8; ++i)
    p.limb[i] = kBase - 1;
  p.limb[0] = 0xfffffc2f;
  p.limb[1] = 0xfffffffe;
  return p;
}

/// a + factor * b.
Number combined(const Number& a, const Number& b, int factor) {
  Number r;
  std::int64_t carry = 0;
  for (int i = 0; i < 9; ++i) {
    std::int64_t sum = a.limb[i] + factor * b.limb[i] + carry;
    std::int64_t digit = i == 8 ? sum : (sum % kBase + kBase) % kBase;
    r.limb[i] = digit;
    carry = i == 8 ? 0 : (sum - digit) / kBase;
  }
  return r;
}

Number reduced(Number r) {
  while (r.limb[8] < 0)
    r = combined(r, prime(), 1);
  for (;;) {
    Number less = combined(r, prime(), -1);
    if (less.limb[8] < 0) return r;
    r = less;
  }
}

void store(std::uint32_t* out, const Number& r) {
  for (int i = 0; i < 8; ++i)
    out[i] = static_cast<std::uint32_t>(r.limb[i]);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* a = static_cast<const std::uint32_t*>(args[0]);
  auto* b = static_cast<const std::uint32_t*>(args[1]);
  auto* out = static_cast<std::uint32_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t) {
    Number x, y;
    for (int i = 0; i < 8; ++i) {
      x.limb[i] = a[8 * t + i];
      y.limb[i] = b[8 * t + i];
    }
    store(out + 24 * t, reduced(combined(x, y, 1)));
    store(out + 24 * t + 8, reduced(combined(x, y, -1)));
    store(out + 24 * t + 16, reduced(combined(y, y, 1)));
  }
}

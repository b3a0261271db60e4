#include "harness/reference.h"

namespace {

enum Kind { Add, Rotate, Scale, SumDigits, Flip };
constexpr Kind kFirst[4] = {Add, Rotate, Scale, SumDigits}, kSecond[3] = {Flip, SumDigits, Rotate};

std::uint32_t apply(Kind kind, std::uint32_t a, std::uint32_t b) {
  std::uint32_t result = 0;
  switch (kind) {
  case Add: return a + b;
  case Rotate: return static_cast<std::uint32_t>((std::uint64_t{a} * 0x100000001 << b % 32) >> 32);
  case Scale: return a * (b + 1 - b % 2);
  case SumDigits:
    for (result = b; a > 0; a /= 10)
      result += a % 10;
    return result;
  case Flip:
    for (int i = 0; i < 32; ++i)
      result = result * 2 + ((a ^ b) >> i & 1);
    return result;
  }
  return 0;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    std::uint32_t value = in[t];
    Kind next = kFirst[in[t] % 4];
    for (std::uint32_t i = 0; i < 6; ++i) {
      value = apply(next, value, (in[t] >> i) % 256);
      next = value % 2 == 1 ? kFirst[value / 2 % 4] : kSecond[value / 2 % 3];
    }
    out[2 * t] = value;
    out[2 * t + 1] = apply(next, t, 7) + (next == SumDigits ? 0x10000 : 0);
  }
}

#include "harness/reference.h"

namespace {

using Wide = __int128;

/// A finite half in units of 2^-24.
Wide units(std::uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  Wide magnitude = exponent ? static_cast<Wide>(1024 + fraction) << (exponent - 1) : fraction;
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// a * b + c, rounded once to nearest-even: exact in units of 2^-48.
std::uint16_t fusedHalf(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  Wide sum = units(a) * units(b) + (units(c) << 24);
  bool negative = sum ? sum < 0 : (a ^ b) & c & 0x8000;
  Wide rest = sum < 0 ? -sum : sum;
  int shift = 24; // what is cut off: subnormals and the smallest normals keep units of 2^-24
  while ((rest >> shift) >= 2048)
    ++shift;
  Wide kept = rest >> shift, cut = rest - (kept << shift), middle = static_cast<Wide>(1) << (shift - 1);
  if (cut > middle || (cut == middle && (kept & 1))) ++kept;
  // 1024…2047 units are a normal, whose implicit bit adds one to the exponent field; 2048 add another.
  std::uint32_t bits = static_cast<std::uint32_t>(kept) + (static_cast<std::uint32_t>(shift - 24) << 10);
  if (bits > 0x7c00) bits = 0x7c00;
  return static_cast<std::uint16_t>(bits | (negative ? 0x8000 : 0));
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  auto* a = static_cast<const std::uint16_t*>(args[0]);
  auto* b = static_cast<const std::uint16_t*>(args[1]);
  auto* c = static_cast<std::uint16_t*>(args[2]);
  int m = *static_cast<const std::int32_t*>(args[3]);
  int n = *static_cast<const std::int32_t*>(args[4]);
  int k = *static_cast<const std::int32_t*>(args[5]);
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      std::uint16_t sum = 0;
      for (int i = 0; i < k; ++i)
        sum = fusedHalf(a[row * k + i], b[i * n + col], sum);
      c[row * n + col] = sum;
    }
}

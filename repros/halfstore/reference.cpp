#include "harness/reference.h"

#include <cstring>

namespace {

/// IEEE binary16 bits of `value`, nearest-even; every NaN becomes 0x7fff, as PTX cvt gives it.
std::uint16_t halfBits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  std::uint16_t sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
  std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7fff;
  if (magnitude >= 0x477ff000) return sign | 0x7c00; // rounds to 65536 or more: infinity
  int exponent = static_cast<int>(magnitude >> 23) - 127;
  // Bits below the half's last place: 13 for normals, one more for each power of two below 2^-14.
  int drop = exponent >= -14 ? 13 : 13 + (-14 - exponent);
  if (drop > 25) return sign; // less than half of the smallest subnormal
  std::uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000;
  std::uint32_t kept = mantissa >> drop;
  std::uint32_t rest = mantissa & ((1u << drop) - 1), middle = 1u << (drop - 1);
  if (rest > middle || (rest == middle && (kept & 1))) ++kept;
  // A carry out of the mantissa moves into the exponent by itself.
  if (exponent >= -14) kept += static_cast<std::uint32_t>(exponent + 14) << 10;
  return static_cast<std::uint16_t>(sign | kept);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const float* scale = static_cast<const float*>(args[0]);
  std::uint8_t* out = static_cast<std::uint8_t*>(args[1]);
  int records = *static_cast<const int*>(args[2]);
  for (std::uint32_t block = 0; block < launch->grid[0]; ++block) {
    if (static_cast<int>(block) >= records) continue;
    std::uint8_t* bytes = out + block * 34;
    std::uint16_t bits = halfBits(scale[block]);
    bytes[0] = static_cast<std::uint8_t>(bits);
    bytes[1] = static_cast<std::uint8_t>(bits >> 8);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      bytes[2 + lane] = static_cast<std::uint8_t>(block * 32 + lane);
  }
}

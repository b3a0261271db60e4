#include "harness/ptx/narrow.h"

#include "harness/ptx/widths.h"

#include <algorithm>
#include <bit>

namespace harness::ptx {

namespace {

/// significand / 2^shift, rounded to an integer. shift ≥ 0.
std::uint64_t shiftRounded(std::uint64_t significand, unsigned shift, bool negative, FloatRounding rounding) {
  if (shift == 0) return significand;
  std::uint64_t kept = shift >= 64 ? 0 : significand >> shift;
  std::uint64_t lost = shift >= 64 ? significand : significand & ones(shift);
  // Against one half: -1 below, 0 equal, 1 above.
  int half = -1;
  if (shift <= 64) {
    std::uint64_t middle = std::uint64_t{1} << (shift - 1);
    half = lost < middle ? -1 : lost == middle ? 0 : 1;
  }
  bool up = false;
  switch (rounding) {
  case FloatRounding::NearestEven: up = half > 0 || (half == 0 && (kept & 1)); break;
  case FloatRounding::NearestAway: up = half >= 0; break;
  case FloatRounding::Zero: break;
  case FloatRounding::Down: up = negative && lost; break;
  case FloatRounding::Up: up = !negative && lost; break;
  }
  return kept + up;
}

} // namespace

std::uint64_t FloatFormat::largest() const {
  std::uint64_t all = ones(exponentBits + mantissaBits);
  switch (specials) {
  case Specials::Ieee: return infinity() - 1;
  case Specials::NanOnly: return all - 1;
  case Specials::None: break;
  }
  return all;
}

std::uint64_t FloatFormat::infinity() const {
  return ones(exponentBits) << mantissaBits;
}

std::uint64_t FloatFormat::nan() const {
  // f64 keeps the sign of the host's default, as NVIDIA's units do; the others are positive with all bits
  // set.
  if (bits() == 64) return 0xfff8000000000000;
  return ones(exponentBits + mantissaBits);
}

std::optional<FloatFormat> formatOf(Type type) {
  using Specials = FloatFormat::Specials;
  switch (type) {
  case Type::F16:
  case Type::F16x2: return FloatFormat{5, 10, 15, Specials::Ieee};
  case Type::BF16:
  case Type::BF16x2: return FloatFormat{8, 7, 127, Specials::Ieee};
  case Type::F32:
  case Type::F32x2: return FloatFormat{8, 23, 127, Specials::Ieee};
  case Type::F64: return FloatFormat{11, 52, 1023, Specials::Ieee};
  case Type::TF32: return FloatFormat{8, 10, 127, Specials::Ieee};
  case Type::E4M3:
  case Type::E4M3x2:
  case Type::E4M3x4: return FloatFormat{4, 3, 7, Specials::NanOnly};
  case Type::E5M2:
  case Type::E5M2x2:
  case Type::E5M2x4: return FloatFormat{5, 2, 15, Specials::Ieee};
  case Type::E2M3x2:
  case Type::E2M3x4: return FloatFormat{2, 3, 1, Specials::None};
  case Type::E3M2x2:
  case Type::E3M2x4: return FloatFormat{3, 2, 3, Specials::None};
  case Type::E2M1x2:
  case Type::E2M1x4: return FloatFormat{2, 1, 1, Specials::None};
  default: return std::nullopt;
  }
}

Unpacked unpack(std::uint64_t bits, const FloatFormat& format) {
  Unpacked number;
  number.negative = (bits & format.signBit()) != 0;
  std::uint64_t magnitude = bits & (format.signBit() - 1);
  std::uint64_t mantissa = bits & ones(format.mantissaBits);
  auto exponent = static_cast<int>(magnitude >> format.mantissaBits);
  if (format.specials == FloatFormat::Specials::Ieee && magnitude >= format.infinity()) {
    number.kind = mantissa ? Unpacked::Kind::Nan : Unpacked::Kind::Infinite;
    return number;
  }
  if (format.specials == FloatFormat::Specials::NanOnly && magnitude == format.nan()) {
    number.kind = Unpacked::Kind::Nan;
    return number;
  }
  number.significand = exponent ? mantissa | std::uint64_t{1} << format.mantissaBits : mantissa;
  number.exponent = std::max(exponent, 1) - format.bias - static_cast<int>(format.mantissaBits);
  return number;
}

std::uint64_t pack(const Unpacked& number, const FloatFormat& format, FloatRounding rounding, bool finite) {
  std::uint64_t sign = number.negative ? format.signBit() : 0;
  bool infinite = format.specials == FloatFormat::Specials::Ieee && !finite;
  if (number.kind == Unpacked::Kind::Nan)
    return format.specials == FloatFormat::Specials::None ? format.largest() : format.nan();
  if (number.kind == Unpacked::Kind::Infinite)
    return sign | (infinite ? format.infinity() : format.largest());
  if (number.significand == 0) return sign;

  // The exponent of the result's last place: of a normal number by its first bit, of a subnormal the lowest.
  int first = 63 - std::countl_zero(number.significand) + number.exponent;
  int lowest = 1 - format.bias - static_cast<int>(format.mantissaBits);
  int last = std::max(first - static_cast<int>(format.mantissaBits), lowest);
  std::uint64_t significand = number.significand;
  if (number.exponent >= last)
    significand <<= number.exponent - last;
  else
    significand =
        shiftRounded(significand, static_cast<unsigned>(last - number.exponent), number.negative, rounding);
  // What the leading one of a normal number, or a carry, adds goes into the exponent by itself.
  std::uint64_t magnitude = (static_cast<std::uint64_t>(last - lowest) << format.mantissaBits) + significand;
  if (last > format.bias + 1 || magnitude > format.largest()) {
    bool toInfinity = rounding == FloatRounding::NearestEven || rounding == FloatRounding::NearestAway ||
                      (rounding == FloatRounding::Up && !number.negative) ||
                      (rounding == FloatRounding::Down && number.negative);
    magnitude = infinite && toInfinity ? format.infinity() : format.largest();
  }
  return sign | magnitude;
}

Unpacked toIntegral(const Unpacked& number, FloatRounding rounding) {
  if (number.kind != Unpacked::Kind::Finite || number.exponent >= 0) return number;
  Unpacked whole = number;
  whole.significand =
      shiftRounded(number.significand, static_cast<unsigned>(-number.exponent), number.negative, rounding);
  whole.exponent = 0;
  return whole;
}

std::uint64_t packInteger(const Unpacked& number, unsigned bits, bool isSigned, FloatRounding rounding) {
  std::uint64_t most = isSigned ? ones(bits - 1) : ones(bits);          // of a positive number
  std::uint64_t least = !isSigned ? 0 : std::uint64_t{1} << (bits - 1); // magnitude of a negative one
  std::uint64_t limit = number.negative ? least : most, magnitude = limit;
  if (number.kind == Unpacked::Kind::Finite) {
    Unpacked whole = toIntegral(number, rounding);
    int room = whole.significand ? std::countl_zero(whole.significand) : 64;
    bool fits = whole.significand == 0 || whole.exponent <= room;
    if (fits) magnitude = std::min(limit, whole.significand ? whole.significand << whole.exponent : 0);
  }
  return (number.negative ? 0 - magnitude : magnitude) & ones(bits);
}

} // namespace harness::ptx

#pragma once

#include "harness/ptx/type.h"

#include <cstdint>
#include <optional>

namespace harness::ptx {

/// A binary floating-point format.
struct FloatFormat {
  unsigned exponentBits = 8, mantissaBits = 23;
  int bias = 127;
  enum class Specials : std::uint8_t {
    Ieee,    ///< the largest exponent means infinity and NaN
    NanOnly, ///< all ones is NaN, nothing is infinite (e4m3)
    None,    ///< all codes are numbers (e2m3, e3m2, e2m1)
  } specials = Specials::Ieee;

  unsigned bits() const { return 1 + exponentBits + mantissaBits; }
  std::uint64_t signBit() const { return std::uint64_t{1} << (exponentBits + mantissaBits); }
  std::uint64_t largest() const;  ///< the largest finite number
  std::uint64_t infinity() const; ///< Ieee only
  std::uint64_t nan() const;      ///< the one that conversions and arithmetic give; not for None
};

/// The format of one element of a float type (of .e4m3x2: e4m3); nothing if it is none, or ue8m0.
std::optional<FloatFormat> formatOf(Type type);

enum class FloatRounding : std::uint8_t { NearestEven, Zero, Down, Up, NearestAway };

/// A number taken apart: ±significand × 2^exponent, an infinity or NaN.
struct Unpacked {
  enum class Kind : std::uint8_t { Finite, Infinite, Nan } kind = Kind::Finite;
  bool negative = false;
  std::uint64_t significand = 0;
  int exponent = 0;
};

Unpacked unpack(std::uint64_t bits, const FloatFormat& format);

/// The number rounded once to a format. Beyond its range: infinity or the largest number, as rounding has it;
/// with `finite` or in formats without infinity, always the largest. NaN is the format's; of a format
/// without, its largest number, positive.
std::uint64_t pack(const Unpacked& number, const FloatFormat& format, FloatRounding rounding,
                   bool finite = false);

/// A finite number rounded to an integer of this many bits, clamped to its range. Two's complement.
std::uint64_t packInteger(const Unpacked& number, unsigned bits, bool isSigned, FloatRounding rounding);

/// The number rounded to one without fraction.
Unpacked toIntegral(const Unpacked& number, FloatRounding rounding);

} // namespace harness::ptx

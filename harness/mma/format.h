#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace harness::mma {

/// What an element of a matrix is. F32, S32 are accumulators only; F16 and F64 are both.
enum class Format : std::uint8_t {
  F16,
  BF16,
  TF32,
  E4M3,
  E5M2,
  E2M3,
  E3M2,
  E2M1, ///< floats
  S8,
  U8,
  S4,
  U4,
  B1, ///< integers, bits
  F64,
  F32,
  S32,
};

/// "f16", "e4m3" …, as PTX writes them.
std::string_view toString(Format format);
/// PTX's names, and fp16, fp32, fp64, int8, uint8, int4, uint4.
std::optional<Format> parseFormat(std::string_view name);

/// How many bytes an element takes in the arrays of this library: F16, BF16 2; TF32 (an f32 whose low 13 bits
/// are dropped), F32, S32 4; F64 8; all others 1, also where hardware packs several into a byte. B1: 4, 32
/// elements in each, the lowest bit first.
std::size_t elementBytes(Format format);

bool isInteger(Format format);
/// F16 … E2M1: what a fused step multiplies.
bool isNarrowFloat(Format format);

/// The layout of a float of at most 32 bits: sign, exponent, mantissa, from the top.
struct FloatLayout {
  int exponentBits, mantissaBits, bias;
  bool hasInfinity; ///< else the highest exponent is an ordinary one
  bool hasNan;      ///< without infinity: all ones but the sign
};
/// Of F16, BF16, TF32 (19 bits), F32 and the smaller floats.
const FloatLayout& layoutOf(Format format);

enum class Kind : std::uint8_t { Zero, Finite, Infinite, NotANumber };

/// An element taken apart: ±magnitude · 2^(exponent − mantissa bits). Subnormals keep the format's least
/// exponent and are not normalised.
struct Number {
  std::uint32_t magnitude = 0;
  std::int16_t exponent = 0;
  Kind kind = Kind::Zero;
  bool negative = false;
};
/// `code` is the element as stored, of a format that has a FloatLayout.
Number decode(Format format, std::uint32_t code);

/// The value of an element as stored; exact. Of all formats but B1.
double toDouble(Format format, std::uint64_t code);
/// The element nearest to `value`, ties to even; too large: infinity, the largest where the format has none.
/// Of all formats but B1.
std::uint64_t fromDouble(Format format, double value);

/// A kind of block scaling. A UE8M0 scale is a power of two, 0xFF is NaN; UE4M3 is E4M3 whose sign counts for
/// nothing.
enum class Scaling : std::uint8_t {
  None,
  Mxf8f6f4,  ///< UE8M0 for 32 elements of k
  Mxf4,      ///< E2M1, UE8M0 for 32 elements
  Mxf4Per16, ///< E2M1, UE8M0 for 16 elements
  Nvf4,      ///< E2M1, UE4M3 for 16 elements
};
/// Elements of k that share a scale; 0 for None.
int blockOf(Scaling scaling);

} // namespace harness::mma

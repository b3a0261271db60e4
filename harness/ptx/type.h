#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace harness::ptx {

/// The fundamental types of the PTX ISA (section 5.2), and the alternate formats that only instructions have.
enum class Type : std::uint8_t {
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  B8,
  B16,
  B32,
  B64,
  B128,
  F16,
  F16x2,
  BF16,
  BF16x2,
  F32,
  F32x2,
  F64,
  TF32,
  U16x2,
  S16x2,
  U8x4,
  S8x4,
  E4M3,
  E5M2,
  E4M3x2,
  E5M2x2,
  E2M1x2,
  E2M3x2,
  E3M2x2,
  UE8M0x2,
  E4M3x4,
  E5M2x4,
  E2M1x4,
  E2M3x4,
  E3M2x4,
  Pred,
};

/// "u32": the type as PTX spells it, without its dot.
std::string_view toString(Type type);
std::optional<Type> typeNamed(std::string_view name);

/// Width of a value in bits; 1 for predicates.
unsigned bitsOf(Type type);
bool isSigned(Type type);   ///< s8 … s64, s16x2, s8x4
bool isUnsigned(Type type); ///< u8 … u64, u16x2, u8x4
bool isFloat(Type type);    ///< f16 … f64 and the packed and alternate floats
bool isUntyped(Type type);  ///< b8 … b128

} // namespace harness::ptx

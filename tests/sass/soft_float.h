#pragma once

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APSInt.h>

#include <cstdint>

namespace harness::sass::test {

using Mode = llvm::APFloat::roundingMode;
inline constexpr Mode kNearest = Mode::NearestTiesToEven, kDown = Mode::TowardNegative,
                      kUp = Mode::TowardPositive, kZero = Mode::TowardZero;

inline llvm::APFloat single(std::uint32_t bits) {
  return {llvm::APFloat::IEEEsingle(), llvm::APInt(32, bits)};
}
inline llvm::APFloat half(std::uint16_t bits) {
  return {llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits)};
}
inline llvm::APFloat twice(std::uint64_t bits) {
  return {llvm::APFloat::IEEEdouble(), llvm::APInt(64, bits)};
}

/// The bits of a result: NaN is the canonical one of the format, all ones but the sign.
inline std::uint64_t resultBits(const llvm::APFloat& value) {
  unsigned width = llvm::APFloat::semanticsSizeInBits(value.getSemantics());
  if (value.isNaN()) return (std::uint64_t{1} << (width - 1)) - 1;
  return value.bitcastToAPInt().getZExtValue();
}
inline std::uint32_t resultBits32(const llvm::APFloat& value) {
  return static_cast<std::uint32_t>(resultBits(value));
}

/// Subnormals become a zero of their sign.
inline llvm::APFloat flushed(const llvm::APFloat& value) {
  return value.isDenormal() ? llvm::APFloat::getZero(value.getSemantics(), value.isNegative()) : value;
}

inline llvm::APFloat converted(llvm::APFloat value, const llvm::fltSemantics& to, Mode mode = kNearest) {
  bool lost = false;
  value.convert(to, mode, &lost);
  return value;
}

/// Saturating conversion to an integer of `bits` bits, zero- or sign-extended to 64; a NaN gives `nan`.
inline std::uint64_t toInteger(const llvm::APFloat& value, unsigned bits, bool isSigned, Mode mode,
                               std::uint64_t nan) {
  if (value.isNaN()) return nan;
  llvm::APSInt result(bits, !isSigned);
  bool exact = false;
  // Out of range: APFloat gives the nearest extreme.
  value.convertToInteger(result, mode, &exact);
  return isSigned ? static_cast<std::uint64_t>(result.getSExtValue()) : result.getZExtValue();
}

} // namespace harness::sass::test

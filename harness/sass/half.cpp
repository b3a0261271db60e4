#include "harness/sass/half.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APInt.h>

#include <cfenv>
#include <limits>

namespace harness::sass {

namespace {

using llvm::APFloat;

constexpr std::uint16_t kCanonicalNan = 0x7fff;

APFloat half(std::uint16_t bits) {
  return {APFloat::IEEEhalf(), llvm::APInt(16, bits)};
}

std::uint16_t bitsOf(const APFloat& value) {
  if (value.isNaN()) return kCanonicalNan;
  return static_cast<std::uint16_t>(value.bitcastToAPInt().getZExtValue());
}

APFloat::roundingMode hostRounding() {
  switch (std::fegetround()) {
  case FE_DOWNWARD: return APFloat::rmTowardNegative;
  case FE_UPWARD: return APFloat::rmTowardPositive;
  case FE_TOWARDZERO: return APFloat::rmTowardZero;
  default: return APFloat::rmNearestTiesToEven;
  }
}

} // namespace

float halfToFloat(std::uint16_t bits) {
  APFloat value = half(bits);
  if (value.isNaN()) return std::numeric_limits<float>::quiet_NaN();
  bool exact = false;
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &exact);
  return value.convertToFloat();
}

std::uint16_t floatToHalf(float value) {
  APFloat converted(value);
  bool exact = false;
  converted.convert(APFloat::IEEEhalf(), hostRounding(), &exact);
  return bitsOf(converted);
}

std::uint16_t halfFma(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  APFloat result = half(a);
  result.fusedMultiplyAdd(half(b), half(c), APFloat::rmNearestTiesToEven);
  return bitsOf(result);
}

} // namespace harness::sass

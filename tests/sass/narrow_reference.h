#pragma once

#include "harness/sass/small_float.h"

#include "tests/sass/soft_float.h"

#include <cmath>
#include <optional>
#include <string>

namespace harness::sass::test {

/// A format of at most 8 bits as the list of its numbers.
struct NarrowReference {
  std::string name;
  const SmallFloat* format;
  const llvm::fltSemantics& (*semantics)();
  std::uint32_t count; ///< of bit patterns
  std::uint32_t nan;   ///< what a NaN becomes

  /// The number, or nothing for a NaN or infinity.
  std::optional<double> value(std::uint32_t bits) const {
    unsigned width = llvm::APFloat::semanticsSizeInBits(semantics());
    llvm::APFloat number(semantics(), llvm::APInt(width, bits));
    if (!number.isFinite()) return std::nullopt;
    return converted(number, llvm::APFloat::IEEEdouble()).convertToDouble();
  }

  /// The nearest number, the even one of two; the largest for what is larger.
  std::uint32_t nearest(double x) const {
    if (std::isnan(x)) return nan;
    std::uint32_t half = count / 2, best = 0;
    double distance = HUGE_VAL, magnitude = std::min(std::fabs(x), 1e6);
    for (std::uint32_t bits = 0; bits < half; ++bits) {
      auto number = value(bits);
      if (!number) continue;
      double here = std::fabs(*number - magnitude);
      if (here > distance || (here == distance && (bits & 1))) continue;
      best = bits;
      distance = here;
    }
    return best | (std::signbit(x) ? half : 0);
  }
};

inline const NarrowReference kNarrowReferences[] = {
    {"E4M3", &kE4M3, llvm::APFloat::Float8E4M3FN, 256, 0x7f},
    {"E5M2", &kE5M2, llvm::APFloat::Float8E5M2, 256, 0x7f},
    {"E2M3", &kE2M3, llvm::APFloat::Float6E2M3FN, 64, 0x1f},
    {"E3M2", &kE3M2, llvm::APFloat::Float6E3M2FN, 64, 0x1f},
    {"E2M1", &kE2M1, llvm::APFloat::Float4E2M1FN, 16, 0x7},
};

} // namespace harness::sass::test

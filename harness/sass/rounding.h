#pragma once

#include "harness/sass/binder.h"

#include <bit>
#include <cfenv>
#include <cstdint>

namespace harness::sass {

/// Rounding modifiers: none = to nearest even, RM = down, RP = up, RZ = to zero.
enum class Rounding : std::uint32_t { Nearest, Down, Up, Zero };

/// `.RN .RM .RP .RZ`, also in conversions as `.ROUND .FLOOR .CEIL .TRUNC`.
inline Rounding takeRounding(Binder& b) {
  b.ignore({"RN", "ROUND"});
  static constexpr Rounding kMeaning[] = {Rounding::Down, Rounding::Up,   Rounding::Zero,   Rounding::Down,
                                          Rounding::Up,   Rounding::Zero, Rounding::Nearest};
  return kMeaning[b.choice({"RM", "RP", "RZ", "FLOOR", "CEIL", "TRUNC"}, 6)];
}

/// The host's rounding mode for as long as the object lives.
class RoundingScope {
public:
  explicit RoundingScope(Rounding rounding) : changed_(rounding != Rounding::Nearest) {
    static constexpr int kModes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    if (changed_) std::fesetround(kModes[static_cast<unsigned>(rounding)]);
  }
  ~RoundingScope() {
    if (changed_) std::fesetround(FE_TONEAREST);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

private:
  bool changed_;
};

inline float asFloat(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
inline std::uint32_t asBits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

/// Subnormals become zero of the same sign.
inline std::uint32_t flush(std::uint32_t bits) {
  return (bits & 0x7f800000u) ? bits : bits & 0x80000000u;
}

/// The NaN that f32 arithmetic gives.
inline constexpr std::uint32_t kCanonicalNan = 0x7fffffff;

/// Results of arithmetic: NaN becomes the canonical one.
inline std::uint32_t canonical(std::uint32_t bits) {
  return (bits & 0x7fffffffu) > 0x7f800000u ? kCanonicalNan : bits;
}

} // namespace harness::sass

#pragma once

#include "harness/sass/lanes.h"

#include <cstdint>
#include <string_view>

namespace harness::sass {

// Bits of a floating-point comparison: which of less, equal, greater, unordered make it true.
inline constexpr std::uint32_t kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8;

struct FloatCompare {
  std::string_view name;
  std::uint32_t trueFor;
};

inline constexpr FloatCompare kFloatCompares[] = {
    {"LT", kLess},
    {"EQ", kEqual},
    {"LE", kLess | kEqual},
    {"GT", kGreater},
    {"NE", kLess | kGreater},
    {"GE", kGreater | kEqual},
    {"NUM", kLess | kEqual | kGreater},
    {"NAN", kUnordered},
    {"LTU", kLess | kUnordered},
    {"EQU", kEqual | kUnordered},
    {"LEU", kLess | kEqual | kUnordered},
    {"GTU", kGreater | kUnordered},
    {"NEU", kLess | kGreater | kUnordered},
    {"GEU", kGreater | kEqual | kUnordered},
};

/// Takes the comparison's name; what makes it true.
inline std::uint32_t takeFloatCompare(Binder& b) {
  for (const FloatCompare& compare : kFloatCompares)
    if (b.take(compare.name)) return compare.trueFor;
  b.refuse();
  return 0;
}

/// The one bit that holds of `a` and `b`.
template <typename T> std::uint32_t relation(T a, T b) {
  if (a < b) return kLess;
  if (a > b) return kGreater;
  return a == b ? kEqual : kUnordered;
}

} // namespace harness::sass

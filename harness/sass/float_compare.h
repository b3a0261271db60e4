#pragma once

#include "harness/sass/binder.h"

#include <cstdint>

namespace harness::sass {

// Bits of a comparison: which of less, equal, greater, unordered make it true.
inline constexpr std::uint32_t kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8;

/// Takes `.LT` … `.GEU`.
inline std::uint32_t takeFloatCompare(Binder& b) {
  struct Compare {
    std::string_view name;
    std::uint32_t trueFor;
  };
  static constexpr Compare kCompares[] = {
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
  for (const Compare& compare : kCompares)
    if (b.take(compare.name)) return compare.trueFor;
  b.refuse();
  return 0;
}

inline std::uint32_t relation(float a, float b) {
  if (a < b) return kLess;
  if (a > b) return kGreater;
  return a == b ? kEqual : kUnordered;
}

} // namespace harness::sass

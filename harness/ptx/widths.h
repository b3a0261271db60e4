#pragma once

#include "harness/ptx/type.h"

#include <cstdint>

namespace harness::ptx {

/// So many ones, lowest first; all for 64 and more.
constexpr std::uint64_t ones(unsigned bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

/// The value of a type as 64 bits, its sign spread if it has one.
inline std::uint64_t widen(std::uint64_t bits, Type type) {
  unsigned width = bitsOf(type);
  bits &= ones(width);
  if (!isSigned(type) || width == 64) return bits;
  std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return (bits ^ sign) - sign;
}

/// The value of a type as a register of so many bits holds it: signed types fill all of it.
inline std::uint64_t fill(std::uint64_t value, Type type, unsigned registerBits) {
  return widen(value, type) & ones(registerBits);
}

} // namespace harness::ptx

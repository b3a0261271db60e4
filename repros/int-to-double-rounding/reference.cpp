#include "harness/reference.h"

namespace {

struct Number {
  bool negative;
  std::uint64_t magnitude;
};

/// The low `bits` of `word` as a number of that type.
Number number(std::uint64_t word, int bits, bool isSigned) {
  std::uint64_t top = std::uint64_t{1} << (bits - 1), mask = top | (top - 1);
  bool negative = isSigned && (word & top) != 0;
  return {negative, (negative ? 0 - word : word) & mask};
}

/// The encoding of `n` with `mantissa` stored bits, never subnormal; modes are nearest-even, zero, up, down.
std::uint64_t encode(Number n, int mode, int mantissa, int exponentBits) {
  std::uint64_t sign = std::uint64_t{n.negative} << (mantissa + exponentBits);
  if (n.magnitude == 0) return 0;
  int power = 63 - __builtin_clzll(n.magnitude), drop = power - mantissa;
  std::uint64_t kept = drop > 0 ? n.magnitude >> drop : n.magnitude << -drop;
  std::uint64_t rest = drop > 0 ? n.magnitude - (kept << drop) : 0,
                half = drop > 0 ? std::uint64_t{1} << (drop - 1) : 1;
  bool away =
      mode == 0 ? rest > half || (rest == half && kept % 2 == 1) : rest != 0 && mode == (n.negative ? 3 : 2);
  std::uint64_t bias = (std::uint64_t{1} << (exponentBits - 1)) - 1;
  // The leading one of `kept` counts as one in the exponent; a carry out of the mantissa moves into it.
  std::uint64_t magnitude = ((bias + static_cast<std::uint64_t>(power) - 1) << mantissa) + kept + away;
  std::uint64_t infinity = (2 * bias + 1) << mantissa;
  if (magnitude >= infinity) magnitude = mode == 0 || mode == (n.negative ? 3 : 2) ? infinity : infinity - 1;
  return sign | magnitude;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  struct Kind {
    int bits;
    bool isSigned;
  };
  const Kind kinds[2] = {{64, true}, {64, false}};
  const std::uint64_t* in = static_cast<const std::uint64_t*>(args[0]);
  std::uint64_t* out = static_cast<std::uint64_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t)
    for (const Kind& kind : kinds)
      for (int mode = 0; mode < 4; ++mode) {
        Number n = number(in[t], kind.bits, kind.isSigned);
        *out++ = encode(n, mode, 52, 11);
      }
}

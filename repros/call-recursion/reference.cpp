#include "harness/reference.h"

namespace {

/// Values of the two sequences for 0 … 7 (OEIS A005379, A005378).
constexpr std::uint32_t kMale[8] = {0, 0, 1, 2, 2, 3, 4, 4};
constexpr std::uint32_t kFemale[8] = {1, 1, 2, 2, 3, 3, 4, 5};

/// The walk with its digits in one word.
std::uint32_t walk(std::uint32_t x, std::uint32_t depth) {
  std::uint32_t digits = x;
  auto digit = [&](std::uint32_t i) { return digits >> 8 * i & 255; };
  if (depth == 0) return digit(x % 4);
  std::uint32_t child = walk(x * 0x01010107 + depth, depth - 1);
  digits ^= (child / 4 & 255) << 8 * (child % 4);
  if (digits % 2 == 1) child += walk((x / 32) ^ child, depth / 2);
  return (child << 8) + child + digit(depth % 4);
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    out[2 * t] = kMale[in[t] % 8] + kFemale[in[t] / 8 % 8] * 256;
    out[2 * t + 1] = walk(in[t], in[t] >> 30);
  }
}

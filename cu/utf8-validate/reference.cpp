#include "harness/reference.h"

#include <algorithm>

namespace {

/// Decodes and looks at the value: its shortest form must be as long.
std::uint32_t decodedLength(const std::uint8_t* at, std::uint32_t left) {
  if (*at < 0x80) return 1;
  std::uint32_t length = 0;
  while (length < 8 && (*at << length & 0x80))
    ++length;
  if (length < 2 || length > 4 || length > left) return 0;
  std::uint32_t value = *at & (0xffu >> (length + 1));
  for (std::uint32_t i = 1; i < length; ++i) {
    if (at[i] / 64 != 2) return 0;
    value = value * 64 + at[i] % 64;
  }
  if (value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return 0;
  std::uint32_t shortest = value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
  return shortest == length ? length : 0;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* text = static_cast<const std::uint8_t*>(args[0]);
  auto* kinds = static_cast<std::uint8_t*>(args[1]);
  auto* counts = static_cast<std::uint32_t*>(args[2]);
  std::uint32_t n = *static_cast<const std::uint32_t*>(args[3]);
  std::fill(counts, counts + 2 * launch->grid[0], 0);
  std::uint32_t left = 0; // bytes of the character at hand; a valid one holds no byte that begins another
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint32_t length = decodedLength(text + i, n - i);
    if (length > 0) {
      kinds[i] = static_cast<std::uint8_t>(length);
      left = length - 1;
      ++counts[i / 128 * 2];
    } else if (left > 0) {
      kinds[i] = 0;
      --left;
    } else {
      kinds[i] = 255;
      ++counts[i / 128 * 2 + 1];
    }
  }
}

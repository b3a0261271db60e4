#include "harness/reference.h"

namespace {

char letter(unsigned six) {
  if (six < 26) return static_cast<char>('A' + six);
  if (six < 52) return static_cast<char>('a' + six - 26);
  if (six < 62) return static_cast<char>('0' + six - 52);
  return six == 62 ? '+' : '/';
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  auto* bytes = static_cast<const std::uint8_t*>(args[0]);
  auto* text = static_cast<std::uint8_t*>(args[1]);
  std::uint32_t n = *static_cast<const std::uint32_t*>(args[2]), letters = (8 * n + 5) / 6;
  for (std::uint32_t i = 0; i < (n + 2) / 3 * 4; ++i) {
    unsigned six = 0;
    for (std::uint32_t bit = 6 * i; bit < 6 * i + 6; ++bit)
      six = six * 2 + (bit < 8 * n ? bytes[bit / 8] >> (7 - bit % 8) & 1 : 0);
    text[i] = static_cast<std::uint8_t>(i < letters ? letter(six) : '=');
  }
}

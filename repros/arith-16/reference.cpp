#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint16_t*>(args[0]);
  auto* y = static_cast<const std::uint16_t*>(args[1]);
  auto* z = static_cast<const std::uint16_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 10;
    int a = x[i], b = y[i], c = z[i], sa = static_cast<std::int16_t>(a), sb = static_cast<std::int16_t>(b),
        sc = static_cast<std::int16_t>(c);
    std::int64_t sum = (a + b) % 65536, mad = static_cast<std::uint16_t>(sa * sb + c);
    std::int64_t r[10] = {sum > c ? sum : 7,
                          static_cast<std::int16_t>(a - b),
                          std::int64_t{a} * c % 65536,
                          (sa * sb - static_cast<std::uint16_t>(sa * sb)) / 65536,
                          std::int64_t{b} * c / 65536,
                          std::int64_t{sa} * sb + 0x80000000 + c,
                          std::int64_t{a} * c,
                          static_cast<std::uint16_t>(a % 20 > 15 ? (sc < 0 ? -1 : 0) : sc >> a % 20),
                          (std::int64_t{c} << b % 20) % 65536 / 3,
                          static_cast<std::int16_t>(mad) < sa ? (mad - a) & 0xffff : 65535 - mad};
    for (int k = 0; k < 10; ++k)
      o[k] = static_cast<std::uint32_t>(r[k]);
  }
}

#include "harness/reference.h"

#include <cstring>

namespace {

using u16 = std::uint16_t;

void turn(u16* s, std::uint32_t by) {
  if (by & 1) {
    u16 first = s[0];
    s[0] = s[1];
    s[1] = s[2];
    s[2] = first;
  } else {
    s[0] = static_cast<u16>(s[0] + by);
  }
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  auto bytes = [&](int k) { return static_cast<std::uint8_t*>(args[k]); };
  auto* n = static_cast<const std::uint32_t*>(args[4]);
  for (std::uint32_t t = 0; t < 64; ++t) {
    std::uint32_t k = n[t];
    std::memcpy(bytes(5) + 3 * t, bytes(0) + 3 * (k & 4 ? k % 64 : t), 3);
    bytes(5)[3 * t + 1] = bytes(0)[3 * ((t + 1) % 64) + 2];
    std::memcpy(bytes(6) + 5 * t, bytes(1) + 5 * (63 - k % 64), 5);
    u16 sixes[4][3] = {{}, {}, {}, {1, 2, 3}};
    for (std::uint32_t q = 0; q < 3; ++q)
      std::memcpy(sixes[q], bytes(2) + 6 * (q == 1 ? t ^ 1 : t), 6);
    turn(sixes[2], k);
    sixes[k % 4][1] ^= 0x8001;
    turn(sixes[k / 4 % 4], k / 16);
    std::memcpy(bytes(7) + 6 * t, sixes[k / 4 % 4], 6);
    std::int32_t a = 0, d = 0;
    std::int16_t b = 0;
    std::memcpy(&a, bytes(3) + 12 * t, 4);
    std::memcpy(&b, bytes(3) + 12 * t + 4, 2);
    auto c = static_cast<std::int8_t>(bytes(3)[12 * t + 6]);
    if (k & 8) a = b;
    d = 77 + c;
    std::uint8_t* o = bytes(8) + 12 * t; // byte 7 is padding and stays as it was
    std::memcpy(o, &a, 4);
    o[4] = 0;
    o[5] = static_cast<std::uint8_t>(c);
    o[6] = static_cast<std::uint8_t>(b >> 4);
    std::memcpy(o + 8, &d, 4);
  }
}

#include "harness/reference.h"

#include <algorithm>
#include <cstring>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  using u32 = std::uint32_t;
  auto* input = static_cast<const std::uint8_t*>(args[0]);
  auto* output = static_cast<std::uint8_t*>(args[1]);
  auto isSigned = [](u32 v) { return static_cast<int>(static_cast<std::int16_t>(v)); };
  for (u32 t = 0; t < launch->block[0]; ++t) {
    const std::uint8_t* in = input + t * 80;
    std::uint8_t* out = output + t * 96;
    auto word = [&](int at) {
      u32 v = 0;
      std::memcpy(&v, in + at, 4);
      return v;
    };
    auto store = [&](int at, u32 v, std::size_t bytes) { std::memcpy(out + at, &v, bytes); };
    u32 first = word(64), none = first == 0, kept = word(4), other = word(36);
    store(0, first, 2);
    store(2, static_cast<u32>(static_cast<std::int8_t>(in[42])), 2);
    store(8, none, 4);
    store(12, kept, 4);
    store(16, none, 4);
    store(24, 0, 2);
    std::memcpy(out + 32, in + 72, 8);
    store(40, kept >> 16, 2);
    store(42, kept >> 16, 2);
    store(44, other >> 16, 2);
    store(46, other, 2);
    std::memcpy(out + 48, in + 72, 8);
    store(64, static_cast<u32>(std::max(other == 0xff0000 ? 0 : isSigned(kept), 0)), 1);
    u32 a = word(16), b = word(20);
    u32 low = static_cast<u32>(std::max(isSigned(a), isSigned(b))) & 0xffff;
    u32 high = static_cast<u32>(std::max(isSigned(a >> 16), isSigned(b >> 16)));
    out[72] = in[18];
    out[73] = out[74] = out[75] = in[16];
    store(80, word(76) - (low | high << 16), 4);
    store(84, std::min<u32>(in[60], 127), 4);
    store(88, (a & 0xffff) * 0x10001, 4);
  }
}

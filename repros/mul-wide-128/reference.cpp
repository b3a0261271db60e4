#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* z = static_cast<const std::uint64_t*>(args[2]);
  auto* out = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 8;
    using Wide = unsigned __int128;
    std::uint64_t a = x[i], b = y[i], c = z[i];
    Wide product = static_cast<Wide>(a) * b;
    __int128 s = static_cast<__int128>(static_cast<std::int64_t>(a)) * static_cast<std::int64_t>(b);
    __int128 t = static_cast<__int128>(static_cast<std::int64_t>(c)) * static_cast<std::int64_t>(b);
    o[0] = static_cast<std::uint64_t>(product);
    o[1] = static_cast<std::uint64_t>(product >> 64);
    o[2] = static_cast<std::uint64_t>(static_cast<Wide>(s) >> 64);
    o[3] = static_cast<std::uint64_t>((product + c) >> 64) + c;
    o[4] = static_cast<std::uint64_t>(static_cast<Wide>(a) * c >> 64) + b;
    o[5] = static_cast<std::uint64_t>(static_cast<Wide>(t) >> 64) + a;
    o[6] = c + (c << 32) + a;
    o[7] = a % 0x100000000 * (b / 0x100000000) + a / 0x100000000 * (b % 0x100000000);
  }
}

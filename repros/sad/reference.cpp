#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* z = static_cast<const std::uint64_t*>(args[2]);
  auto* out = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 7;
    using Wide = __int128;
    Wide a = x[i], b = y[i], c = z[i];
    std::uint32_t p = static_cast<std::uint32_t>(x[i] ^ x[i] >> 32),
                  q = static_cast<std::uint32_t>(y[i] ^ y[i] >> 32);
    auto distance = [](Wide u, Wide v) { return u < v ? v - u : u - v; };
    Wide narrow = distance(p, q),
         sNarrow = distance(static_cast<std::int32_t>(p), static_cast<std::int32_t>(q));
    o[0] = static_cast<std::uint32_t>(narrow + c);
    o[1] = static_cast<std::uint32_t>(sNarrow + c);
    o[2] = static_cast<std::uint16_t>(distance(p % 65536, q % 65536) + c);
    o[3] =
        static_cast<std::uint16_t>(distance(static_cast<std::int16_t>(p), static_cast<std::int16_t>(q)) + c);
    o[4] = static_cast<std::uint64_t>(distance(a, b) + c);
    o[5] = static_cast<std::uint64_t>(
        distance(static_cast<std::int64_t>(x[i]), static_cast<std::int64_t>(y[i])) + c);
    o[6] = static_cast<std::uint32_t>(narrow + sNarrow);
  }
}

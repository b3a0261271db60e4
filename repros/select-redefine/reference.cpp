#include "harness/reference.h"

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint32_t*>(args[0]);
  auto* y = static_cast<const std::uint32_t*>(args[1]);
  auto* z = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint32_t* o = out + i * 6;
    const std::uint32_t a = x[i], b = y[i], c = z[i];
    const std::uint32_t p = a < b ? b - a : a - b + c, q = a < b ? (b - a) ^ c : a - b;
    o[0] = p;
    o[1] = q;
    std::uint32_t swap[4] = {q, c, p, q + 1}, odd[4] = {~q, q, p, p - 1}, even[4] = {p, c + 1, q, c ^ 1};
    const std::uint32_t* taken = static_cast<std::int32_t>(c) > static_cast<std::int32_t>(p) ? swap
                                 : q % 2                                                     ? odd
                                                                                             : even;
    for (int k = 0; k < 4; ++k)
      o[2 + k] = taken[k];
  }
}

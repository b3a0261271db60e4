#include "harness/reference.h"

#include <algorithm>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* cells = static_cast<std::uint32_t*>(args[1]);
  std::int32_t least = INT32_MAX, most = INT32_MIN;
  std::uint64_t wide = 0;
  std::uint32_t step = cells[8] >> 16;
  for (std::uint32_t t = 0; t < launch->block[0]; ++t) {
    std::uint32_t x = in[t];
    std::int32_t value = static_cast<std::int32_t>(x);
    if (x % 2 == 1) {
      cells[0] += x;
      cells[2] &= x;
      cells[6] = cells[6] == 9 ? 0 : cells[6] + 1;
    } else {
      cells[1] -= 3;
      least = std::min(least, value);
    }
    cells[3] ^= x;
    most = std::max(most, value);
    cells[7] |= x;
    wide += (std::uint64_t{x % 2} << 32) + x;
    step = (step * 3 + 7) % 65536;
  }
  cells[4] = static_cast<std::uint32_t>(least);
  cells[5] = static_cast<std::uint32_t>(most);
  cells[8] = (cells[8] & 0xffff) | step << 16;
  cells[10] = static_cast<std::uint32_t>(wide);
  cells[11] = static_cast<std::uint32_t>(wide >> 32);
}

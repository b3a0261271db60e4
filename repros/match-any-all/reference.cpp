#include "harness/reference.h"

namespace {

/// Lanes among `members` whose key equals that of `lane`.
std::uint32_t equals(const std::uint64_t* key, std::uint32_t members, std::uint32_t lane) {
  std::uint32_t mask = 0;
  for (std::uint32_t other = 0; other < 32; ++other)
    if ((members >> other & 1) != 0 && key[other] == key[lane]) mask += 1u << other;
  return mask;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t first = 0; first < launch->block[0]; first += 32) {
    std::uint64_t narrow[32], wide[32];
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      narrow[lane] = in[first + lane];
      wide[lane] = narrow[lane] + (narrow[lane] == 6 ? 6ull << 32 : lane < 16 ? 0 : 1ull << 32);
    }
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      std::uint32_t* row = out + (first + lane) * 5;
      std::uint32_t any32 = equals(narrow, ~0u, lane), any64 = equals(wide, ~0u, lane);
      std::uint32_t half = lane % 2 == 0 ? 0x55555555 : 0xaaaaaaaa, anyHalf = equals(narrow, half, lane);
      bool all32 = any32 == ~0u, all64 = any64 == ~0u, allPart = lane % 2 == 0 && anyHalf == half;
      row[0] = any32;
      row[1] = any64;
      row[2] = (all32 ? ~0u : 0) ^ (all64 ? ~0u : 0);
      row[3] = (all32 ? 1 : 0) + (all64 ? 2 : 0) + (allPart ? 4 : 0);
      row[4] = lane % 2 == 1 || allPart ? anyHalf : 0;
    }
  }
}

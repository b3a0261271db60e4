#include "harness/reference.h"

#include <algorithm>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const auto* value = static_cast<const std::int64_t*>(args[0]);
  const auto* head = static_cast<const std::uint8_t*>(args[1]);
  auto* sum = static_cast<std::int64_t*>(args[2]);
  auto* most = static_cast<std::int64_t*>(args[3]);
  auto* rank = static_cast<std::uint32_t*>(args[4]);
  std::uint32_t segment = 0, place = 0;
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    if (i % 32 == 0 || head[i] != 0) {
      segment = i % 32 == 0 ? 1 : segment + 1;
      place = 0;
      sum[i] = most[i] = value[i];
    } else {
      ++place;
      sum[i] = sum[i - 1] + value[i];
      most[i] = std::max(most[i - 1], value[i]);
    }
    rank[i] = segment * 256 + place;
  }
}

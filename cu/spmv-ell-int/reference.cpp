#include "harness/reference.h"

#include <algorithm>

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  auto* columns = static_cast<const std::int32_t*>(args[0]);
  auto* values = static_cast<const std::int16_t*>(args[1]);
  auto* x = static_cast<const std::int32_t*>(args[2]);
  auto* y = static_cast<std::int64_t*>(args[3]);
  auto* found = static_cast<std::int32_t*>(args[4]);
  int rows = *static_cast<const std::int32_t*>(args[5]), width = *static_cast<const std::int32_t*>(args[6]);
  std::fill(y, y + rows, 0);
  std::fill(found, found + rows, 0);
  for (int i = 0; i < rows * width; ++i)
    if (columns[i] >= 0) {
      y[i % rows] += std::int64_t{values[i]} * std::int64_t{x[columns[i]]};
      found[i % rows] += 1;
    }
}

#include "harness/reference.h"

#include <algorithm>
#include <string_view>

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  std::uint32_t size = *static_cast<const std::uint32_t*>(args[2]);
  std::string_view text(static_cast<const char*>(args[0]), size);
  auto* out = static_cast<std::uint32_t*>(args[1]);
  std::uint32_t threads = launch->grid[0] * launch->block[0], stretch = (size + threads - 1) / threads;
  for (std::uint32_t t = 0; t < threads; ++t) {
    std::uint32_t count = 0, hash = 0;
    std::size_t at = text.find("abbaba", std::min(t * stretch, size));
    for (; at < (t + 1) * stretch; at = text.find("abbaba", at + 1)) {
      ++count;
      hash = hash * 31 + static_cast<std::uint32_t>(at);
    }
    std::uint32_t values[4] = {count, hash, count, hash};
    std::copy(values, values + 4, out + 4 * t);
  }
}

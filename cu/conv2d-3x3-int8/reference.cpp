#include "harness/reference.h"

#include <algorithm>

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  auto* image = static_cast<const std::int8_t*>(args[0]);
  auto* weights = static_cast<const std::int8_t*>(args[1]);
  auto* bias = static_cast<const std::int32_t*>(args[2]);
  auto* scale = static_cast<const std::int32_t*>(args[3]);
  auto* out = static_cast<std::int8_t*>(args[4]);
  int height = *static_cast<const std::int32_t*>(args[5]), width = *static_cast<const std::int32_t*>(args[6]);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int o = 0; o < 4; ++o) {
        std::int64_t sum = bias[o];
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx) {
            if (y + dy < 0 || y + dy >= height || x + dx < 0 || x + dx >= width) continue;
            for (int c = 0; c < 4; ++c)
              sum += image[((y + dy) * width + x + dx) * 4 + c] *
                     weights[((o * 3 + dy + 1) * 3 + dx + 1) * 4 + c];
          }
        std::int64_t scaled = (sum * scale[o] + (std::int64_t{1} << 38)) >> 39;
        out[(y * width + x) * 4 + o] =
            static_cast<std::int8_t>(std::clamp(scaled, std::int64_t{-128}, std::int64_t{127}));
      }
}

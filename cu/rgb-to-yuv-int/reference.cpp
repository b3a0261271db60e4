#include "harness/reference.h"

#include <algorithm>

namespace {

/// (terms + 128) / 256, rounded down, + offset.
std::uint8_t weighted(const int* rgb, int red, int green, int blue, int offset) {
  int sum = red * rgb[0] + green * rgb[1] + blue * rgb[2] + 128 + 256 * 256; // non-negative
  return static_cast<std::uint8_t>(sum / 256 - 256 + offset);
}

} // namespace

extern "C" void reference(const HarnessLaunch*, void* const* args) {
  auto* rgb = static_cast<const std::uint8_t*>(args[0]);
  auto* luma = static_cast<std::uint8_t*>(args[1]);
  auto* chroma = static_cast<std::uint8_t*>(args[2]);
  int width = *static_cast<const std::int32_t*>(args[3]), height = *static_cast<const std::int32_t*>(args[4]);
  for (int i = 0; i < width * height; ++i) {
    int pixel[3] = {rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]};
    luma[i] = weighted(pixel, 66, 129, 25, 16);
  }
  int chromaWidth = (width + 1) / 2;
  for (int i = 0; i < chromaWidth * ((height + 1) / 2); ++i) {
    int mean[3];
    for (int c = 0; c < 3; ++c) {
      int sum = 0;
      for (int dy = 0; dy < 2; ++dy)
        for (int dx = 0; dx < 2; ++dx)
          sum += rgb[(std::min(i / chromaWidth * 2 + dy, height - 1) * width +
                      std::min(i % chromaWidth * 2 + dx, width - 1)) *
                         3 +
                     c];
      mean[c] = (sum + 2) / 4;
    }
    chroma[2 * i] = weighted(mean, -38, -74, 112, 128);
    chroma[2 * i + 1] = weighted(mean, 112, -94, -18, 128);
  }
}

#include "harness/reference.h"

namespace {

std::uint64_t insert(std::uint64_t v, std::uint64_t into, std::uint32_t width, std::uint32_t pos,
                     std::uint32_t len) {
  for (std::uint32_t k = 0; k < len && pos + k < width; ++k)
    into = (into & ~(std::uint64_t{1} << (pos + k))) | (v >> k & 1) << (pos + k);
  return into;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  auto* x = static_cast<const std::uint64_t*>(args[0]);
  auto* y = static_cast<const std::uint64_t*>(args[1]);
  auto* p = static_cast<const std::uint32_t*>(args[2]);
  auto* out = static_cast<std::uint64_t*>(args[3]);
  for (std::uint32_t i = 0; i < launch->grid[0] * launch->block[0]; ++i) {
    std::uint64_t* o = out + i * 6;
    std::uint64_t v = x[i], w = y[i];
    std::uint32_t pos = p[i] % 71, len = p[i] / 3 % 70;
    pos += i % 16 == 5 ? 185 : 0;
    len += i % 16 == 9 ? 185 : 0;
    o[0] = insert(v, w & 0xffffffff, 32, pos, len);
    o[1] = insert(v, w, 64, pos, len);
    o[2] = insert(v, w & 0xffffffff, 32, 8, len);
    o[3] = insert(v, w & 0xffffffff, 32, pos, 16);
    o[4] = insert(w, 0, 32, pos, len);
    o[5] = (v & 0xff) << 24 | (w & 0xffffff);
  }
}

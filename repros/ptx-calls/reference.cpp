#include "harness/reference.h"

#include <cstring>

namespace {

std::uint32_t odd(std::uint32_t n);
std::uint32_t even(std::uint32_t n) {
  return n == 0 ? 100 : odd(n - 1) * 3 + 1;
}
std::uint32_t odd(std::uint32_t n) {
  return n == 0 ? 0xffffffff : even(n - 1) ^ 0x55;
}

std::uint32_t chosen(std::uint32_t which, std::uint32_t n) {
  return which == 0 ? n * 2 : which == 1 ? odd(n) : 0 - n;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 6) {
    std::uint32_t which = in[t] % 3, second = chosen(which, which);
    out[0] = even(in[t] % 16);
    out[1] = chosen(which, in[t] >> 28);
    std::int64_t pair[2] = {in[t], static_cast<std::int8_t>(second) + std::int64_t{in[t]}};
    std::memcpy(out + 2, pair, sizeof pair);
  }
}

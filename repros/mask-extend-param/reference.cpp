#include "harness/reference.h"

namespace {

/// Bit by bit: the lowest `bits` of `v`, above them zeros or the topmost of them.
std::uint32_t extend(std::uint32_t v, std::uint32_t bits, bool isSigned) {
  std::uint32_t r = 0;
  for (std::uint32_t i = 0; i < 32 && bits > 0; ++i) {
    std::uint32_t from = i < bits ? i : bits - 1;
    if (i < bits || isSigned) r |= (v >> from & 1) << i;
  }
  return r;
}

std::uint32_t mask(std::uint64_t position, std::uint64_t length) {
  std::uint32_t r = 0;
  for (std::uint64_t i = 0; i < 32; ++i)
    if (i >= position && i < position + length) r |= 1u << i;
  return r;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* in = static_cast<const std::uint32_t*>(args[0]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[1]);
  std::uint32_t width = *static_cast<const std::uint32_t*>(args[2]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, out += 6) {
    out[0] = extend(in[t], width, false);
    out[1] = extend(in[t], width, true);
    out[2] = extend(in[t], width % 32, false);
    out[3] = extend(in[t], width % 32, true);
    out[4] = mask(in[t] % 32, width);
    out[5] = mask(in[t] % 32, width % 32);
  }
}

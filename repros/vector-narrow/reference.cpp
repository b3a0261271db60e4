#include "harness/reference.h"

#include <initializer_list>

namespace {

/// `size` bytes at `bytes` as a little-endian number.
std::uint64_t get(const std::uint8_t* bytes, int size) {
  std::uint64_t value = 0;
  while (size-- > 0)
    value = value << 8 | bytes[size];
  return value;
}

std::uint8_t* put(std::uint8_t* bytes, int size, std::uint64_t value) {
  for (int i = 0; i < size; ++i, value >>= 8)
    *bytes++ = static_cast<std::uint8_t>(value);
  return bytes;
}

std::uint64_t signExtended(std::uint64_t byte) {
  return byte < 128 ? byte : byte - 256;
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint8_t* in = static_cast<const std::uint8_t*>(args[0]);
  std::uint8_t* out = static_cast<std::uint8_t*>(args[1]);
  for (std::uint32_t t = 0; t < launch->block[0]; ++t, in += 16) {
    std::uint64_t v[4], h[4], c[4];
    for (int i = 0; i < 4; ++i) {
      v[i] = get(in + 4 * i, 4);
      h[i] = get(in + 2 * i, 2);
      c[i] = signExtended(get(in + 12 + i, 1));
    }
    std::uint64_t low = get(in, 8), high = get(in + 8, 8);
    out = put(out, 8, high + v[0]);
    out = put(out, 8, low - v[3]);
    for (std::uint64_t half : {v[1], h[3], high >> 48, h[0] + 1})
      out = put(out, 2, half);
    for (std::uint64_t byte : {v[0], c[2], h[1] >> 8, c[0], v[2], low >> 32})
      out = put(out, 1, byte);
    out = put(out, 2, c[1] * c[3]);
    out = put(out, 4, v[2] ^ c[3]);
    out = put(out, 4, h[2]);
    out = put(out, 2, v[0] + v[1]);
    out = put(out, 2, h[1] ^ h[2]);
    for (std::uint64_t byte : {c[0], h[0], v[1], v[1] >> 8})
      out = put(out, 1, byte);
  }
}

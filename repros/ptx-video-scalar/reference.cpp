#include "harness/reference.h"

#include <algorithm>

namespace {

using I64 = std::int64_t;

I64 u(std::uint32_t v) {
  return v;
}
I64 s(std::uint32_t v) {
  return static_cast<std::int32_t>(v);
}
I64 byte(std::uint32_t v, int i) {
  return v >> 8 * i & 0xff;
}
I64 half(std::uint32_t v, int i) {
  return v >> 16 * i & 0xffff;
}
I64 signedByte(std::uint32_t v, int i) {
  return static_cast<std::int8_t>(byte(v, i));
}
I64 signedHalf(std::uint32_t v, int i) {
  return static_cast<std::int16_t>(half(v, i));
}
I64 clampSigned(I64 v, int bits) {
  I64 bound = I64{1} << (bits - 1);
  return std::clamp(v, -bound, bound - 1);
}
I64 clampUnsigned(I64 v) {
  return std::clamp(v, I64{0}, I64{0xffffffff});
}

} // namespace

extern "C" void reference(const HarnessLaunch* launch, void* const* args) {
  const std::uint32_t* x = static_cast<const std::uint32_t*>(args[0]);
  const std::uint32_t* y = static_cast<const std::uint32_t*>(args[1]);
  const std::uint32_t* z = static_cast<const std::uint32_t*>(args[2]);
  std::uint32_t* out = static_cast<std::uint32_t*>(args[3]);
  for (std::uint32_t t = 0; t < launch->grid[0] * launch->block[0]; ++t, out += 14) {
    std::uint32_t a = x[t], b = y[t], c = z[t];
    I64 shift = std::min(byte(b, 0), I64{32});
    const I64 r[14] = {clampSigned(byte(a, 2) + signedHalf(b, 1), 32),
                       clampUnsigned(s(a) - byte(b, 3)),
                       std::abs(signedHalf(a, 0) - s(b)) + u(c),
                       std::max(std::min(byte(a, 1), signedByte(b, 0)), s(c)),
                       std::max(s(a), u(b)),
                       (u(c) & ~I64{0xff0000}) | ((s(a) + s(b)) & 0xff) << 16,
                       half(a, 1) << shift,
                       (s(a) >> b % 32) + u(c),
                       signedHalf(a, 1) * signedHalf(b, 0) + u(c),
                       (s(a) * signedByte(b, 2) + s(c)) >> 7,
                       signedByte(a, 3) < half(b, 1),
                       (u(a) >= s(b)) + u(c),
                       std::min(clampSigned(u(a) - u(b), 32), s(c)),
                       clampSigned((s(a) * signedHalf(b, 1) - s(c)) >> 15, 32)};
    for (int i = 0; i < 14; ++i)
      out[i] = static_cast<std::uint32_t>(r[i]);
  }
}

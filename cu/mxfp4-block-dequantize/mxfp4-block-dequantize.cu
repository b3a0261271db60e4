// MXFP4 to bfloat16 in integers: 32 E2M1 codes, low nibble first, times 2^(scale - 127); every product is a
// bfloat16 or too large for one. Eight codes a thread. A scale of 255 makes the whole block the NaN 0x7fc0.

namespace {

/// An E2M1 code has an exponent bias of 1 and one mantissa bit; bfloat16 a bias of 127 and seven.
__device__ unsigned value(unsigned nibble, unsigned scale) {
  unsigned sign = (nibble & 8) << 12, exponent = nibble >> 1 & 3, mantissa = nibble & 1;
  unsigned significand = (exponent ? 2 | mantissa : mantissa) << 6; // 1.0 is bit 7
  int power = static_cast<int>((exponent ? exponent : 1) - 1 + scale);
  unsigned bits;
  if (significand & 0x80) {
    bits = power > 0 ? static_cast<unsigned>(power) << 7 | (significand & 0x7f) : significand >> 1;
    if (power > 254) bits = 0x7f80;
  } else { // 0.5: one exponent lower, if there is one
    bits = power > 1 ? static_cast<unsigned>(power - 1) << 7 : power == 1 ? 0x40 : 0x20;
  }
  if (significand == 0) bits = 0;
  return scale == 255 ? 0x7fc0 : sign | bits;
}

} // namespace

extern "C" __global__ void mxfp4_block_dequantize(const unsigned* __restrict__ codes,
                                                  const unsigned char* __restrict__ scales,
                                                  uint4* __restrict__ out, unsigned blocks) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x; // a quarter of a block
  if (i / 4 >= blocks) return;
  unsigned word = codes[i], scale = scales[i / 4];
  uint4 r;
  r.x = value(word & 15, scale) | value(word >> 4 & 15, scale) << 16;
  r.y = value(word >> 8 & 15, scale) | value(word >> 12 & 15, scale) << 16;
  r.z = value(word >> 16 & 15, scale) | value(word >> 20 & 15, scale) << 16;
  r.w = value(word >> 24 & 15, scale) | value(word >> 28, scale) << 16;
  out[i] = r;
}

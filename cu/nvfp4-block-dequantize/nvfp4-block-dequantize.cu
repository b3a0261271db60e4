// NVFP4 to bfloat16: sixteen E2M1 codes, low nibble first, share an E4M3 scale; one float scales all. Eight
// codes a thread: a byte permutation looks up four doubled magnitudes at once, in a table of eight bytes.
// E2M1 times E4M3 is exact in a float, the product with the common scale rounds, and so does bfloat16, to
// nearest-even in integers. A NaN scale counts as zero.

namespace {

/// Doubled E2M1 magnitudes 0 1 2 3 4 6 8 12 by the low three bits of four nibbles, one a byte.
__device__ unsigned doubled(unsigned nibbles) {
  return __byte_perm(0x03020100, 0x0c080604, nibbles & 0x7777);
}

/// E4M3 has a bias that is 120 smaller than a float's; its subnormals are multiples of 2^-9.
__device__ float decodeE4M3(unsigned code) {
  unsigned magnitude = code & 0x7f;
  if (magnitude == 0x7f) return 0.0f;
  float value = magnitude < 8 ? __fmul_rn(static_cast<float>(magnitude), 0x1p-9f)
                              : __uint_as_float((magnitude << 20) + (120u << 23));
  return code & 0x80 ? -value : value;
}

__device__ unsigned bfloat(float value) {
  unsigned bits = __float_as_uint(value);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

} // namespace

extern "C" __global__ void nvfp4_block_dequantize(const unsigned* __restrict__ codes,
                                                  const unsigned char* __restrict__ scales,
                                                  const float* __restrict__ global, uint4* __restrict__ out,
                                                  unsigned blocks) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x; // half a block
  if (i / 2 >= blocks) return;
  unsigned word = codes[i];
  float half = __fmul_rn(decodeE4M3(scales[i / 2]), 0.5f), all = *global;
  unsigned table[2] = {doubled(word), doubled(word >> 16)};
  unsigned pair[4];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    float magnitude = static_cast<float>(table[k / 4] >> (k % 4 * 8) & 0xff);
    float value = __fmul_rn(__fmul_rn(magnitude, half), all);
    if (word >> (k * 4) & 8) value = -value;
    unsigned bits = bfloat(value);
    pair[k / 2] = k % 2 ? pair[k / 2] | bits << 16 : bits;
  }
  out[i] = make_uint4(pair[0], pair[1], pair[2], pair[3]);
}

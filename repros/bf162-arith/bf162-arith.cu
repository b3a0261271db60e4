// Instructions of sm_90; from sm_80 all by fma, below by f32 arithmetic rounded to odd.
#define PACKED(instruction, a, b, c)                                                                         \
  [](unsigned x, unsigned y, unsigned z) {                                                                   \
    unsigned r;                                                                                              \
    asm(instruction : "=r"(r) : "r"(x), "r"(y), "r"(z));                                                     \
    return r;                                                                                                \
  }(a, b, c)

__device__ unsigned canonical(unsigned half) {
  return (half & 0x7fff) > 0x7f80 ? 0x7fc0 : half;
}
__device__ unsigned both(unsigned pair) {
  return canonical(pair >> 16) << 16 | canonical(pair & 0xffff);
}
__device__ unsigned plusZero(unsigned pair) {
  return pair & ((pair & 0xffff) == 0x8000 ? 0xffff0000u : ~0u) & (pair >> 16 == 0x8000 ? 0xffffu : ~0u);
}

__device__ unsigned fmaHigh(unsigned a, unsigned b, unsigned c) {
  float x = __uint_as_float(a & 0xffff0000u), y = __uint_as_float(b & 0xffff0000u),
        z = __uint_as_float(c & 0xffff0000u);
  unsigned odd = __float_as_uint(__fmaf_rz(x, y, z)) | (__fmaf_ru(x, y, z) != __fmaf_rd(x, y, z));
  return (odd & 0x7fffffffu) > 0x7f800000u ? 0x7fc0 : (odd + 0x7fff + (odd >> 16 & 1)) >> 16;
}

__device__ unsigned fma2(unsigned a, unsigned b, unsigned c) {
#if __CUDA_ARCH__ >= 800
  return PACKED("fma.rn.bf16x2 %0, %1, %2, %3;", a, b, c);
#else
  return fmaHigh(a, b, c) << 16 | fmaHigh(a << 16, b << 16, c << 16);
#endif
}

extern "C" __global__ void bf162Arith(const unsigned short* in, unsigned* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = in[t & 31] | in[t >> 5] << 16, b = in[t >> 5] | in[(t + 5) & 31] << 16;
  unsigned c = in[(t * 7 + (t >> 5)) & 31] | in[t >> 3 & 31] << 16;
  unsigned* row = out + t * 5;
#if __CUDA_ARCH__ >= 900
  row[0] = both(PACKED("add.rn.bf16x2 %0, %1, %2;", a, b, 0));
  row[1] = both(PACKED("sub.rn.bf16x2 %0, %1, %2;", a, b, 0));
  row[2] = both(PACKED("mul.rn.bf16x2 %0, %1, %2;", a, b, 0));
#else
  row[0] = both(fma2(a, 0x3f803f80u, b));
  row[1] = both(fma2(b, 0xbf80bf80u, a));
  row[2] = both(fma2(a, b, 0x80008000u));
#endif
  row[3] = both(fma2(a, b, c));
#if __CUDA_ARCH__ >= 800
  row[4] = plusZero(both(PACKED("fma.rn.relu.bf16x2 %0, %1, %2, %3;", a, b, c)));
#else
  unsigned sum = both(fma2(a, b, c));
  row[4] = sum & (sum >> 15 & 1 ? 0xffff0000u : ~0u) & (sum >> 31 ? 0xffffu : ~0u);
#endif
}

// f32 pairs to E2M1, and all codes of E2M1 back to f16: instructions of the architectures with an `a`,
// written out for the others.
#if __CUDACC_VER_MAJOR__ >= 13 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 9)
#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM103_ALL) ||                            \
    defined(__CUDA_ARCH_FEAT_SM120_ALL) || defined(__CUDA_ARCH_FEAT_SM121_ALL)
#define NARROW
#endif
#endif

#ifdef NARROW
__device__ unsigned codes(float high, float low) {
  unsigned r;
  asm("{ .reg .b8 d; cvt.rn.satfinite.e2m1x2.f32 d, %1, %2; cvt.u32.u8 %0, d; }"
      : "=r"(r)
      : "f"(high), "f"(low));
  return r;
}
__device__ unsigned halves(unsigned pair) {
  unsigned r;
  asm("{ .reg .b8 c; cvt.u8.u32 c, %1; cvt.rn.f16x2.e2m1x2 %0, c; }" : "=r"(r) : "r"(pair));
  return r;
}
#else
/// The number of midpoints below; on one, the even neighbour is chosen. A NaN becomes 6.
__device__ unsigned code(float v) {
  float m = fabsf(v);
  if (v != v) return 7;
  unsigned magnitude =
      (m > 0.25f) + (m >= 0.75f) + (m > 1.25f) + (m >= 1.75f) + (m > 2.5f) + (m >= 3.5f) + (m > 5.0f);
  return magnitude | __float_as_uint(v) >> 31 << 3;
}
__device__ unsigned codes(float high, float low) {
  return code(high) << 4 | code(low);
}
__device__ unsigned half(unsigned code) {
  unsigned magnitude = code & 7, sign = code >> 3 << 15;
  return magnitude < 2 ? sign | magnitude * 0x3800 : sign | (magnitude + 28) << 9;
}
__device__ unsigned halves(unsigned pair) {
  return half(pair >> 4) << 16 | half(pair & 15);
}
#endif

extern "C" __global__ void ptxE2m1(const float* in, unsigned* out) {
  unsigned t = threadIdx.x;
  out[t * 2] = codes(in[t], in[(t + 1) % 128]);
  out[t * 2 + 1] = halves(t * 2 & 0xff | t >> 6);
}

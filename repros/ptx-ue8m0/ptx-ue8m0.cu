// f32 pairs to UE8M0, powers of two, rounded down and up: instructions of the architectures with an `a`,
// written out for the others.
#if __CUDACC_VER_MAJOR__ >= 13 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 9)
#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM103_ALL) ||                            \
    defined(__CUDA_ARCH_FEAT_SM120_ALL) || defined(__CUDA_ARCH_FEAT_SM121_ALL)
#define NARROW
#endif
#endif

#ifdef NARROW
#define CONVERT(name, rounding)                                                                              \
  __device__ unsigned name(float high, float low) {                                                          \
    unsigned short r;                                                                                        \
    asm("cvt." rounding ".satfinite.ue8m0x2.f32 %0, %1, %2;" : "=h"(r) : "f"(high), "f"(low));               \
    return r;                                                                                                \
  }
CONVERT(down, "rz")
CONVERT(up, "rp")
#else
__device__ unsigned power(float v, bool up) {
  unsigned bits = __float_as_uint(v) & 0x7fffffff;
  if (bits > 0x7f800000) return 255;
  return min((bits >> 23) + (up && (bits & 0x7fffff) != 0), 254);
}
__device__ unsigned down(float high, float low) {
  return power(high, false) << 8 | power(low, false);
}
__device__ unsigned up(float high, float low) {
  return power(high, true) << 8 | power(low, true);
}
#endif

extern "C" __global__ void ptxUe8m0(const float* in, unsigned* out) {
  unsigned t = threadIdx.x;
  float high = fabsf(in[t]) + 1e-30f, low = fabsf(in[(t + 1) % 128]) + 1e-30f; // positive
  out[t * 2] = down(high, low);
  out[t * 2 + 1] = up(high, low);
}

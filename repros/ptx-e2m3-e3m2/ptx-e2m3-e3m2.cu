// f32 pairs to the two formats of six bits: instructions of the architectures with an `a`, written out for
// the others.
#if __CUDACC_VER_MAJOR__ >= 13 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 9)
#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM103_ALL) ||                            \
    defined(__CUDA_ARCH_FEAT_SM120_ALL) || defined(__CUDA_ARCH_FEAT_SM121_ALL)
#define NARROW
#endif
#endif

#ifdef NARROW
#define CONVERT(name, type)                                                                                  \
  __device__ unsigned name(float high, float low) {                                                          \
    unsigned short r;                                                                                        \
    asm("cvt.rn.satfinite." type ".f32 %0, %1, %2;" : "=h"(r) : "f"(high), "f"(low));                        \
    return r;                                                                                                \
  }
CONVERT(e2m3, "e2m3x2")
CONVERT(e3m2, "e3m2x2")
#else
/// The value of a code, in units of the smallest.
__device__ float value(int code, int mantissa) {
  int one = 1 << mantissa, power = code >> mantissa;
  return power == 0 ? code : (one + code % one) << power - 1;
}
/// The last code whose midpoint to the one before lies below; on a midpoint, the even one.
__device__ unsigned nearest(float v, int mantissa, int scale) {
  float magnitude = fabsf(v) * scale;
  unsigned code = 0;
  if (v != v) return 31;
  for (int next = 1; next < 32; ++next) {
    float middle = (value(next, mantissa) + value(next - 1, mantissa)) / 2;
    if (magnitude > middle || (magnitude == middle && next % 2 == 0)) code = next;
  }
  return code | (__float_as_int(v) < 0 ? 32 : 0);
}
__device__ unsigned e2m3(float high, float low) {
  return nearest(high, 3, 8) << 8 | nearest(low, 3, 8);
}
__device__ unsigned e3m2(float high, float low) {
  return nearest(high, 2, 16) << 8 | nearest(low, 2, 16);
}
#endif

extern "C" __global__ void ptxE2m3E3m2(const float* in, unsigned* out) {
  unsigned t = threadIdx.x;
  float high = in[t], low = in[(t + 1) % 128];
  out[t * 2] = e2m3(high, low);
  out[t * 2 + 1] = e3m2(high, low);
}

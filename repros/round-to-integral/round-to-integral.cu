// The sign of a zero result is the operand's. round() takes ties away from zero, rint() to even.
#include <cuda_fp16.h>

__device__ unsigned short bits(__half v) {
  return __hisnan(v) ? 0x7e00 : __half_as_ushort(v);
}
__device__ unsigned bits(float v) {
  return v != v ? 0x7fc00000u : __float_as_uint(v);
}
__device__ unsigned long long bits(double v) {
  return v != v ? 0x7ff8000000000000ull : static_cast<unsigned long long>(__double_as_longlong(v));
}

extern "C" __global__ void roundToIntegral(const unsigned short* half, const float* single,
                                           const double* wide, unsigned short* outHalf, unsigned* outSingle,
                                           unsigned long long* outWide) {
  int t = threadIdx.x;
  __half h = __ushort_as_half(half[t]);
  float f = single[t];
  double d = wide[t];
  outHalf[t * 4] = bits(hfloor(h));
  outHalf[t * 4 + 1] = bits(hceil(h));
  outHalf[t * 4 + 2] = bits(htrunc(h));
  outHalf[t * 4 + 3] = bits(hrint(h));
  outSingle[t * 5] = bits(floorf(f));
  outSingle[t * 5 + 1] = bits(ceilf(f));
  outSingle[t * 5 + 2] = bits(truncf(f));
  outSingle[t * 5 + 3] = bits(rintf(f));
  outSingle[t * 5 + 4] = bits(roundf(f));
  outWide[t * 5] = bits(floor(d));
  outWide[t * 5 + 1] = bits(ceil(d));
  outWide[t * 5 + 2] = bits(trunc(d));
  outWide[t * 5 + 3] = bits(rint(d));
  outWide[t * 5 + 4] = bits(round(d));
}

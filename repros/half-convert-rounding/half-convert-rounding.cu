// The double is a little above the float where the float is a tie, so one rounding differs from two.
#include <cuda_fp16.h>

__device__ unsigned short bits(__half v) {
  unsigned short b = __half_as_ushort(v);
  return (b & 0x7fff) > 0x7c00 ? 0x7e00 : b;
}

__device__ float canonical(float v) {
  return v != v ? __uint_as_float(0x7fc00000u) : v;
}

extern "C" __global__ void halfConvertRounding(const float* in, unsigned short* out, float* back) {
  int t = threadIdx.x;
  float x = in[t];
  double wide = __dmul_rn(static_cast<double>(x), 1.0 + 0x1p-40);
  out[t * 5] = bits(__float2half_rn(x));
  out[t * 5 + 1] = bits(__float2half_rz(x));
  out[t * 5 + 2] = bits(__float2half_ru(x));
  out[t * 5 + 3] = bits(__float2half_rd(x));
  out[t * 5 + 4] = bits(__double2half(wide));
  back[t * 2] = canonical(__half2float(__float2half_rn(x)));
  back[t * 2 + 1] =
      canonical(__half2float(__ushort_as_half(static_cast<unsigned short>(__float_as_uint(x) >> 13))));
}

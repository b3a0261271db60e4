// Below sm_90 (or sm_80) the header's own arithmetic; above, one instruction, or two numbers with one.
#include <cuda_bf16.h>

__device__ unsigned short bits(__nv_bfloat16 v) {
  unsigned short b = __bfloat16_as_ushort(v);
  return (b & 0x7fff) > 0x7f80 ? 0x7fc0 : b;
}

extern "C" __global__ void bf16ConvertRounding(const float* in, unsigned short* out, float* back) {
  int t = threadIdx.x;
  float x = in[t];
  out[t * 6] = bits(__float2bfloat16_rn(x));
  out[t * 6 + 1] = bits(__float2bfloat16_rz(x));
  out[t * 6 + 2] = bits(__float2bfloat16_ru(x));
  out[t * 6 + 3] = bits(__float2bfloat16_rd(x));
  __nv_bfloat162 pair = __floats2bfloat162_rn(in[t ^ 1], x);
  out[t * 6 + 4] = bits(pair.x);
  out[t * 6 + 5] = bits(pair.y);
  float y = __bfloat162float(pair.x);
  back[t] = y != y ? __uint_as_float(0x7fc00000u) : y;
}

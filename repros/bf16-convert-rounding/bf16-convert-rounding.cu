// Below sm_90 (or sm_80) the header's own arithmetic; above, one instruction, or two numbers with one. Headers
// before CUDA 12.2 have nothing below sm_80.
#include <cuda_bf16.h>

#if __CUDA_ARCH__ >= 800 || __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1202
__device__ unsigned short bits(__nv_bfloat16 v) {
  unsigned short b = __bfloat16_as_ushort(v);
  return (b & 0x7fff) > 0x7f80 ? 0x7fc0 : b;
}

__device__ void convert(float other, float x, unsigned short* out) {
  out[0] = bits(__float2bfloat16_rn(x));
  out[1] = bits(__float2bfloat16_rz(x));
  out[2] = bits(__float2bfloat16_ru(x));
  out[3] = bits(__float2bfloat16_rd(x));
  __nv_bfloat162 pair = __floats2bfloat162_rn(other, x);
  out[4] = bits(pair.x);
  out[5] = bits(pair.y);
}
#else
__device__ unsigned short rounded(float x, unsigned add) {
  return static_cast<unsigned short>(x != x ? 0x7fc0u : (__float_as_uint(x) + add) >> 16);
}

__device__ void convert(float other, float x, unsigned short* out) {
  unsigned b = __float_as_uint(x), away = (b & 0x7fffffffu) < 0x7f800000u ? 0xffffu : 0;
  out[0] = out[5] = rounded(x, 0x7fff + (b >> 16 & 1));
  out[1] = rounded(x, 0);
  out[2] = rounded(x, b >> 31 ? 0 : away);
  out[3] = rounded(x, b >> 31 ? away : 0);
  out[4] = rounded(other, 0x7fff + (__float_as_uint(other) >> 16 & 1));
}
#endif

extern "C" __global__ void bf16ConvertRounding(const float* in, unsigned short* out, float* back) {
  int t = threadIdx.x;
  convert(in[t ^ 1], in[t], out + t * 6);
  back[t] = __uint_as_float(static_cast<unsigned>(out[t * 6 + 4]) << 16);
}

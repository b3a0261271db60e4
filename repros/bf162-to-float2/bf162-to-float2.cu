// Each value is the upper half of a float. Nothing here may become a trap. Headers before CUDA 12.2 have
// nothing below sm_80.
#include <cuda_bf16.h>

#if __CUDA_ARCH__ >= 800 || __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1202
__device__ float2 widen(unsigned short first, unsigned short second) {
  __nv_bfloat162 v;
  v.x = __ushort_as_bfloat16(first);
  v.y = __ushort_as_bfloat16(second);
  return __bfloat1622float2(v);
}
#else
__device__ float2 widen(unsigned first, unsigned second) {
  return make_float2(__uint_as_float(first << 16), __uint_as_float(second << 16));
}
#endif

extern "C" __global__ void bf162ToFloat2(unsigned* out, unsigned mask) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i < 32; ++i) {
    unsigned pair = (t * 32 + i) ^ mask;
    float2 f = widen(static_cast<unsigned short>(pair * 2), static_cast<unsigned short>(pair * 2 + 1));
    out[pair * 2] = __float_as_uint(f.x);
    out[pair * 2 + 1] = __float_as_uint(f.y);
  }
}

// Each value is the upper half of a float. Nothing here may become a trap.
#include <cuda_bf16.h>

extern "C" __global__ void bf162ToFloat2(unsigned* out, unsigned mask) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i < 32; ++i) {
    unsigned pair = (t * 32 + i) ^ mask;
    __nv_bfloat162 v;
    v.x = __ushort_as_bfloat16(static_cast<unsigned short>(pair * 2));
    v.y = __ushort_as_bfloat16(static_cast<unsigned short>(pair * 2 + 1));
    float2 f = __bfloat1622float2(v);
    out[pair * 2] = __float_as_uint(f.x);
    out[pair * 2 + 1] = __float_as_uint(f.y);
  }
}

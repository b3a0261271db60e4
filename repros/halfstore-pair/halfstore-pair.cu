// The low bytes of two halves' bits, stored as a pair of bytes.
#include <cuda_fp16.h>

extern "C" __global__ void halfstorePair(const float* in, uchar2* out) {
  int t = threadIdx.x;
  unsigned short a = __half_as_ushort(__float2half_rn(in[2 * t]));
  unsigned short b = __half_as_ushort(__float2half_rn(in[2 * t + 1]));
  out[t] = make_uchar2(static_cast<unsigned char>(a), static_cast<unsigned char>(b));
}

// Q8_0 to halves: weight = d * quant, rounded once (a half times an int8 is exact in a float). Two quants a
// thread, loaded as 16 bits and stored as 32. A scale that is infinite or NaN counts as zero.
#include <cuda_fp16.h>

extern "C" __global__ void q8_0_dequantize(const unsigned char* __restrict__ in, unsigned* __restrict__ out,
                                           unsigned blocks) {
  unsigned pair = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned block = pair / 16, part = pair % 16;
  if (block >= blocks) return;
  const unsigned short* words = reinterpret_cast<const unsigned short*>(in + block * 34);
  unsigned short scale = words[0];
  float d = (scale & 0x7c00) == 0x7c00 ? 0.0f : __half2float(__ushort_as_half(scale));
  unsigned short two = words[1 + part];
  float low = __fmul_rn(d, static_cast<float>(static_cast<signed char>(two & 0xff)));
  float high = __fmul_rn(d, static_cast<float>(static_cast<signed char>(two >> 8)));
  unsigned lowBits = __half_as_ushort(__float2half_rn(low)),
           highBits = __half_as_ushort(__float2half_rn(high));
  out[pair] = lowBits | highBits << 16;
}

// Floats to Q8_0: 34-byte blocks of a half scale and 32 int8. Eight threads a block, four values each; quants
// round half away from zero. The scale is one 16-bit store, the quants are two a thread: 34-byte blocks are
// aligned to two bytes only.
#include <cuda_fp16.h>

namespace {

constexpr unsigned kThreads = 8, kBytes = 34;

__device__ float groupMax(float value) {
#pragma unroll
  for (int distance = kThreads / 2; distance > 0; distance /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, distance, kThreads));
  return value;
}

__device__ unsigned quant(float value, float inverse) {
  return static_cast<unsigned>(static_cast<int>(roundf(__fmul_rn(value, inverse)))) & 0xff;
}

} // namespace

extern "C" __global__ void q8_0_quantize(const float4* __restrict__ x, const float* __restrict__ factor,
                                         unsigned char* __restrict__ out, unsigned blocks) {
  unsigned part = threadIdx.x % kThreads;
  unsigned block = blockIdx.x * (blockDim.x / kThreads) + threadIdx.x / kThreads;
  bool inside = block < blocks; // the others stay for the shuffles
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (inside) {
    v = x[block * kThreads + part];
    float f = factor[block];
    v = make_float4(__fmul_rn(v.x, f), __fmul_rn(v.y, f), __fmul_rn(v.z, f), __fmul_rn(v.w, f));
  }
  float largest = groupMax(fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w))));
  if (!inside) return;

  float d = __fdiv_rn(largest, 127.0f);
  float inverse = d != 0.0f ? __fdiv_rn(1.0f, d) : 0.0f;
  unsigned short* words = reinterpret_cast<unsigned short*>(out + block * kBytes);
  if (part == 0) words[0] = __half_as_ushort(__float2half_rn(d));
  words[1 + part * 2] = static_cast<unsigned short>(quant(v.x, inverse) | quant(v.y, inverse) << 8);
  words[2 + part * 2] = static_cast<unsigned short>(quant(v.z, inverse) | quant(v.w, inverse) << 8);
}

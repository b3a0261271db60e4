// Floats to FP8: blocks of 32 E4M3 codes and one float scale, x = code * scale; the greatest magnitude
// becomes 448. One warp a block, eight warps a thread block. Where the scale rounds to 0 the codes are zeros.
#include <cuda_fp8.h>

namespace {

constexpr float kLargest = 448.0f;

__device__ float warpMax(float value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, distance));
  return value;
}

} // namespace

extern "C" __global__ void fp8_block_quant(const float* __restrict__ x, const float* __restrict__ factor,
                                           unsigned char* __restrict__ codes, float* __restrict__ scales,
                                           unsigned blocks) {
  unsigned lane = threadIdx.x % 32;
  unsigned block = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (block >= blocks) return; // whole warps
  float value = __fmul_rn(x[block * 32 + lane], factor[block]);
  float scale = __fdiv_rn(warpMax(fabsf(value)), kLargest);
  float scaled = scale > 0.0f ? __fdiv_rn(value, scale) : value;
  codes[block * 32 + lane] = __nv_cvt_float_to_fp8(scaled, __NV_SATFINITE, __NV_E4M3);
  if (lane == 0) scales[block] = scale;
}

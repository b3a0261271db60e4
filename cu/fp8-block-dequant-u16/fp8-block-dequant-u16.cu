// FP8 weights with one float scale per 128x128 block, requantised to Q8_0: 34-byte blocks of 32 weights, a half
// `d` followed by 32 int8 quants (weight = d * quant). One warp an output block, eight warps a thread block.
#include <cuda_fp16.h>

namespace {

constexpr unsigned kQuantBlock = 32, kQuantBytes = 34, kScaleBlock = 128;

/// E4M3 placed into a half's bits has an exponent bias that is 8 too large. A NaN code counts as zero.
__device__ float decodeE4M3(unsigned code) {
  if ((code & 0x7f) == 0x7f) return 0.0f;
  unsigned bits = (code & 0x80) << 8 | (code & 0x7f) << 7;
  return __fmul_rn(__half2float(__ushort_as_half(static_cast<unsigned short>(bits))), 256.0f);
}

__device__ float warpMax(float value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, distance));
  return value;
}

} // namespace

extern "C" __global__ void fp8_block_dequant_u16(const unsigned char* __restrict__ weights,
                                                 const float* __restrict__ scales, unsigned char* __restrict__ out,
                                                 unsigned rows, unsigned cols) {
  unsigned lane = threadIdx.x % 32;
  unsigned block = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  unsigned blocksPerRow = cols / kQuantBlock;
  if (block >= rows * blocksPerRow) return;
  unsigned row = block / blocksPerRow;
  unsigned col = (block - row * blocksPerRow) * kQuantBlock + lane;
  unsigned scalesPerRow = (cols + kScaleBlock - 1) / kScaleBlock;
  float scale = scales[row / kScaleBlock * scalesPerRow + col / kScaleBlock];
  float weight = __fmul_rn(decodeE4M3(weights[row * cols + col]), scale);

  float largest = warpMax(fabsf(weight));
  float d = __fmul_rn(largest, 1.0f / 127.0f);
  float inverse = largest > 0.0f ? __fdiv_rn(127.0f, largest) : 0.0f;
  unsigned char* bytes = out + block * kQuantBytes;
  if (lane == 0) {
    unsigned short bits = __half_as_ushort(__float2half_rn(d));
    *reinterpret_cast<unsigned short*>(bytes) = bits; // blocks are 34 bytes: always aligned
  }
  bytes[2 + lane] = static_cast<unsigned char>(__float2int_rn(__fmul_rn(weight, inverse)));
}

// A row of Q4_K superblocks (see q4-k-dequantize) times int8 activations with one float scale per 32: lane j
// of eight takes sub-block j of every superblock. The order of the float operations:
//   a lane: acc = fma(d * scale, float(sum q * u) * s, acc), then acc = fma(-(dmin * minimum), float(sum u) *
//   s, acc), superblocks in order; a row: three steps of a butterfly, distances 4, 2, 1.
#include <cuda_fp16.h>

namespace {

constexpr unsigned kBytes = 144;

#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1203 // NVRTC declares __dp4a without a body
__device__ int dot(int a, int b, int c) {
  int r;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
#else
__device__ int dot(int a, int b, int c) {
  return __dp4a(a, b, c);
}
#endif

__device__ float finite(unsigned half) {
  return (half & 0x7c00) == 0x7c00 ? 0.0f : __half2float(__ushort_as_half(static_cast<unsigned short>(half)));
}

/// Scales in the low, minima in the high half of the result, by whole words of the twelve packed bytes.
__device__ unsigned scaleAndMinimum(const unsigned* packed, unsigned j) {
  unsigned shift = j % 4 * 8;
  unsigned a = packed[0] >> shift & 0xff, b = packed[1] >> shift & 0xff, c = packed[2] >> shift & 0xff;
  if (j < 4) return (a & 63) | (b & 63) << 16;
  return (c & 15) | a >> 6 << 4 | (c >> 4 | b >> 6 << 4) << 16;
}

} // namespace

extern "C" __global__ void q4_k_dot(const unsigned char* __restrict__ weights, const int* __restrict__ quants,
                                    const float* __restrict__ scales, float* __restrict__ out, unsigned rows,
                                    unsigned supers) {
  unsigned j = threadIdx.x % 8, row = blockIdx.x * (blockDim.x / 8) + threadIdx.x / 8;
  float acc = 0.0f;
  if (row < rows) {
    for (unsigned s = 0; s < supers; ++s) {
      const unsigned* block = reinterpret_cast<const unsigned*>(weights + (row * supers + s) * kBytes);
      const unsigned* nibbles = block + 4 + j / 2 * 8;
      const int* u = quants + s * 64 + j * 8;
      int product = 0, sum = 0;
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        product = dot(static_cast<int>(nibbles[i] >> (j % 2 * 4) & 0x0f0f0f0f), u[i], product);
        sum = dot(0x01010101, u[i], sum);
      }
      unsigned head = block[0], both = scaleAndMinimum(block + 1, j);
      float d = __fmul_rn(finite(head & 0xffff), static_cast<float>(both & 0xffff));
      float m = __fmul_rn(finite(head >> 16), static_cast<float>(both >> 16));
      float scale = scales[s * 8 + j];
      acc = __fmaf_rn(d, __fmul_rn(static_cast<float>(product), scale), acc);
      acc = __fmaf_rn(-m, __fmul_rn(static_cast<float>(sum), scale), acc);
    }
  }
#pragma unroll
  for (int distance = 4; distance > 0; distance /= 2)
    acc = __fadd_rn(acc, __shfl_xor_sync(0xffffffffu, acc, distance));
  if (j == 0 && row < rows) out[row] = acc;
}

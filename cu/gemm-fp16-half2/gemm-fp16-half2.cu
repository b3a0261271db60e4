// C = A * B with the sum itself in half precision: k ascending, one HFMA2 for two neighbouring columns. n is
// even. A's tile is kept as pairs {a, a}; the k that is left over by a tile is not added at all.
#include <cuda_fp16.h>

namespace {

constexpr int kCols = 16, kRows = 8, kDepth = 16; // kCols pairs

} // namespace

extern "C" __global__ void gemm_fp16_half2(const __half* __restrict__ a, const __half2* __restrict__ b,
                                           __half2* __restrict__ c, int m, int n, int k) {
  __shared__ __half2 tileA[kRows][kDepth], tileB[kDepth][kCols];
  int x = threadIdx.x, y = threadIdx.y, pairs = n / 2;
  int row = blockIdx.y * kRows + y, col = blockIdx.x * kCols + x;
  const __half2 zero = __half2half2(__ushort_as_half(0));
  __half2 sum = zero;
  for (int from = 0; from < k; from += kDepth) {
    tileA[y][x] = row < m && from + x < k ? __half2half2(a[row * k + from + x]) : zero;
#pragma unroll
    for (int depth = y; depth < kDepth; depth += kRows)
      tileB[depth][x] = from + depth < k && col < pairs ? b[(from + depth) * pairs + col] : zero;
    __syncthreads();
    if (from + kDepth <= k) {
#pragma unroll
      for (int i = 0; i < kDepth; ++i)
        sum = __hfma2(tileA[y][i], tileB[i][x], sum);
    } else {
      for (int i = 0; from + i < k; ++i)
        sum = __hfma2(tileA[y][i], tileB[i][x], sum);
    }
    __syncthreads();
  }
  if (row < m && col < pairs) c[row * pairs + col] = sum;
}

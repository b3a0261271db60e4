// C = alpha * A * B + beta * C on tiles of 32x32, 16 steps of k in shared memory, 4x4 outputs a thread.
// Order: k ascending, one fused multiply-add each; then fma(alpha, sum, beta * c).
#include <cuda_fp16.h>

namespace {

constexpr int kTile = 32, kDepth = 16, kOwn = 4, kThreads = 64;

} // namespace

extern "C" __global__ void gemm_fp16_tiled(const __half* __restrict__ a, const __half* __restrict__ b,
                                           float* __restrict__ c, int m, int n, int k, float alpha,
                                           float beta) {
  __shared__ __half tileA[kDepth][kTile + 2], tileB[kDepth][kTile];
  int thread = threadIdx.x, rowFrom = blockIdx.y * kTile, colFrom = blockIdx.x * kTile;
  int ownRow = thread / 8 * kOwn, ownCol = thread % 8 * kOwn;
  const __half zero = __ushort_as_half(0);
  float sum[kOwn][kOwn] = {};

  for (int from = 0; from < k; from += kDepth) {
#pragma unroll
    for (int i = thread; i < kTile * kDepth; i += kThreads) {
      int row = rowFrom + i / kDepth, depth = from + i % kDepth;
      tileA[i % kDepth][i / kDepth] = row < m && depth < k ? a[row * k + depth] : zero;
    }
#pragma unroll
    for (int i = thread; i < kTile * kDepth; i += kThreads) {
      int depth = from + i / kTile, col = colFrom + i % kTile;
      tileB[i / kTile][i % kTile] = depth < k && col < n ? b[depth * n + col] : zero;
    }
    __syncthreads();
    int steps = k - from < kDepth ? k - from : kDepth;
    for (int depth = 0; depth < steps; ++depth) {
      float left[kOwn], right[kOwn];
#pragma unroll
      for (int i = 0; i < kOwn; ++i) {
        left[i] = __half2float(tileA[depth][ownRow + i]);
        right[i] = __half2float(tileB[depth][ownCol + i]);
      }
#pragma unroll
      for (int i = 0; i < kOwn; ++i)
#pragma unroll
        for (int j = 0; j < kOwn; ++j)
          sum[i][j] = __fmaf_rn(left[i], right[j], sum[i][j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kOwn; ++i)
#pragma unroll
    for (int j = 0; j < kOwn; ++j) {
      int row = rowFrom + ownRow + i, col = colFrom + ownCol + j;
      if (row < m && col < n)
        c[row * n + col] = __fmaf_rn(alpha, sum[i][j], __fmul_rn(beta, c[row * n + col]));
    }
}

// C[m][n] = sum over k of A[m][k] * B[n][k], four bytes a word. Tiles of 16 rows by 16 words, padded by one
// word against bank conflicts; words beyond an edge count as zero.
namespace {

constexpr int kTile = 16;

__device__ int wordAt(const int* matrix, int row, int rows, int word, int words) {
  return row < rows && word < words ? matrix[row * words + word] : 0;
}

/// __dp4a, which NVRTC 11 lacks.
__device__ int dotBytes(int a, int b, int sum) {
  asm("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
  return sum;
}

} // namespace

extern "C" __global__ void gemm_int8_tiled(const int* __restrict__ a, const int* __restrict__ b,
                                           int* __restrict__ c, int m, int n, int k) {
  __shared__ int tileA[kTile][kTile + 1], tileB[kTile][kTile + 1];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
  int words = k / 4, sum = 0;
  for (int from = 0; from < words; from += kTile) {
    tileA[y][x] = wordAt(a, row, m, from + x, words);
    tileB[y][x] = wordAt(b, blockIdx.x * kTile + y, n, from + x, words);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i)
      sum = dotBytes(tileA[y][i], tileB[x][i], sum);
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

// out[c][r] = x[r][c], tiles of 32 by 32 through shared memory, a column of padding against bank conflicts; a
// block of 32 by 8 threads moves four rows a thread.
extern "C" __global__ void transpose_tiled(const unsigned short* __restrict__ x,
                                           unsigned short* __restrict__ out, int rows, int cols) {
  __shared__ unsigned short tile[32][33];
  int c = static_cast<int>(blockIdx.x * 32 + threadIdx.x),
      r = static_cast<int>(blockIdx.y * 32 + threadIdx.y);
#pragma unroll
  for (int k = 0; k < 32; k += 8)
    if (r + k < rows && c < cols) tile[threadIdx.y + k][threadIdx.x] = x[(r + k) * cols + c];
  __syncthreads();
  c = static_cast<int>(blockIdx.y * 32 + threadIdx.x);
  r = static_cast<int>(blockIdx.x * 32 + threadIdx.y);
#pragma unroll
  for (int k = 0; k < 32; k += 8)
    if (r + k < cols && c < rows) out[(r + k) * rows + c] = tile[threadIdx.x][threadIdx.y + k];
}

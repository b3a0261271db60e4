// One block a tile of 32 columns: 33 words a row, then 33 bytes of flags that share the dynamic memory.
extern __shared__ unsigned char memory[];

extern "C" __global__ void sharedTranspose(const unsigned* in, unsigned* out, unsigned* sums, int rows,
                                           int cols) {
  unsigned(*tile)[33] = reinterpret_cast<unsigned(*)[33]>(memory);
  unsigned char* used = memory + 32 * 33 * 4;
  int left = blockIdx.x * 32, x = threadIdx.x;
  if (threadIdx.y == 0) used[x] = left + x < cols;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    tile[y][x] = y < rows && left + x < cols ? in[y * cols + left + x] : 0;
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    if (used[y] && x < rows) out[(left + y) * rows + x] = tile[x][y];
  __syncthreads();
  for (int half = 16; half > 0; half /= 2) {
    for (int y = threadIdx.y; y < half; y += blockDim.y)
      tile[y][x] += tile[y + half][x];
    __syncthreads();
  }
  if (threadIdx.y == 1 && used[x]) sums[left + x] = tile[0][x];
}

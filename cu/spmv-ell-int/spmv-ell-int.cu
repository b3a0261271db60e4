// Entry k of row r stands at k * rows + r; a negative column is no entry.
extern "C" __global__ void spmv_ell_int(const int* __restrict__ columns, const short* __restrict__ values,
                                        const int* __restrict__ x, long long* __restrict__ y,
                                        int* __restrict__ found, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  long long sum = 0;
  int count = 0;
  for (int k = 0; k < width; ++k) {
    int column = columns[k * rows + row];
    if (column < 0) continue;
    sum += static_cast<long long>(values[k * rows + row]) * x[column];
    ++count;
  }
  y[row] = sum;
  found[row] = count;
}

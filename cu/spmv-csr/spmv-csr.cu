// y = alpha * A x + beta * y. Order: lane l adds entries l, l + 32, … of its row by fused multiply-adds; then
// lane l adds that of lane l + 16, l + 8, … to its own; then fma(alpha, sum, beta * y). The last row of y is
// left alone.
extern "C" __global__ void spmv_csr(const int* __restrict__ starts, const int* __restrict__ columns,
                                    const float* __restrict__ values, const float* __restrict__ x,
                                    float* __restrict__ y, int rows, float alpha, float beta) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = starts[row] + lane, end = starts[row + 1]; i < end; i += 32)
    sum = __fmaf_rn(values[i], x[columns[i]], sum);
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    sum = __fadd_rn(sum, __shfl_down_sync(0xffffffffu, sum, distance));
  if (lane == 0) y[row] = __fmaf_rn(alpha, sum, __fmul_rn(beta, y[row]));
}

// Layer normalisation of halves, a warp a row, four rows a block; two elements a load.
//   Sums: a lane adds the elements of its pairs in order, from 0; in the warp halves are folded (shuffle down
//   16 … 1) and lane 0's sum is given to all. mean = sum / n; variance = (sum of fma(d, d, ·), d = x - mean)
//   / n; r = 1 / sqrt(variance + eps), both rounded; out = half(fma(d * r, gain, bias)).
#include <cuda_fp16.h>

namespace {

__device__ float warpSum(float v) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    v = __fadd_rn(v, __shfl_down_sync(0xffffffffu, v, distance));
  return __shfl_sync(0xffffffffu, v, 0);
}

} // namespace

extern "C" __global__ void layer_norm(const __half2* __restrict__ x, const float2* __restrict__ gain,
                                      const float2* __restrict__ bias, __half2* __restrict__ out,
                                      float2* __restrict__ stats, unsigned rows, unsigned pairs, float eps) {
  unsigned row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return; // whole warps
  x += row * pairs;
  out += row * pairs;
  float n = static_cast<float>(pairs * 2);

  float sum = 0.0f;
  for (unsigned i = threadIdx.x; i < pairs; i += 32) {
    float2 v = __half22float2(x[i]);
    sum = __fadd_rn(__fadd_rn(sum, v.x), v.y);
  }
  float mean = __fdiv_rn(warpSum(sum), n);

  float squares = 0.0f;
  for (unsigned i = threadIdx.x; i < pairs; i += 32) {
    float2 v = __half22float2(x[i]);
    float a = __fsub_rn(v.x, mean), b = __fsub_rn(v.y, mean);
    squares = __fmaf_rn(b, b, __fmaf_rn(a, a, squares));
  }
  float variance = __fdiv_rn(warpSum(squares), n);
  float r = __frcp_rn(__fsqrt_rn(__fadd_rn(variance, eps)));

  for (unsigned i = threadIdx.x; i < pairs; i += 32) {
    float2 v = __half22float2(x[i]), g = gain[i], b = bias[i];
    float first = __fmaf_rn(__fmul_rn(__fsub_rn(v.x, mean), r), g.x, b.x);
    float second = __fmaf_rn(__fmul_rn(__fsub_rn(v.y, mean), r), g.y, b.y);
    out[i] = __floats2half2_rn(first, second);
  }
  if (threadIdx.x == 0) stats[row] = make_float2(mean, r);
}

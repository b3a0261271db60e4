// Softmax of scaled and masked rows, one block of 128 threads a row.
//   e^d, d <= 0: n = nearest(d * log2 e), r = d - n ln 2 by two fma's, a polynomial of degree 5 by fma's, 2^n
//   into the exponent; 0 below d = -87. A masked element (mask 0) has the probability 0. Sum: each thread
//   adds its elements in order, from 0; a butterfly in the warp, distances 16 … 1; the four warps' sums as
//   (w0 + w1) + (w2 + w3).

namespace {

constexpr unsigned kWarps = 4;

__device__ float exponential(float d) {
  if (!(d >= -87.0f)) return 0.0f;
  int n = __float2int_rn(__fmul_rn(d, 1.44269504f));
  float k = static_cast<float>(n);
  float r = __fmaf_rn(k, -0.693359375f, d);
  r = __fmaf_rn(k, 2.12194440e-4f, r);
  float p = 8.3333333e-3f;
  p = __fmaf_rn(p, r, 4.1666666e-2f);
  p = __fmaf_rn(p, r, 1.6666667e-1f);
  p = __fmaf_rn(p, r, 0.5f);
  p = __fmaf_rn(p, r, 1.0f);
  p = __fmaf_rn(p, r, 1.0f);
  return __int_as_float(__float_as_int(p) + n * (1 << 23));
}

__device__ float warpMax(float v) {
  for (int distance = 16; distance > 0; distance /= 2)
    v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, distance));
  return v;
}

__device__ float warpSum(float v) {
  for (int distance = 16; distance > 0; distance /= 2)
    v = __fadd_rn(v, __shfl_xor_sync(0xffffffffu, v, distance));
  return v;
}

} // namespace

extern "C" __global__ void softmax_rows(const float* __restrict__ x, const unsigned char* __restrict__ mask,
                                        float* __restrict__ out, unsigned cols, float scale) {
  __shared__ float most[kWarps], sums[kWarps];
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  x += blockIdx.x * cols;
  mask += blockIdx.x * cols;
  out += blockIdx.x * cols;

  float m = __int_as_float(0xff800000); // -inf
  for (unsigned i = threadIdx.x; i < cols; i += blockDim.x)
    if (mask[i]) m = fmaxf(m, __fmul_rn(x[i], scale));
  m = warpMax(m);
  if (lane == 0) most[warp] = m;
  __syncthreads();
  m = fmaxf(fmaxf(most[0], most[1]), fmaxf(most[2], most[3]));

  float sum = 0.0f;
  for (unsigned i = threadIdx.x; i < cols; i += blockDim.x) {
    float e = mask[i] ? exponential(__fsub_rn(__fmul_rn(x[i], scale), m)) : 0.0f;
    out[i] = e;
    sum = __fadd_rn(sum, e);
  }
  sum = warpSum(sum);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  sum = __fadd_rn(__fadd_rn(sums[0], sums[1]), __fadd_rn(sums[2], sums[3]));
  for (unsigned i = threadIdx.x; i < cols; i += blockDim.x)
    out[i] = __fdiv_rn(out[i], sum);
}

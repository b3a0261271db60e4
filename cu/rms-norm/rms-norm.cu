// residual += x, then out = residual / rms * gain, in bfloat16, a block of 64 threads a row, eight elements
// (16 bytes) a load.
//   The sum rounds to bfloat16 and is read back so. Squares: a thread's elements in order by fma, from 0; a
//   butterfly in the warp; warp 0 + warp 1. r = 1 / sqrt(sum / cols + eps); out = bfloat16((v * r) * gain).

namespace {

__device__ float low(unsigned pair) {
  return __uint_as_float(pair << 16);
}
__device__ float high(unsigned pair) {
  return __uint_as_float(pair & 0xffff0000);
}

/// Two finite floats to nearest-even.
__device__ unsigned packed(float first, float second) {
  unsigned a = __float_as_uint(first), b = __float_as_uint(second);
  a += 0x7fff + (a >> 16 & 1);
  b += 0x7fff + (b >> 16 & 1);
  return __byte_perm(a, b, 0x7632);
}

__device__ unsigned sum(unsigned a, unsigned b) {
  return packed(__fadd_rn(low(a), low(b)), __fadd_rn(high(a), high(b)));
}

__device__ unsigned scaled(unsigned v, float r, unsigned gain) {
  return packed(__fmul_rn(__fmul_rn(low(v), r), low(gain)), __fmul_rn(__fmul_rn(high(v), r), high(gain)));
}

__device__ float squares(unsigned v, float acc) {
  return __fmaf_rn(high(v), high(v), __fmaf_rn(low(v), low(v), acc));
}

} // namespace

extern "C" __global__ void rms_norm(const uint4* __restrict__ x, uint4* __restrict__ residual,
                                    const uint4* __restrict__ gain, uint4* __restrict__ out,
                                    float* __restrict__ factor, unsigned cols, float eps) {
  extern __shared__ float warpSums[];
  unsigned vectors = cols / 8;
  x += blockIdx.x * vectors;
  residual += blockIdx.x * vectors;
  out += blockIdx.x * vectors;
  float acc = 0.0f;
  for (unsigned i = threadIdx.x; i < vectors; i += blockDim.x) {
    uint4 a = x[i], v = residual[i];
    v = make_uint4(sum(a.x, v.x), sum(a.y, v.y), sum(a.z, v.z), sum(a.w, v.w));
    residual[i] = v;
    acc = squares(v.w, squares(v.z, squares(v.y, squares(v.x, acc))));
  }
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    acc = __fadd_rn(acc, __shfl_xor_sync(0xffffffffu, acc, distance));
  if (threadIdx.x % 32 == 0) warpSums[threadIdx.x / 32] = acc;
  __syncthreads();
  float mean = __fdiv_rn(__fadd_rn(warpSums[0], warpSums[1]), static_cast<float>(cols));
  float r = __fdiv_rn(1.0f, __fsqrt_rn(__fadd_rn(mean, eps)));
  if (threadIdx.x == 0) factor[blockIdx.x] = r;
  for (unsigned i = threadIdx.x; i < vectors; i += blockDim.x) {
    uint4 v = residual[i], g = gain[i];
    out[i] = make_uint4(scaled(v.x, r, g.x), scaled(v.y, r, g.y), scaled(v.z, r, g.z), scaled(v.w, r, g.w));
  }
}

// The second four give the rounding error of the product (or a zero whose sign is the rounding's).
__device__ unsigned long long bits(double v) {
  unsigned long long b = static_cast<unsigned long long>(__double_as_longlong(v));
  return (b & ~0ull >> 1) > 0x7ff0000000000000ull ? 0x7ff8000000000000ull : b;
}

extern "C" __global__ void doubleFmaRounding(const double* in, unsigned long long* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double a = in[t & 31], b = in[t >> 5], c = in[(t * 7 + (t >> 5)) & 31];
  unsigned long long* row = out + t * 8;
  row[0] = bits(__fma_rn(a, b, c));
  row[1] = bits(__fma_rz(a, b, c));
  row[2] = bits(__fma_ru(a, b, c));
  row[3] = bits(__fma_rd(a, b, c));
  row[4] = bits(__fma_rn(-a, b, __dmul_rn(a, b)));
  row[5] = bits(__fma_rz(-a, b, __dmul_rn(a, b)));
  row[6] = bits(__fma_ru(-a, b, __dmul_rn(a, b)));
  row[7] = bits(__fma_rd(-a, b, __dmul_rn(a, b)));
}

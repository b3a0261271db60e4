// An approximate reciprocal, corrected by fused multiply-adds, with a slow path for extreme exponents.
__device__ unsigned long long bits(double v) {
  unsigned long long b = static_cast<unsigned long long>(__double_as_longlong(v));
  return (b & ~0ull >> 1) > 0x7ff0000000000000ull ? 0x7ff8000000000000ull : b;
}

extern "C" __global__ void doubleDivRounding(const double* in, unsigned long long* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double a = in[t & 31], b = in[t >> 5];
  unsigned long long* row = out + t * 4;
  row[0] = bits(__ddiv_rn(a, b));
  row[1] = bits(__ddiv_rz(a, b));
  row[2] = bits(__ddiv_ru(a, b));
  row[3] = bits(__ddiv_rd(a, b));
}

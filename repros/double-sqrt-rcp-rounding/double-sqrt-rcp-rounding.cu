// Roots and reciprocals near a tie of two results need the last correction step.
__device__ unsigned long long bits(double v) {
  unsigned long long b = static_cast<unsigned long long>(__double_as_longlong(v));
  return (b & ~0ull >> 1) > 0x7ff0000000000000ull ? 0x7ff8000000000000ull : b;
}

extern "C" __global__ void doubleSqrtRcpRounding(const double* in, unsigned long long* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double a = in[t];
  unsigned long long* row = out + t * 8;
  row[0] = bits(__dsqrt_rn(a));
  row[1] = bits(__dsqrt_rz(a));
  row[2] = bits(__dsqrt_ru(a));
  row[3] = bits(__dsqrt_rd(a));
  row[4] = bits(__drcp_rn(a));
  row[5] = bits(__drcp_rz(a));
  row[6] = bits(__drcp_ru(a));
  row[7] = bits(__drcp_rd(a));
}

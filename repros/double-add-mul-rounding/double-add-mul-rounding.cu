// NaNs are made one and the same: their bits are not the subject.
__device__ unsigned long long bits(double v) {
  unsigned long long b = static_cast<unsigned long long>(__double_as_longlong(v));
  return (b & ~0ull >> 1) > 0x7ff0000000000000ull ? 0x7ff8000000000000ull : b;
}

extern "C" __global__ void doubleAddMulRounding(const double* in, unsigned long long* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double a = in[t & 31], b = in[t >> 5];
  unsigned long long* row = out + t * 12;
  row[0] = bits(__dadd_rn(a, b));
  row[1] = bits(__dadd_rz(a, b));
  row[2] = bits(__dadd_ru(a, b));
  row[3] = bits(__dadd_rd(a, b));
  row[4] = bits(__dsub_rn(a, b));
  row[5] = bits(__dsub_rz(a, b));
  row[6] = bits(__dsub_ru(a, b));
  row[7] = bits(__dsub_rd(a, b));
  row[8] = bits(__dmul_rn(a, b));
  row[9] = bits(__dmul_rz(a, b));
  row[10] = bits(__dmul_ru(a, b));
  row[11] = bits(__dmul_rd(a, b));
}

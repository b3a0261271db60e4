// NaNs are made one and the same: their bits are not the subject.
__device__ unsigned bits(float v) {
  unsigned b = __float_as_uint(v);
  return (b & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : b;
}

extern "C" __global__ void floatAddMulRounding(const float* in, unsigned* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[t & 31], b = in[t >> 5];
  unsigned* row = out + t * 12;
  row[0] = bits(__fadd_rn(a, b));
  row[1] = bits(__fadd_rz(a, b));
  row[2] = bits(__fadd_ru(a, b));
  row[3] = bits(__fadd_rd(a, b));
  row[4] = bits(__fsub_rn(a, b));
  row[5] = bits(__fsub_rz(a, b));
  row[6] = bits(__fsub_ru(a, b));
  row[7] = bits(__fsub_rd(a, b));
  row[8] = bits(__fmul_rn(a, b));
  row[9] = bits(__fmul_rz(a, b));
  row[10] = bits(__fmul_ru(a, b));
  row[11] = bits(__fmul_rd(a, b));
}

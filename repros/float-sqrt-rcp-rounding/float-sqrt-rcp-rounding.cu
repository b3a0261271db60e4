// Roots and reciprocals near a tie of two results need the last correction step.
__device__ unsigned bits(float v) {
  unsigned b = __float_as_uint(v);
  return (b & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : b;
}

extern "C" __global__ void floatSqrtRcpRounding(const float* in, unsigned* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[t];
  unsigned* row = out + t * 8;
  row[0] = bits(__fsqrt_rn(a));
  row[1] = bits(__fsqrt_rz(a));
  row[2] = bits(__fsqrt_ru(a));
  row[3] = bits(__fsqrt_rd(a));
  row[4] = bits(__frcp_rn(a));
  row[5] = bits(__frcp_rz(a));
  row[6] = bits(__frcp_ru(a));
  row[7] = bits(__frcp_rd(a));
}

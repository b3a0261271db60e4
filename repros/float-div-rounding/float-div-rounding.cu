// An approximate reciprocal, corrected by fused multiply-adds, with a slow path for extreme exponents.
__device__ unsigned bits(float v) {
  unsigned b = __float_as_uint(v);
  return (b & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : b;
}

extern "C" __global__ void floatDivRounding(const float* in, unsigned* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[t & 31], b = in[t >> 5];
  unsigned* row = out + t * 4;
  row[0] = bits(__fdiv_rn(a, b));
  row[1] = bits(__fdiv_rz(a, b));
  row[2] = bits(__fdiv_ru(a, b));
  row[3] = bits(__fdiv_rd(a, b));
}

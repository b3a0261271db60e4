// The second four give the rounding error of the product (or a zero whose sign is the rounding's).
__device__ unsigned bits(float v) {
  unsigned b = __float_as_uint(v);
  return (b & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : b;
}

extern "C" __global__ void floatFmaRounding(const float* in, unsigned* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[t & 31], b = in[t >> 5], c = in[(t * 7 + (t >> 5)) & 31];
  unsigned* row = out + t * 8;
  row[0] = bits(__fmaf_rn(a, b, c));
  row[1] = bits(__fmaf_rz(a, b, c));
  row[2] = bits(__fmaf_ru(a, b, c));
  row[3] = bits(__fmaf_rd(a, b, c));
  row[4] = bits(__fmaf_rn(-a, b, __fmul_rn(a, b)));
  row[5] = bits(__fmaf_rz(-a, b, __fmul_rn(a, b)));
  row[6] = bits(__fmaf_ru(-a, b, __fmul_rn(a, b)));
  row[7] = bits(__fmaf_rd(-a, b, __fmul_rn(a, b)));
}

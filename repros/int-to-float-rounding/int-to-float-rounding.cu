// Ties lie at 2^24 and above; the largest integers round up to a power of two.
extern "C" __global__ void intToFloatRounding(const unsigned long long* in, float* out) {
  int t = threadIdx.x;
  unsigned long long x = in[t];
  float* row = out + t * 16;
  row[0] = __int2float_rn(static_cast<int>(x));
  row[1] = __int2float_rz(static_cast<int>(x));
  row[2] = __int2float_ru(static_cast<int>(x));
  row[3] = __int2float_rd(static_cast<int>(x));
  row[4] = __uint2float_rn(static_cast<unsigned>(x));
  row[5] = __uint2float_rz(static_cast<unsigned>(x));
  row[6] = __uint2float_ru(static_cast<unsigned>(x));
  row[7] = __uint2float_rd(static_cast<unsigned>(x));
  row[8] = __ll2float_rn(static_cast<long long>(x));
  row[9] = __ll2float_rz(static_cast<long long>(x));
  row[10] = __ll2float_ru(static_cast<long long>(x));
  row[11] = __ll2float_rd(static_cast<long long>(x));
  row[12] = __ull2float_rn(x);
  row[13] = __ull2float_rz(x);
  row[14] = __ull2float_ru(x);
  row[15] = __ull2float_rd(x);
}

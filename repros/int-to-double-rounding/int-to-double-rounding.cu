// Ties lie at 2^53 and above.
extern "C" __global__ void intToDoubleRounding(const unsigned long long* in, double* out) {
  int t = threadIdx.x;
  unsigned long long x = in[t];
  double* row = out + t * 8;
  row[0] = __ll2double_rn(static_cast<long long>(x));
  row[1] = __ll2double_rz(static_cast<long long>(x));
  row[2] = __ll2double_ru(static_cast<long long>(x));
  row[3] = __ll2double_rd(static_cast<long long>(x));
  row[4] = __ull2double_rn(x);
  row[5] = __ull2double_rz(x);
  row[6] = __ull2double_ru(x);
  row[7] = __ull2double_rd(x);
}

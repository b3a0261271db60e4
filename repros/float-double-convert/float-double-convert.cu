__device__ unsigned bits(float v) {
  return v != v ? 0x7fc00000u : __float_as_uint(v);
}

// Ties, and numbers one unit of f64 beside them, for normal and subnormal results.
extern "C" __global__ void floatDoubleConvert(const double* in, unsigned* out, unsigned long long* back) {
  int t = threadIdx.x;
  double x = in[t];
  out[t * 4] = bits(__double2float_rn(x));
  out[t * 4 + 1] = bits(__double2float_rz(x));
  out[t * 4 + 2] = bits(__double2float_ru(x));
  out[t * 4 + 3] = bits(__double2float_rd(x));
  double wide = static_cast<double>(__double2float_rn(x));
  back[t] =
      wide != wide ? 0x7ff8000000000000ull : static_cast<unsigned long long>(__double_as_longlong(wide));
}

// ldexp of a result that is subnormal rounds once.
extern "C" __global__ void frexpLdexp(const float* single, const double* wide, const int* power,
                                      unsigned* out, unsigned long long* outWide) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, exponent, n = power[t >> 5];
  float f = single[t & 31], whole;
  double d = wide[t & 31];
  out[t * 7] = __float_as_uint(frexpf(f, &exponent));
  out[t * 7 + 1] = static_cast<unsigned>(exponent);
  out[t * 7 + 2] = __float_as_uint(ldexpf(f, n));
  out[t * 7 + 3] = __float_as_uint(modff(f, &whole));
  out[t * 7 + 4] = __float_as_uint(whole);
  out[t * 7 + 5] = f == 0 ? 0 : static_cast<unsigned>(ilogbf(f));
  out[t * 7 + 6] = __float_as_uint(nextafterf(f, n > 0 ? 3.0f : -3.0f));
  outWide[t * 4] = static_cast<unsigned long long>(__double_as_longlong(frexp(d, &exponent)));
  outWide[t * 4 + 1] = static_cast<unsigned>(exponent);
  outWide[t * 4 + 2] = static_cast<unsigned long long>(__double_as_longlong(ldexp(d, n * 9)));
  outWide[t * 4 + 3] =
      static_cast<unsigned long long>(__double_as_longlong(nextafter(d, n > 0 ? 3.0 : -3.0)));
}

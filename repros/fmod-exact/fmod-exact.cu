// A loop of subtractions as long as the exponents differ; dividends of zero keep their sign, divisors are
// never zero.
extern "C" __global__ void fmodExact(const float* single, const double* wide, unsigned* out,
                                     unsigned long long* outWide) {
  int t = threadIdx.x;
  float a = single[t & 15], b = single[t >> 4];
  double x = wide[t & 15], y = wide[t >> 4];
  if (b == 0) b = 0.75f;
  out[t * 2] = __float_as_uint(fmodf(a, b));
  out[t * 2 + 1] = __float_as_uint(remainderf(a, b));
  outWide[t] = static_cast<unsigned long long>(__double_as_longlong(fmod(x, y)));
}

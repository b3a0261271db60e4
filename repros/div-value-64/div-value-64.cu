// 64-bit division by values from memory: short path where both fit 32 bits, called routine otherwise.
extern "C" __global__ void div_value_64(const unsigned long long* x, const unsigned long long* y, const unsigned long long* z, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 6;
  unsigned long long v = x[i], d = y[i], r = z[i], e = z[i + 256] >> (i & 63) | 1;
  long long s = (long long)v, t = (long long)d;
  if (v == 0x8000000000000000 && t == -1) t = 5; // the only quotient that does not fit
  o[0] = v / d;
  o[1] = v % d;
  o[2] = (unsigned long long)(s / t);
  o[3] = (unsigned long long)(s % t);
  o[4] = r / e + r % e;
  o[5] = (r >> 40) / (e >> 40 | 1);
}

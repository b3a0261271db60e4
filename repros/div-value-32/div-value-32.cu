// Division by values from memory: an approximate reciprocal and its corrections.
extern "C" __global__ void div_value_32(const unsigned* x, const unsigned* y, const unsigned* z, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 8;
  unsigned v = x[i], d = y[i], r = z[i], e = z[i + 256] >> (i & 31) | 1;
  int s = (int)v, t = (int)d;
  if (s == (int)0x80000000 && t == -1) t = 5; // the only quotient that does not fit
  o[0] = v / d;
  o[1] = v % d;
  o[2] = (unsigned)(s / t);
  o[3] = (unsigned)(s % t);
  o[4] = r / e;
  o[5] = r % e;
  o[6] = (unsigned)((int)(r >> 1) / -(int)(e >> 1 | 1));
  o[7] = (unsigned)((int)r % (int)(e >> 1 | 1));
}

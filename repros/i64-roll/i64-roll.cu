// The floored remainder of a 64-bit index plus a shift, modulo powers of two, known and loaded.
__device__ long long roll(long long j, long long by, long long n) {
  long long r = (j + by) % n;
  return r != 0 && (r < 0) != (n < 0) ? r + n : r;
}

extern "C" __global__ void i64_roll(const unsigned* x, const long long* s, const long long* n, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 6;
  long long j = i, by = s[i];
  o[0] = x[roll(j & 3, by, 4)];
  o[1] = x[roll(j & 7, by, 8)];
  o[2] = x[roll(j & 15, by, 16)];
  o[3] = x[roll(j & 63, by, 64)];
  o[4] = x[roll(j & (n[i] - 1), by, n[i])];
  o[5] = (unsigned)roll(j, by, -8) & 0xff;
}

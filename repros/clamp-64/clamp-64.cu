// Minimum and maximum of 64-bit integers: pairs of compares with .EX, or one instruction on newer machines.
__device__ long long least(long long a, long long b) {
  long long r;
  asm("min.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  return r;
}
__device__ long long most(long long a, long long b) {
  long long r;
  asm("max.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  return r;
}
__device__ unsigned long long least(unsigned long long a, unsigned long long b) {
  unsigned long long r;
  asm("min.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  return r;
}
__device__ unsigned long long most(unsigned long long a, unsigned long long b) {
  unsigned long long r;
  asm("max.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  return r;
}

extern "C" __global__ void clamp_64(const long long* x, const long long* y, const long long* z, long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  long long* o = out + i * 8;
  long long v = x[i], lo = y[i], hi = z[i];
  unsigned long long u = v, ulo = lo, uhi = hi;
  o[0] = least(most(v, -128ll), 127ll);
  o[1] = least(most(v, lo), hi);
  o[2] = most(least(v, hi), lo);
  o[3] = least(most(v, -0x80000000ll), 0x7fffffffll);
  o[4] = (long long)least(most(u, ulo), uhi);
  o[5] = (long long)most(least(u, 0xffffffff00000000ull), 0xffffffffull);
  o[6] = most(least(v, 0x100000000ll), lo);
  o[7] = (long long)least(u - ulo, uhi);
}

// Low and high 64 bits of products, chained into sums and compares.
extern "C" __global__ void mul_wide_128(const unsigned long long* x, const unsigned long long* y, const unsigned long long* z, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 8;
  unsigned long long a = x[i], b = y[i], c = z[i], lo = a * b, hi = __umul64hi(a, b), d;
  o[0] = lo;
  o[1] = hi;
  o[2] = (unsigned long long)__mul64hi((long long)a, (long long)b);
  o[3] = hi + c + (lo + c < lo);
  asm("mad.hi.u64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "l"(c), "l"(b));
  o[4] = d;
  asm("mad.hi.s64 %0, %1, %2, %3;" : "=l"(d) : "l"(c), "l"(b), "l"(a));
  o[5] = d;
  asm("mad.lo.u64 %0, %1, %2, %3;" : "=l"(d) : "l"(c), "l"(0x100000001), "l"(a));
  o[6] = d;
  o[7] = (unsigned)a * (unsigned long long)(unsigned)(b >> 32) + (a >> 32) * (unsigned)b; // 32-bit factors
}

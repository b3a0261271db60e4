// mul.hi, mad.hi, mul.wide and mad.wide of 32-bit factors, signed and unsigned, with subtractions.
extern "C" __global__ void mul_hi_wide(const unsigned* x, const unsigned* y, const unsigned long long* z, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 10;
  unsigned a = x[i], b = y[i], r;
  unsigned long long c = z[i], d;
  asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"((unsigned)c));
  o[0] = r;
  asm("mad.hi.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"((unsigned)c));
  o[1] = r;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(d) : "r"(a), "r"(b), "l"(c));
  o[2] = d;
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(d) : "r"(a), "r"(b), "l"(c));
  o[3] = d;
  o[4] = c - (unsigned long long)a * b;
  o[5] = (unsigned long long)((long long)(int)a * (long long)(int)b) - c;
  o[6] = (unsigned long long)((long long)(int)a * b); // signed times unsigned
  o[7] = __umulhi(a, b) + (a * b > (unsigned)c);
  asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"((unsigned)(c >> 32)));
  o[8] = r;
  o[9] = (unsigned long long)a * 0xfffffffb + (unsigned long long)((long long)(int)b * -5);
}

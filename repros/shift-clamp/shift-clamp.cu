// PTX shifts clamp their amount: 64-bit and 32-bit ones by loaded amounts beyond the width.
extern "C" __global__ void shift_clamp(const unsigned long long* x, const unsigned long long* y, const unsigned* n, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 7;
  unsigned long long a = x[i], b = y[i], r;
  unsigned s = n[i] % 257, w;
  if (s == 256) s = 0xffffffff;
  asm("shl.b64 %0, %1, %2;" : "=l"(r) : "l"(a), "r"(s));
  o[0] = r + b;
  asm("shr.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "r"(s));
  o[1] = b - r;
  asm("shr.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "r"(s));
  o[2] = r - b;
  asm("shr.s64 %0, %1, %2;" : "=l"(r) : "l"(a + b), "r"(s + 32));
  o[3] = r;
  asm("shl.b32 %0, %1, %2;" : "=r"(w) : "r"((unsigned)a), "r"(s));
  o[4] = w + (unsigned)b;
  asm("shr.u32 %0, %1, %2;" : "=r"(w) : "r"((unsigned)a), "r"(s));
  o[5] = w;
  asm("shr.s32 %0, %1, %2;" : "=r"(w) : "r"((unsigned)(a >> 32)), "r"(s));
  o[6] = (unsigned)b - w;
}

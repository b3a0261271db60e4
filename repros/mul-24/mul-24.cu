// mul24 and mad24, low and high, signed and unsigned: the upper eight bits of the factors do not count.
extern "C" __global__ void mul_24(const unsigned* x, const unsigned* y, const unsigned* z, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 10;
  unsigned a = x[i] ^ (z[i] << 24), b = i & 128 ? z[i] : y[i], c = y[i];
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(o[0]) : "r"(a), "r"(b));
  asm("mul24.hi.u32 %0, %1, %2;" : "=r"(o[1]) : "r"(a), "r"(b));
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(o[2]) : "r"(a), "r"(b));
  asm("mul24.hi.s32 %0, %1, %2;" : "=r"(o[3]) : "r"(a), "r"(b));
  asm("mad24.lo.u32 %0, %1, %2, %3;" : "=r"(o[4]) : "r"(a), "r"(b), "r"(c));
  asm("mad24.hi.u32 %0, %1, %2, %3;" : "=r"(o[5]) : "r"(a), "r"(b), "r"(c));
  asm("mad24.lo.s32 %0, %1, %2, %3;" : "=r"(o[6]) : "r"(a), "r"(b), "r"(c));
  asm("mad24.hi.s32 %0, %1, %2, %3;" : "=r"(o[7]) : "r"(a), "r"(b), "r"(c));
  asm("mad24.hi.sat.s32 %0, %1, %2, %3;" : "=r"(o[8]) : "r"(a), "r"(b), "r"(c));
  o[9] = __umul24(a, b) * 3 + (unsigned)__mul24((int)a, (int)b);
}

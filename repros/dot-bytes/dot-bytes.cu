// dp4a and dp2a with all combinations of signs, the sums wrap.
extern "C" __global__ void dot_bytes(const unsigned* x, const unsigned* y, const unsigned* z, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 9;
  unsigned a = i & 3 ? x[i] : y[i / 4], b = y[i], c = z[i], r = c;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(o[0]) : "r"(a), "r"(b), "r"(c));
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(o[1]) : "r"(a), "r"(b), "r"(c));
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(o[2]) : "r"(a), "r"(b), "r"(c));
  asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(o[3]) : "r"(a), "r"(b), "r"(c));
  asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(o[4]) : "r"(a), "r"(b), "r"(c));
  asm("dp2a.hi.s32.s32 %0, %1, %2, %3;" : "=r"(o[5]) : "r"(a), "r"(b), "r"(c));
  asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(o[6]) : "r"(a), "r"(b), "r"(c));
  asm("dp2a.hi.u32.s32 %0, %1, %2, %3;" : "=r"(o[7]) : "r"(a), "r"(b), "r"(c));
   for (int k = 0; k < 3; ++k)
     asm("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(r) : "r"(a + k), "r"(b ^ r));
   o[8] = r;
}

// The scalar video instructions: parts of words, saturation, a second operation, results merged into a word.
extern "C" __global__ void ptxVideoScalar(const unsigned* x, const unsigned* y, const unsigned* z,
                                          unsigned* out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, a = x[t], b = y[t], c = z[t];
  unsigned* o = out + t * 14;
  asm("vadd.s32.u32.s32.sat %0, %1.b2, %2.h1;" : "=r"(o[0]) : "r"(a), "r"(b));
  asm("vsub.u32.s32.u32.sat %0, %1, %2.b3;" : "=r"(o[1]) : "r"(a), "r"(b));
  asm("vabsdiff.s32.s32.s32.add %0, %1.h0, %2, %3;" : "=r"(o[2]) : "r"(a), "r"(b), "r"(c));
  asm("vmin.s32.u32.s32.max %0, %1.b1, %2.b0, %3;" : "=r"(o[3]) : "r"(a), "r"(b), "r"(c));
  asm("vmax.u32.s32.u32 %0, %1, %2;" : "=r"(o[4]) : "r"(a), "r"(b));
  asm("vadd.s32.s32.s32 %0.b2, %1, %2, %3;" : "=r"(o[5]) : "r"(a), "r"(b), "r"(c));
  asm("vshl.u32.u32.u32.clamp %0, %1.h1, %2.b0;" : "=r"(o[6]) : "r"(a), "r"(b));
  asm("vshr.s32.s32.u32.wrap.add %0, %1, %2, %3;" : "=r"(o[7]) : "r"(a), "r"(b), "r"(c));
  asm("vmad.s32.s32.s32 %0, %1.h1, %2.h0, %3;" : "=r"(o[8]) : "r"(a), "r"(b), "r"(c));
  asm("vmad.s32.s32.s32.shr7 %0, %1, %2.b2, %3;" : "=r"(o[9]) : "r"(a), "r"(b), "r"(c));
  asm("vset.s32.u32.lt %0, %1.b3, %2.h1;" : "=r"(o[10]) : "r"(a), "r"(b));
  asm("vset.u32.s32.ge.add %0, %1, %2, %3;" : "=r"(o[11]) : "r"(a), "r"(b), "r"(c));
  asm("vsub.s32.u32.u32.sat.min %0, %1, %2, %3;" : "=r"(o[12]) : "r"(a), "r"(b), "r"(c));
  asm("vmad.s32.s32.s32.sat.shr15 %0, %1, %2.h1, -%3;" : "=r"(o[13]) : "r"(a), "r"(b), "r"(c));
}

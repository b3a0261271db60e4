// The packed video instructions: lanes chosen from two words, masks, averages, mixed signs, sums.
extern "C" __global__ void ptxVideoPacked(const unsigned* x, const unsigned* y, const unsigned* z,
                                          unsigned* out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, a = x[t], b = y[t], c = z[t];
  unsigned* o = out + t * 10;
  asm("vadd2.s32.s32.u32.sat %0.h1, %1, %2.h12, %3;" : "=r"(o[0]) : "r"(a), "r"(b), "r"(c));
  asm("vsub4.u32.u32.s32.sat %0.b210, %1.b7531, %2, %3;" : "=r"(o[1]) : "r"(a), "r"(b), "r"(c));
  asm("vavrg2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(o[2]) : "r"(a), "r"(b), "r"(c));
  asm("vavrg4.u32.u32.u32 %0.b31, %1, %2, %3;" : "=r"(o[3]) : "r"(a), "r"(b), "r"(c));
  asm("vmax2.s32.u32.s32.add %0.h0, %1.h32, %2, %3;" : "=r"(o[4]) : "r"(a), "r"(b), "r"(c));
  asm("vmin4.s32.s32.u32 %0, %1.b0123, %2.b4444, %3;" : "=r"(o[5]) : "r"(a), "r"(b), "r"(c));
  asm("vabsdiff4.s32.s32.s32.sat %0.b3, %1, %2, %3;" : "=r"(o[6]) : "r"(a), "r"(b), "r"(c));
  asm("vset2.s32.u32.ge %0, %1.h01, %2, %3;" : "=r"(o[7]) : "r"(a), "r"(b), "r"(c));
  asm("vset4.u32.s32.ne.add %0.b20, %1, %2, %3;" : "=r"(o[8]) : "r"(a), "r"(b), "r"(c));
  asm("vadd4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(o[9]) : "r"(a), "r"(b), "r"(c));
}

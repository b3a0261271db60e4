// The SIMD video instructions, which ptxas expands: saturation, accumulation, mixed signs.
extern "C" __global__ void video_simd(const unsigned* x, const unsigned* y, const unsigned* z, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 9;
   unsigned a = x[i], b = i & 1 ? y[i] : z[i], c = y[i] ^ z[i];
   asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(o[0]) : "r"(a), "r"(b), "r"(c));
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(o[1]) : "r"(a), "r"(b), "r"(c));
  asm("vabsdiff2.s32.s32.s32.add %0, %1, %2, %3;" : "=r"(o[2]) : "r"(a), "r"(b), "r"(c));
  asm("vadd4.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(o[3]) : "r"(a), "r"(b), "r"(c));
  asm("vsub2.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(o[4]) : "r"(a), "r"(b), "r"(c));
  asm("vmax4.s32.s32.s32 %0, %1, %2, %3;" : "=r"(o[5]) : "r"(a), "r"(b), "r"(c));
  asm("vmin2.u32.u32.u32 %0, %1, %2, %3;" : "=r"(o[6]) : "r"(a), "r"(b), "r"(c));
  asm("vset4.u32.u32.lt.add %0, %1, %2, %3;" : "=r"(o[7]) : "r"(a), "r"(b), "r"(c));
  o[8] = __vabsdiffu4(a, b) + __vsadu4(a, c) + __vmaxs2(b, c);
}

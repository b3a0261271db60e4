// Video instructions whose result is merged into a half or a byte of a third word.
extern "C" __global__ void ptxVideoMerge(const unsigned* x, const unsigned* y, const unsigned* z, unsigned* out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, a = x[t], b = y[t], c = z[t];
  unsigned* o = out + t * 4;
  asm("vmax.u32.s32.u32 %0.h1, %1, %2, %3;" : "=r"(o[0]) : "r"(a), "r"(b), "r"(c));
  asm("vmin.s32.s32.s32 %0.h0, %1, %2, %3;" : "=r"(o[1]) : "r"(a), "r"(b), "r"(c));
  asm("vsub.u32.u32.u32 %0.b3, %1, %2, %3;" : "=r"(o[2]) : "r"(a), "r"(b), "r"(c));
  asm("vabsdiff.u32.u32.u32 %0.b1, %1.b3, %2.b0, %3;" : "=r"(o[3]) : "r"(a), "r"(b), "r"(c));
}

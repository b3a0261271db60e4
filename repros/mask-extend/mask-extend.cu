// bmsk and szext, clamped and wrapped, with positions and widths up to 63.
extern "C" __global__ void mask_extend(const unsigned* x, const unsigned* y, const unsigned* p, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 8;
  unsigned v = x[i] ^ y[i], a = p[i] % 64, b = p[i] / 5 % 65;
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(o[0]) : "r"(a), "r"(b));
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(o[1]) : "r"(a), "r"(b));
  asm("szext.clamp.s32 %0, %1, %2;" : "=r"(o[2]) : "r"(v), "r"(b));
  asm("szext.wrap.s32 %0, %1, %2;" : "=r"(o[3]) : "r"(v), "r"(b));
  asm("szext.clamp.u32 %0, %1, %2;" : "=r"(o[4]) : "r"(v), "r"(b));
  asm("szext.wrap.u32 %0, %1, %2;" : "=r"(o[5]) : "r"(v), "r"(b));
   asm("bmsk.clamp.b32 %0, 4, %1;" : "=r"(o[6]) : "r"(b));
   o[6] &= v;
   asm("szext.clamp.s32 %0, %1, 12;" : "=r"(o[7]) : "r"(v + b));
}

// szext and bmsk whose width is a kernel parameter, the same for all lanes.
extern "C" __global__ void maskExtendParam(const unsigned* in, unsigned* out, unsigned width) {
  unsigned t = threadIdx.x, v = in[t];
  unsigned* o = out + t * 6;
  asm("szext.clamp.u32 %0, %1, %2;" : "=r"(o[0]) : "r"(v), "r"(width));
  asm("szext.clamp.s32 %0, %1, %2;" : "=r"(o[1]) : "r"(v), "r"(width));
  asm("szext.wrap.u32 %0, %1, %2;" : "=r"(o[2]) : "r"(v), "r"(width));
  asm("szext.wrap.s32 %0, %1, %2;" : "=r"(o[3]) : "r"(v), "r"(width));
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(o[4]) : "r"(v & 31), "r"(width));
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(o[5]) : "r"(v & 63), "r"(width));
}

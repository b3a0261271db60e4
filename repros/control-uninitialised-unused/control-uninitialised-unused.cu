// Registers that nothing assigned are read, and no output depends on them.
extern "C" __global__ void uninitialisedUnused(const int* in, int* out) {
  int t = threadIdx.x, v = in[t], chosen, masked, moved;
  asm("{\n"
      "  .reg .pred p;\n"
      "  .reg .b32 nothing;\n"
      "  setp.ge.s32 p, %1, 0;\n"
      "  selp.b32 %0, %1, nothing, p;\n"
      "}"
      : "=r"(chosen)
      : "r"(v & 0x7fffffff));
  asm("{\n"
      "  .reg .b32 nothing;\n"
      "  and.b32 nothing, nothing, 0xff00;\n"
      "  prmt.b32 %0, %1, nothing, 0x4321;\n"
      "}"
      : "=r"(masked)
      : "r"(v));
  asm("{\n"
      "  .reg .b16 low, nothing;\n"
      "  .reg .b32 both;\n"
      "  cvt.u16.u32 low, %1;\n"
      "  mov.b32 both, {low, nothing};\n"
      "  shfl.sync.bfly.b32 both, both, 1, 0x1f, -1;\n"
      "  mov.b32 {low, nothing}, both;\n"
      "  cvt.s32.s16 %0, low;\n"
      "}"
      : "=r"(moved)
      : "r"(v));
  out[t * 3] = chosen;
  out[t * 3 + 1] = masked;
  out[t * 3 + 2] = moved;
}

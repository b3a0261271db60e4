// A PTX register assigned under a predicate only.
extern "C" __global__ void uninitialisedRegister(const unsigned* in, unsigned* out) {
  unsigned t = threadIdx.x, v = in[t], r;
  asm("{\n"
      "  .reg .pred even;\n"
      "  .reg .u32 bit, half;\n"
      "  and.b32 bit, %1, 1;\n"
      "  setp.eq.u32 even, bit, 0;\n"
      "  @even shr.u32 half, %1, 1;\n"
      "  add.u32 %0, half, %2;\n"
      "}"
      : "=r"(r)
      : "r"(v), "r"(t));
  out[t] = r;
}

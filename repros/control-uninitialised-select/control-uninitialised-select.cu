// A select takes a PTX register that nothing ever assigned, on lanes whose input is negative.
extern "C" __global__ void uninitialisedSelect(const int* in, unsigned* out) {
  int t = threadIdx.x, v = in[t];
  unsigned r;
  asm("{\n"
      "  .reg .pred negative;\n"
      "  .reg .b32 nothing;\n"
      "  setp.lt.s32 negative, %1, 0;\n"
      "  selp.b32 %0, nothing, %1, negative;\n"
      "}"
      : "=r"(r)
      : "r"(v));
  out[t] = r * 3 + t;
}

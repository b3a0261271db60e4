// Inline PTX: predicated moves and sums whose target is also their source, under both senses of one
// predicate.
extern "C" __global__ void select_predicated(const unsigned* x, const unsigned* y, const unsigned* z, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 3;
  unsigned a = x[i], b = y[i], c = z[i];
  asm("{\n\t.reg .pred p, q, r;\n\t.reg .u32 t;\n\t"
      "setp.lt.s32 p|q, %0, %1;\n\t"
      "@p add.u32 %0, %0, %2;\n\t@q sub.u32 %0, %1, %0;\n\t"
      "setp.gt.and.u32 r, %0, %2, p;\n\t"
      "@r xor.b32 %1, %0, %1;\n\t@!r mov.b32 t, %1;\n\t@r mov.b32 t, %2;\n\t"
      "@!p mov.b32 %2, t;\n\t@p shl.b32 %2, t, 1;\n\t"
      "selp.b32 %1, %1, %2, q;\n\t@r add.u32 %1, %1, 1;\n\t@!r add.u32 %1, %1, t;\n\t}"
      : "+r"(a), "+r"(b), "+r"(c));
  o[0] = a;
  o[1] = b;
  o[2] = c;
}

// Predicates that both arms of a branch redefine, from themselves and from each other, and values selected by them.
extern "C" __global__ void predicate_arms(const int* x, const int* y, const int* z, int* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int a = x[i], b = y[i], c = z[i], r[6] = {};
  asm("{\n\t"
      ".reg .pred p, q, s;\n\t"
      "setp.lt.s32 p, %6, %7;\n\t"
      "setp.gt.and.s32 q|s, %7, %8, p;\n\t"
      "@p bra then0;\n\t"
      "setp.eq.or.s32 p, %6, %7, q;\n\t"
      "@q setp.lt.u32 q, %8, 16;\n\t"
      "not.pred s, s;\n\t"
      "bra join0;\n\t"
      "then0:\n\t"
      "xor.pred p, p, q;\n\t"
      "@!p setp.ge.s32 s, %7, 0;\n\t"
      "@s not.pred q, p;\n\t"
      "join0:\n\t"
      "selp.s32 %0, %6, %7, p;\n\t"
      "selp.s32 %1, %7, %8, q;\n\t"
      "selp.s32 %2, %8, %6, s;\n\t"
      "@p add.s32 %0, %0, 1;\n\t"
      "@!p sub.s32 %0, %0, %1;\n\t"
      "setp.ne.xor.s32 p|q, %0, %2, q;\n\t" // takes q, gives q
      "mov.s32 %3, 5;\n\t"
      "@q mov.s32 %3, %0;\n\t"
      "@p mov.s32 %3, %1;\n\t"
      "@!q neg.s32 %3, %3;\n\t"
      "and.pred p, p, s;\n\t"
      "@p bra then1;\n\t"
      "mov.pred p, q;\n\t"
      "mov.pred q, s;\n\t"
      "bra join1;\n\t"
      "then1:\n\t"
      "mov.pred s, q;\n\t"
      "not.pred q, p;\n\t"
      "join1:\n\t"
      "selp.s32 %4, 1, 0, p;\n\t"
      "@q or.b32 %4, %4, 2;\n\t"
      "@s or.b32 %4, %4, 4;\n\t"
      "set.lt.and.s32.s32 %5, %3, %0, p;\n\t"
      "}"
      : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]), "+r"(r[4]), "+r"(r[5])
      : "r"(a), "r"(b), "r"(c));
  for (int k = 0; k < 6; ++k)
    out[i * 6 + k] = r[k];
}

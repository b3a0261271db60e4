// setp with a second predicate, its complement output, and logic of many predicates at once.
extern "C" __global__ void predicate_logic(const int* x, const int* y, const int* z, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 3;
  int a = x[i], b = y[i], c = z[i];
  unsigned r;
  asm("{\n\t.reg .pred p, q, s, t, u, v;\n\t"
      "setp.lt.s32 p, %1, %2;\n\tsetp.ge.and.u32 q|s, %1, %3, p;\n\tsetp.ne.xor.s32 t|u, %2, %3, q;\n\t"
      "setp.eq.or.s32 v, %1, 0, !s;\n\tand.pred p, p, u;\n\tor.pred s, s, v;\n\txor.pred t, t, s;\n\tnot.pred u, t;\n\t"
      "selp.u32 %0, 1, 0, p;\n\t@q or.b32 %0, %0, 2;\n\t@s or.b32 %0, %0, 4;\n\t@t or.b32 %0, %0, 8;\n\t"
      "@u or.b32 %0, %0, 16;\n\t@v or.b32 %0, %0, 32;\n\t}"
      : "=r"(r) : "r"(a), "r"(b), "r"(c));
  o[0] = r;
  bool p = a < b, q = (unsigned)b < (unsigned)c, s = c & 1, t = a > c, u = b == 7;
  o[1] = (p & !q) | ((s ^ t) & (u | !p)) << 1 | (p ^ q ^ s ^ t ^ u) << 2 | ((p & q) | (q & s) | (s & p)) << 3;
  o[2] = p && (q || s) ? t ? 1 : 2 : u ? 3 : (a ^ b) < 0 ? 4 : 5;
}

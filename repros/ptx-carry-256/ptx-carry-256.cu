// 64-bit carry chains: a 256-bit product, a difference with its borrow, and signed 32-bit pairs.
using u64 = unsigned long long;

extern "C" __global__ void ptxCarry256(const u64* x, const u64* y, u64* out) {
  unsigned t = threadIdx.x;
  u64 a0 = x[2 * t], a1 = x[2 * t + 1], b0 = y[2 * t], b1 = y[2 * t + 1];
  u64 o[7] = {}; // read-write operands: not one of the inputs' registers
  asm("{\n"
      "  mul.lo.u64 %0, %4, %6;\n"
      "  mul.hi.u64 %1, %4, %6;\n"
      "  mad.lo.cc.u64 %1, %4, %7, %1;\n"
      "  madc.hi.u64 %2, %4, %7, 0;\n"
      "  mad.lo.cc.u64 %1, %5, %6, %1;\n"
      "  madc.hi.cc.u64 %2, %5, %6, %2;\n"
      "  addc.u64 %3, 0, 0;\n"
      "  mad.lo.cc.u64 %2, %5, %7, %2;\n"
      "  madc.hi.u64 %3, %5, %7, %3;\n"
      "}"
      : "+l"(o[0]), "+l"(o[1]), "+l"(o[2]), "+l"(o[3])
      : "l"(a0), "l"(a1), "l"(b0), "l"(b1));
  asm("{\n"
      "  sub.cc.u64 %0, %3, %5;\n"
      "  subc.cc.u64 %1, %4, %6;\n"
      "  subc.s64 %2, 0, 0;\n"
      "}"
      : "+l"(o[4]), "+l"(o[5]), "+l"(o[6])
      : "l"(a0), "l"(a1), "l"(b0), "l"(b1));
  int low = 0, high = 0, p = static_cast<int>(a0), q = static_cast<int>(b0);
  asm("{\n"
      "  mad.lo.cc.s32 %0, %2, %3, %2;\n"
      "  madc.hi.s32 %1, %2, %3, %4;\n"
      "  add.cc.s32 %0, %0, %3;\n"
      "  addc.s32 %1, %1, -1;\n"
      "}"
      : "+r"(low), "+r"(high)
      : "r"(p), "r"(q), "r"(static_cast<int>(a1)));
  for (int i = 0; i < 7; ++i)
    out[t * 8 + i] = o[i];
  out[t * 8 + 7] = static_cast<u64>(high) << 32 | static_cast<unsigned>(low);
}

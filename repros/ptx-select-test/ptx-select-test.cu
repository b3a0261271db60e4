// slct, set with float results, testp, copysign, selp of 64 bits and setp over floats with a second
// predicate.
extern "C" __global__ void ptxSelectTest(const float* x, const float* y, const double* w, const int* n,
                                         unsigned* out) {
  unsigned t = threadIdx.x, tests = 0, bits, both = 0;
  float a = x[t], b = y[t], f;
  double d = w[t], e;
  int k = n[t];
  unsigned long long wide = 0;
  unsigned* o = out + t * 11;
  asm("slct.u32.f32 %0, %1, %2, %3;" : "=r"(o[0]) : "r"(t), "r"(~t), "f"(a));
  asm("slct.ftz.b32.f32 %0, %1, %2, %3;" : "=r"(o[1]) : "r"(t), "r"(~t), "f"(a));
  asm("slct.f32.s32 %0, %1, %2, %3;" : "=f"(f) : "f"(a), "f"(b), "r"(k));
  o[2] = __float_as_uint(f);
  asm("{ .reg .pred p; setp.lt.s32 p, %2, 5;\n"
      "  set.gtu.xor.f32.f32 %0, %1, %3, !p; }"
      : "=f"(f)
      : "f"(a), "r"(k), "f"(b));
  o[3] = __float_as_uint(f);
  asm("set.le.ftz.u32.f32 %0, %1, %2;" : "=r"(o[4]) : "f"(a), "f"(b));
  asm("set.nan.s32.f64 %0, %1, %2;" : "=r"(o[5]) : "d"(d), "d"(w[t * 3 % 128]));
#define TEST(bit, kind, type, constraint, value)                                                             \
  asm("{ .reg .pred p; testp." kind "." type " p, %1; selp.u32 %0, 1, 0, p; }"                               \
      : "=r"(bits)                                                                                           \
      : constraint(value));                                                                                  \
  tests |= bits << bit;
  TEST(0, "finite", "f32", "f", a)
  TEST(1, "infinite", "f32", "f", a)
  TEST(2, "number", "f32", "f", a)
  TEST(3, "notanumber", "f32", "f", a)
  TEST(4, "normal", "f32", "f", a)
  TEST(5, "subnormal", "f32", "f", a)
  TEST(6, "normal", "f64", "d", d)
  TEST(7, "subnormal", "f64", "d", d)
  TEST(8, "infinite", "f64", "d", d)
  o[6] = tests;
  asm("copysign.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b));
  asm("copysign.f64 %0, %1, %2;" : "=d"(e) : "d"(static_cast<double>(k)), "d"(d));
  o[7] = __float_as_uint(f);
  o[8] = __double2hiint(e);
  asm("{ .reg .pred p, q, r;\n"
      "  setp.neu.f32 r, %2, %2;\n"
      "  setp.ltu.or.f32 p|q, %2, %3, r;\n"
      "  selp.u32 %0, 1, 0, p;\n"
      "  @q add.u32 %0, %0, 2;\n"
      "  selp.b64 %1, %4, %5, q; }"
      : "+r"(both), "+l"(wide)
      : "f"(a), "f"(b), "l"(0x123456789ULL), "l"(~0ULL << t % 64));
  o[9] = both;
  o[10] = static_cast<unsigned>(wide >> 20);
}

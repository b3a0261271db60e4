// A NaN's payload, and which operand is the NaN, must not matter; with .ftz subnormals equal zero.
#define COMPARE(kind, bit)                                                                                   \
  asm("{ .reg .pred p; setp." kind ".f32 p, %1, %2; @p or.b32 %0, %0, %3; }"                                 \
      : "+r"(f)                                                                                              \
      : "f"(a), "f"(b), "n"(1 << bit));                                                                      \
  asm("{ .reg .pred p; setp." kind ".ftz.f32 p, %1, %2; @p or.b32 %0, %0, %3; }"                             \
      : "+r"(g)                                                                                              \
      : "f"(a), "f"(b), "n"(1 << bit));                                                                      \
  asm("{ .reg .pred p; setp." kind ".f64 p, %1, %2; @p or.b32 %0, %0, %3; }"                                 \
      : "+r"(d)                                                                                              \
      : "d"(x), "d"(y), "n"(1 << bit));

extern "C" __global__ void floatCompare(const float* single, const double* wide, unsigned* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float a = single[t & 31], b = single[t >> 5];
  double x = wide[t & 31], y = wide[t >> 5];
  unsigned f = 0, g = 0, d = 0;
  COMPARE("eq", 0)
  COMPARE("ne", 1)
  COMPARE("lt", 2)
  COMPARE("le", 3)
  COMPARE("gt", 4)
  COMPARE("ge", 5)
  COMPARE("equ", 6)
  COMPARE("neu", 7)
  COMPARE("ltu", 8)
  COMPARE("leu", 9)
  COMPARE("gtu", 10)
  COMPARE("geu", 11)
  COMPARE("num", 12)
  COMPARE("nan", 13)
  out[t * 3] = f;
  out[t * 3 + 1] = g;
  out[t * 3 + 2] = d;
}

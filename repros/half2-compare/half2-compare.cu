// setp gives two predicates, set gives 1.0 or 0.0 in each half.
#define COMPARE(kind, bit)                                                                                   \
  asm("{ .reg .pred p, q; setp." kind                                                                        \
      ".f16x2 p|q, %1, %2; selp.u32 %0, 1, 0, p; @q or.b32 %0, %0, 0x10000; }"                               \
      : "=r"(pair)                                                                                           \
      : "r"(a), "r"(b));                                                                                     \
  predicates |= pair << bit;                                                                                 \
  asm("set." kind ".f16x2.f16x2 %0, %1, %2;" : "=r"(pair) : "r"(a), "r"(b));                                 \
  low |= (pair & 0xffff) == 0x3c00 ? 1u << bit : pair & 0xffff ? 1u << 31 : 0;                               \
  high |= pair >> 16 == 0x3c00 ? 1u << bit : pair >> 16 ? 1u << 31 : 0;

extern "C" __global__ void half2Compare(const unsigned short* in, unsigned* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = in[t & 31] | in[t >> 5] << 16, b = in[t >> 5] | in[(t + 5) & 31] << 16;
  unsigned pair, predicates = 0, low = 0, high = 0;
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
  out[t * 3] = predicates;
  out[t * 3 + 1] = low;
  out[t * 3 + 2] = high;
}

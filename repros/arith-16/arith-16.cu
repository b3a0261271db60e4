// Operations of 16-bit registers, whose upper halves must not matter.
extern "C" __global__ void arith_16(const unsigned short* x, const unsigned short* y, const unsigned short* z, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 10;
  unsigned short a = x[i], b = y[i], c = z[i], r;
  unsigned w;
  asm("add.u16 %0, %1, %2;" : "=h"(r) : "h"(a), "h"(b));
  o[0] = r > c ? r : 7;
  asm("sub.s16 %0, %1, %2;" : "=h"(r) : "h"(a), "h"(b));
  o[1] = (unsigned)(int)(short)r;
  asm("mul.lo.u16 %0, %1, %2;" : "=h"(r) : "h"(a), "h"(c));
  o[2] = r;
  asm("mul.hi.s16 %0, %1, %2;" : "=h"(r) : "h"(a), "h"(b));
  o[3] = (unsigned)(int)(short)r;
  asm("mul.hi.u16 %0, %1, %2;" : "=h"(r) : "h"(b), "h"(c));
  o[4] = r;
  asm("mad.wide.s16 %0, %1, %2, %3;" : "=r"(w) : "h"(a), "h"(b), "r"(0x80000000 + c));
  o[5] = w;
  asm("mul.wide.u16 %0, %1, %2;" : "=r"(w) : "h"(a), "h"(c));
  o[6] = w;
  asm("shr.s16 %0, %1, %2;" : "=h"(r) : "h"(c), "r"((unsigned)a % 20));
  o[7] = r;
  asm("shl.b16 %0, %1, %2;" : "=h"(r) : "h"(c), "r"((unsigned)b % 20));
  o[8] = r / 3u;
  asm("mad.lo.s16 %0, %1, %2, %3;" : "=h"(r) : "h"(a), "h"(b), "h"(c));
  o[9] = (short)r < (short)a ? (unsigned short)(r - a) : (unsigned short)~r;
}

// Division of narrow integers by narrow values, which fits a single-precision reciprocal.
extern "C" __global__ void div_value_narrow(const unsigned short* x, const unsigned short* y, const unsigned short* z, unsigned short* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short* o = out + i * 12;
  unsigned short v = x[i], d = y[i] ? y[i] : 9, r = z[i], e = z[i + 256] >> (i & 15) | 1;
  short s = (short)v, t = (short)d;
  unsigned char b = (unsigned char)r, f = (unsigned char)(e | 1);
  signed char c = (signed char)(r >> 8), g = (signed char)(v | 1);
  o[0] = v / d;
  o[1] = v % d;
  o[2] = s / t; // -32768 / -1 is 32768, cut to 16 bits
  o[3] = s % t;
  o[4] = r / e;
  o[5] = b / f;
  o[6] = b % f;
  o[7] = c / g;
  o[8] = c % g;
  asm("div.u16 %0, %1, %2;" : "=h"(o[9]) : "h"(r), "h"(e));
  asm("rem.u16 %0, %1, %2;" : "=h"(o[10]) : "h"(v), "h"(e));
  asm("rem.s16 %0, %1, %2;" : "=h"(o[11]) : "h"(r), "h"((unsigned short)(e >> 1 | 1)));
}

// Division of narrow integers by constants, which may be done in 32 bits with shorter multipliers.
extern "C" __global__ void div_const_narrow(const unsigned short* x, const unsigned short* y, unsigned short* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short* o = out + i * 14;
  unsigned short v = i < 128 ? x[i] : y[i];
  short s = (short)v;
  unsigned char b = (unsigned char)v;
  signed char c = (signed char)(v >> 8);
  o[0] = v / 3;
  o[1] = v % 1000;
  o[2] = v / 65535;
  o[3] = s / 7;
  o[4] = s % -10;
  o[5] = s / 256;
  o[6] = b / 10;
  o[7] = b % 7;
  o[8] = c / 3;
  o[9] = c % 4;
  o[10] = c / -128;
  asm("div.u16 %0, %1, 641;" : "=h"(o[11]) : "h"(v));
  asm("rem.s16 %0, %1, 999;" : "=h"(o[12]) : "h"(s));
  asm("div.s16 %0, %1, -7;" : "=h"(o[13]) : "h"(s));
}

// Minimum and maximum of 16-bit registers, whose upper halves ptxas may leave as it likes.
__device__ short least(short a, short b) {
  short r;
  asm("min.s16 %0, %1, %2;" : "=h"(r) : "h"(a), "h"(b));
  return r;
}
__device__ short most(short a, short b) {
  short r;
  asm("max.s16 %0, %1, %2;" : "=h"(r) : "h"(a), "h"(b));
  return r;
}
__device__ unsigned short least(unsigned short a, unsigned short b) {
  unsigned short r;
  asm("min.u16 %0, %1, %2;" : "=h"(r) : "h"(a), "h"(b));
  return r;
}
__device__ unsigned short most(unsigned short a, unsigned short b) {
  unsigned short r;
  asm("max.u16 %0, %1, %2;" : "=h"(r) : "h"(a), "h"(b));
  return r;
}

extern "C" __global__ void clamp_s16(const short* x, const short* y, const short* z, short* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  short* o = out + i * 9;
  short v = x[i], lo = y[i], hi = z[i];
  o[0] = least(most(v, -128), 127);
  o[1] = most(least(v, hi), lo);
  o[2] = least(most(v, lo), hi);
  o[3] = least(most(v, -32767), 32766);
  o[4] = most(least(v, -5), 5);
  o[5] = (short)least((unsigned short)v, (unsigned short)lo);
  o[6] = (short)most((unsigned short)v, (unsigned short)0x8000);
  o[7] = least(most((short)(v + lo), (short)0), (short)255);
  o[8] = (short)most(least((unsigned short)(v - lo), (unsigned short)hi), (unsigned short)7);
}

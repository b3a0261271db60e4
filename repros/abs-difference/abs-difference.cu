// |a - b| that wraps, in 16, 32 and 64 bits, then compared; selects between x and -x under every condition.
__device__ short abs16(short v) {
  short r;
  asm("abs.s16 %0, %1;" : "=h"(r) : "h"(v));
  return r;
}
__device__ int abs32(unsigned v) {
  int r;
  asm("abs.s32 %0, %1;" : "=r"(r) : "r"(v));
  return r;
}
__device__ long long abs64(unsigned long long v) {
  long long r;
  asm("abs.s64 %0, %1;" : "=l"(r) : "l"(v));
  return r;
}
__device__ unsigned pick(unsigned v, bool first) { // a select that the front end does not turn into abs
  unsigned r;
  asm("{.reg .pred p; setp.ne.u32 p, %2, 0; selp.b32 %0, %1, %3, p;}" : "=r"(r) : "r"(v), "r"((unsigned)first), "r"(0 - v));
  return r;
}

extern "C" __global__ void abs_difference(const int* x, const int* y, const long long* z, int* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int* o = out + i * 12;
  unsigned a = x[i], b = y[i];
  unsigned long long w = z[i], u = (long long)(int)b;
  o[0] = abs32(a - b) <= 100 ? 1 : 2; // holds for INT_MIN too
  o[1] = abs32(a - b) > (int)b ? 1 : 2;
  o[2] = (unsigned)abs32(a - b) >= 0x80000000u ? 1 : 2;
  o[3] = abs16((short)(a - b)) < 128 ? 1 : 2;
  o[4] = (unsigned short)abs16((short)(a - b)) < 128 ? 1 : 2;
  o[5] = abs64(w - u) < 1000 ? 1 : 2;
  o[6] = (int)(abs64(w - u) >> 63);
  o[7] = (int)pick(a, (int)a > 0);
  o[8] = (int)pick(a, (int)a < 0);
  o[9] = (int)pick(a, (int)a >= -1);
  o[10] = (int)pick(a, (int)(0 - a) > 0);
  o[11] = (int)pick(a, a <= 0x80000000u);
}

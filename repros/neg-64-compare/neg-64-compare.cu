// The negation of a 64-bit value that was extended from 16 or 32 bits, compared with zero; abs and selects made of it.
__device__ long long negated(long long v) {
  long long r;
  asm("neg.s64 %0, %1;" : "=l"(r) : "l"(v));
  return r;
}

extern "C" __global__ void neg_64_compare(const int* x, const long long* y, long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  long long* o = out + i * 9;
  int v = x[i];
  long long w = y[i], a, b, c;
  asm("cvt.s64.s16 %0, %1;" : "=l"(a) : "h"((short)v));
  asm("cvt.s64.s32 %0, %1;" : "=l"(b) : "r"(v));
  asm("cvt.s64.s8 %0, %1;" : "=l"(c) : "r"(v));
  o[0] = negated(a) < 0 ? 1 : 2;
  o[1] = negated(b) < 0 ? 1 : 2;
  o[2] = negated(c) >= 0 ? a : negated(c);
  o[3] = negated(w) < 0 ? 1 : 2; // INT64_MIN is its own negation
  o[4] = negated(b) > w ? 1 : 2;
  o[5] = (unsigned long long)negated((unsigned)v) >> 63;
  o[6] = negated(a) >> 32;
  o[7] = negated(w) < 0 ? w : negated(w);
  o[8] = negated(negated(b) >> 1) > 0 ? 3 : 4;
}

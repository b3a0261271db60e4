// Arithmetic that wraps at the extremes, in unsigned, and the signed compares of its results.
extern "C" __global__ void int_extremes(const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 10;
  unsigned v = x[i], w = y[i];
  int magnitude, negated;
  asm("abs.s32 %0, %1;" : "=r"(magnitude) : "r"((int)v));
  asm("neg.s32 %0, %1;" : "=r"(negated) : "r"((int)w));
  o[0] = (unsigned)magnitude;
  o[1] = (unsigned)magnitude / 3; // 0x80000000 / 3 for INT_MIN
  o[2] = (unsigned)negated + (negated < 0 ? 16u : 0u);
  o[3] = (int)(v - w) < 0;        // not v < w
  o[4] = (int)(v + 1) > (int)v;   // not always true
  o[5] = (int)(0 - v) > 0;        // not v < 0
  o[6] = (v & w) + ((v ^ w) >> 1);
  o[7] = v * 0x80000000 + w * 0xffffffff;
  o[8] = ((int)(v * 2) >> 1) == (int)v;
  o[9] = (unsigned)((int)v >> 31 ^ (int)(v - (v >> 31)));
}

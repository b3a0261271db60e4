// Sums that wrap, then minimum or maximum: the addition must wrap before the bound is applied.
__device__ int least(int a, int b) {
  int r;
  asm("min.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ int most(int a, int b) {
  int r;
  asm("max.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

extern "C" __global__ void clamp_add(const int* x, const int* y, const int* z, int* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int* o = out + i * 10;
  int v = x[i], w = y[i], b = z[i];
  unsigned u = v, n = w;
  o[0] = most((int)(u + n), b);
  o[1] = least((int)(u - n), b);
  o[2] = least(most((int)(u + n), 0), 255);
  o[3] = most((int)(u + 0x7fffffff), w);
  o[4] = most(least((int)(u + n), b), 0);
  o[5] = least(most((int)u, 0), 0x7fffffff);
  o[6] = least((int)(u - 1), most((int)(n + 1), b));
  int sat;
  asm("add.sat.s32 %0, %1, %2;" : "=r"(sat) : "r"(v), "r"(w));
  o[7] = sat;
  asm("sub.sat.s32 %0, %1, %2;" : "=r"(sat) : "r"(v), "r"(w));
  o[8] = sat;
  asm("add.sat.s32 %0, %1, %2;" : "=r"(sat) : "r"(least(v, b)), "r"(-5));
  o[9] = sat;
}

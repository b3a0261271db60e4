// Chains of signed minimum and maximum in both orders.
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

extern "C" __global__ void clamp_s32(const int* x, const int* y, const int* z, int* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int* o = out + i * 10;
  int v = x[i], lo = y[i], hi = z[i];
  o[0] = least(most(v, -128), 127);
  o[1] = most(least(v, 127), -128);
  o[2] = least(most(v, lo), hi);
  o[3] = most(least(v, hi), lo); // differs from the one before where lo > hi
  o[4] = most(least(most(v, lo), 100), -100);
  o[5] = least(most(v, 5), -5); // crossed bounds
  o[6] = most(least(v, 0x7fffffff), lo);
  o[7] = least(most(v, -0x7fffffff), hi);
  o[8] = least(least(v, 10), least(lo, 20));
  o[9] = most(least(v, hi), least(v, lo));
}

// Both words of a product are wanted, the upper one with a saturating addition.
extern "C" __global__ void madHiSat(const int* x, const int* y, const int* z, int2* out) {
  unsigned i = threadIdx.x;
  int low, high;
  asm("mul.lo.s32 %0, %1, %2;" : "=r"(low) : "r"(x[i]), "r"(y[i]));
  asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(high) : "r"(x[i]), "r"(y[i]), "r"(z[i]));
  out[i] = make_int2(low, high);
}

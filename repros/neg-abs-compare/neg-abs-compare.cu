// The negation of an absolute value is never above zero; its compares with constants.
__device__ int negAbs(int v) {
  int r;
  asm("{.reg .s32 a; abs.s32 a, %1; neg.s32 %0, a;}" : "=r"(r) : "r"(v));
  return r;
}

extern "C" __global__ void neg_abs_compare(const int* x, int* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int* o = out + i * 8;
  int n = negAbs(x[i]);
  o[0] = n != -1 ? 1 : 2;
  o[1] = n == -5 ? 1 : 2;
  o[2] = n < 0 ? 1 : 2;
  o[3] = n > -100 ? 1 : 2;
  o[4] = (unsigned)n == 0x80000000u ? 1 : 2;
  o[5] = n >= 0 ? 1 : 2;
  o[6] = max(n, -7);
  o[7] = n;
}

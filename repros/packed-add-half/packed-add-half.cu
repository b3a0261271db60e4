// Operands packed by mov.b32 {lo, hi}, a constant pair added, one half taken.
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
// One instruction of sm_90 and later.
__device__ unsigned packed(unsigned a, unsigned b) {
  unsigned r;
  asm("add.s16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
#else
__device__ unsigned packed(unsigned a, unsigned b) { return ((a + b) & 0xffff) | ((a & 0xffff0000) + (b & 0xffff0000)); }
#endif

extern "C" __global__ void packed_add_half(const unsigned short* x, const unsigned short* y, unsigned short* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short* o = out + i * 5;
  unsigned pair, two, r;
  asm("mov.b32 %0, {%1, %2};" : "=r"(pair) : "h"(x[i * 4]), "h"(y[i * 4 + 1]));
  asm("mov.b32 %0, {%1, %2};" : "=r"(two) : "h"(y[i * 4 + 2]), "h"(x[i * 4 + 3]));
  r = packed(pair, 0x00010001);
  o[0] = (unsigned short)r;
  r = packed(two, 0x00030005);
  o[1] = (unsigned short)(r >> 16);
  r = packed(packed(pair, two), 0x80007fff);
  o[2] = (unsigned short)r;
  o[3] = (unsigned short)(r >> 16);
  r = packed(pair, pair);
  o[4] = (unsigned short)(r >> 16);
}

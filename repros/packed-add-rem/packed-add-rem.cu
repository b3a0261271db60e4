// Two packed additions share the register 0x00010001; rows choose between their halves.
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

extern "C" __global__ void packed_add_rem(const unsigned* x, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 3;
  unsigned v0 = x[i * 2], v1 = x[i * 2 + 1], row = i >> 2 & 1;
  unsigned p0 = ((v0 * 9 + 1) % 1000) | ((v1 * 9 + 1) % 1000) << 16;
  unsigned p1 = ((v0 + 7) % 999) | ((v1 + 7) % 100) << 16;
  unsigned one = 0x00010001;
  unsigned r0 = packed(p0, one), r1 = packed(p1, one);
  o[0] = row ? r0 & 0xffff : v0;
  o[1] = row ? v1 : r1 >> 16;
  o[2] = r1 & 0xffff;
}

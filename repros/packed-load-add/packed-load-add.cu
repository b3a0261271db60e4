// A 16-byte load, its words cut to 16 bits and packed for packed additions, results through the output
// pointer.
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
__device__ unsigned pack(unsigned lo, unsigned hi) {
  unsigned r;
  asm("mov.b32 %0, {%1, %2};" : "=r"(r) : "h"((unsigned short)lo), "h"((unsigned short)hi));
  return r;
}

extern "C" __global__ void packed_load_add(const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 4;
  uint4 v = reinterpret_cast<const uint4*>(x)[i], w = reinterpret_cast<const uint4*>(y)[i];
  unsigned r0 = packed(pack(v.x, v.y), pack(w.x, w.y)), r1 = packed(pack(v.z, v.w), pack(w.z, w.w));
  unsigned r2 = packed(pack(v.x, v.w), 0x00010001);
  o[0] = r0 & 0xffff;
  o[1] = r0 >> 16;
  o[2] = r1;
  o[3] = r2;
}

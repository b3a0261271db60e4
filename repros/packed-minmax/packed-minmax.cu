// Clamps of two 16-bit numbers at once; every half must be compared on its own.
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
#define PACKED(NAME, TYPE, OP, LESS)                                                                          \
  __device__ unsigned NAME(unsigned a, unsigned b) {                                                          \
    unsigned r;                                                                                               \
    asm(#OP " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));                                                       \
    return r;                                                                                                 \
  }
#else
#define PACKED(NAME, TYPE, OP, LESS)                                                                          \
  __device__ unsigned NAME(unsigned a, unsigned b) {                                                          \
    TYPE a0 = (TYPE)a, a1 = (TYPE)(a >> 16), b0 = (TYPE)b, b1 = (TYPE)(b >> 16);                              \
    TYPE r0 = a0 LESS b0 ? a0 : b0, r1 = a1 LESS b1 ? a1 : b1;                                                \
    return (unsigned)(unsigned short)r0 | (unsigned)(unsigned short)r1 << 16;                                 \
  }
#endif
PACKED(leastS, short, min.s16x2, <)
PACKED(mostS, short, max.s16x2, >)
PACKED(leastU, unsigned short, min.u16x2, <)
PACKED(mostU, unsigned short, max.u16x2, >)

extern "C" __global__ void packed_minmax(const unsigned* x, const unsigned* y, const unsigned* z, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 7;
  unsigned a = i & 1 ? x[i] : z[i], b = y[i], c = z[i / 2];
  o[0] = leastS(a, b);
  o[1] = mostU(a, b);
  o[2] = leastS(mostS(a, 0x0000ff80), 0x00ff007f);
  o[3] = mostS(leastS(a, b), c);
  o[4] = leastU(mostU(a, c), b);
  o[5] = leastU(a, 0x01000100) + mostS(b, c);
  o[6] = mostS(a, b) - leastS(a, b);
}

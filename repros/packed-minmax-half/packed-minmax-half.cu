// Packed minimum and maximum of a constant pair of which one half is used, packed again with another half or
// stored beside one.
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
#define PACKED(NAME, OP, LESS, TYPE)                                       \
  __device__ unsigned NAME(unsigned a, unsigned b) {                       \
    unsigned r;                                                            \
    asm(OP " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));                     \
    return r;                                                              \
  }
#else // one instruction of sm_90 and later
#define PACKED(NAME, OP, LESS, TYPE)                                       \
  __device__ unsigned NAME(unsigned a, unsigned b) {                       \
    TYPE al = (TYPE)a, bl = (TYPE)b, ah = (TYPE)(a >> 16), bh = (TYPE)(b >> 16); \
    TYPE l = al LESS bl ? al : bl, h = ah LESS bh ? ah : bh;               \
    return (unsigned)(unsigned short)l | (unsigned)(unsigned short)h << 16; \
  }
#endif
PACKED(mins, "min.s16x2", <, short)
PACKED(maxs, "max.s16x2", >, short)
PACKED(minu, "min.u16x2", <, unsigned short)
PACKED(maxu, "max.u16x2", >, unsigned short)

__device__ unsigned pair(unsigned short low, unsigned short high) {
  unsigned r;
  asm("mov.b32 %0, {%1, %2};" : "=r"(r) : "h"(low), "h"(high));
  return r;
}
__device__ unsigned short upper(unsigned v) {
  unsigned short low, high;
  asm("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(v));
  return high;
}

extern "C" __global__ void packed_minmax_half(const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 9;
  unsigned a = x[i], b = y[i], m, s;
  o[0] = pair((unsigned short)b, (unsigned short)maxs(a, 0x80000001u)); // a low half becomes a high one
  o[1] = pair(upper(minu(a, 0x00ff0000u)), (unsigned short)b);
  o[2] = (unsigned short)mins(b, 0x7fff0005u);
  o[3] = upper(maxu(b, 0xc0000000u)) * 3u;
  m = maxs((int)b > 5 ? a : 0, 0xc0000000u);
  o[4] = pair(upper(a), upper(a)); // a's upper half outlives the maximum
  asm volatile("st.global.u8 [%0], %1; st.global.u8 [%0+1], %2; st.global.u16 [%0+2], %3;" ::"l"(o + 5), "r"(m), "r"(b), "h"(upper(b)) : "memory");
  s = minu(pair((unsigned short)a, upper(b)), 0x01000100u);
  o[6] = pair(upper(s), (unsigned short)a);
  o[7] = pair((unsigned short)maxs(mins(a, 0x0064ff9cu), 0xffce0032u), upper(a));
  o[8] = (unsigned)(short)upper(maxs(pair((unsigned short)b, (unsigned short)a), 0x0003fffdu));
}

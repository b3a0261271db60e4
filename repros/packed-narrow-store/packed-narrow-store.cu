// Halves packed into a word, changed as a pair, taken apart and stored narrower than they are.
__device__ unsigned pair(unsigned short low, unsigned short high) {
  unsigned r;
  asm("mov.b32 %0, {%1, %2};" : "=r"(r) : "h"(low), "h"(high));
  return r;
}
__device__ void halves(unsigned v, unsigned short& low, unsigned short& high) {
  asm("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(v));
}
__device__ void store8(unsigned char* to, unsigned short v) {
  asm volatile("st.global.u8 [%0], %1;" ::"l"(to), "h"(v) : "memory");
}
__device__ void store16(unsigned char* to, unsigned v) {
  asm volatile("st.global.u16 [%0], %1;" ::"l"(to), "r"(v) : "memory");
}

extern "C" __global__ void packed_narrow_store(const unsigned short* x, const unsigned short* y, unsigned char* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char* o = out + i * 14;
  unsigned short a = x[i], b = y[i], low, high;
  halves(__vmaxs2(pair(a, b), 0x00010080u), low, high);
  store8(o, low);
  store8(o + 1, high);
  halves(__vadd2(pair(b, a), pair(a, 3)), low, high);
  store8(o + 2, high >> 8);
  store8(o + 3, low);
  store16(o + 4, __vminu2(pair(a, 0xffff), 0x00ff00ffu) >> 16);
  store16(o + 6, __vsub2(0x80007fffu, pair(b, b)));
  halves(pair(a, b) + 0x00010001u, low, high); // a carry goes across
  store8(o + 8, (unsigned short)((short)high >> 3));
  store8(o + 9, (unsigned short)(low + high));
  store16(o + 10, __vabsdiffu2(pair(a, b), pair(b, a)));
  store16(o + 12, pair(a, b) * 3 >> 15);
}

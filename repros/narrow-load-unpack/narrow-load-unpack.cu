// The upper half of a register that a signed narrow load has filled: the sign, whatever becomes of it.
__device__ unsigned short upper(int v) {
  unsigned short low, high;
  asm("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(v));
  return high;
}

__device__ unsigned pair(unsigned short low, unsigned short high) {
  unsigned r;
  asm("mov.b32 %0, {%1, %2};" : "=r"(r) : "h"(low), "h"(high));
  return r;
}

extern "C" __global__ void narrow_load_unpack(const short* x, const signed char* y, const unsigned short* z, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 9;
  int s, b, u;
  asm("ld.global.s16 %0, [%1];" : "=r"(s) : "l"(x + i));
  asm("ld.global.s8 %0, [%1];" : "=r"(b) : "l"(y + i));
  asm("ld.global.u16 %0, [%1];" : "=r"(u) : "l"(z + i));
  unsigned short w = z[i];
  o[0] = pair(w, upper(s));
  o[1] = pair(w, upper(b));
  o[2] = pair(w, upper(u));
  o[3] = upper(s);
  o[4] = pair(upper(b), w);
  o[5] = pair(w, (unsigned short)((unsigned)(int)x[i] >> 16)); // in C
  o[6] = pair((unsigned short)s, upper(s));
  o[7] = upper(s) & w;
  o[8] = pair(upper(s), upper(b));
}

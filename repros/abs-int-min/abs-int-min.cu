// Absolute values of integers that may be the smallest one, from conditional negation and from PTX, and their
// signs.
// Opaque to the front end, not to ptxas: the empty text leaves the same register.
__device__ unsigned seen(unsigned v) {
  asm("" : "+r"(v));
  return v;
}

extern "C" __global__ void abs_int_min(const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 6;
  unsigned v = x[i], w = y[i], m = seen((int)v < 0 ? 0 - v : v), p;
  asm("abs.s32 %0, %1;" : "=r"(p) : "r"(w));
  o[0] = m;
  o[1] = (int)m < 0 ? 1 : 2;
  o[2] = p;
  o[3] = (int)p < 0 ? 1 : 2;
  o[4] = (int)(m & 0xc0000000) < 0 ? 3 : 4;
  o[5] = (unsigned)((int)m >> 31);
}

// Each outer compare makes the inner one constant; the front end must not see it, ptxas may fold it.
// Opaque to the front end, not to ptxas: the empty text leaves the same register.
__device__ unsigned seen(unsigned v) {
  asm("" : "+r"(v));
  return v;
}

extern "C" __global__ void range_compare(const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 8;
  unsigned v = x[i], w = y[i], r[8] = {};
  if (v < 100) r[0] = (seen(v) & 0x7f) == v ? v + 1 : 0xbad;
  if ((int)v > 15) r[1] = seen(v) >> 4 ? v >> 4 : 0xbad;
  if (w - 10 < 246) r[2] = (int)seen(w) < 256 && (int)seen(w) >= 10 ? w * 3 : 0xbad;
  if ((int)v < (int)w && (int)w < 0) r[3] = seen(v) >> 31 ? v ^ w : 0xbad;
  if (v <= w) r[4] = seen(w) - v <= w ? w - v : 0xbad;
  if ((int)w >= 0) r[5] = (int)seen(w) >> 31 ? 0xbad : (seen(w) | 0x80000000) >> 1;
  if (v > 0x7fffffff) r[6] = (int)seen(v) < 0 && seen(v) * 2 == v << 1 ? ~v : 0xbad;
  if ((v & 0xffff0000) == 0) r[7] = (seen(v) * seen(v) >> 16) < 0x10000 ? v * v : 0xbad;
  for (int k = 0; k < 8; ++k)
    o[k] = r[k];
}

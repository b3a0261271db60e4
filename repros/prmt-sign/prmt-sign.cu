// prmt with immediate selectors, sign bytes among them, followed by shifts and sign extensions of the result.
template <int Selector>
__device__ unsigned prmt(unsigned a, unsigned b) {
  unsigned r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "n"(Selector));
  return r;
}

extern "C" __global__ void prmt_sign(const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 12;
  unsigned a = x[i], b = y[i];
  o[0] = prmt<0x8880>(a, b);
  o[1] = prmt<0x9991>(a, b);
  o[2] = prmt<0xbb32>(a, b);
  o[3] = prmt<0x3b2a>(a, b);
  o[4] = prmt<0xc4d5>(a, b);
  o[5] = prmt<0xf7e6>(a, b);
  o[6] = prmt<0x0b4f>(a, b);
  o[7] = prmt<0x8765>(a, b);
   o[8] = (int)prmt<0x8880>(a, b) >> 7;
   o[9] = prmt<0xbbb3>(a, 0) + (unsigned)((int)(signed char)(b >> 8) * 3);
   o[10] = prmt<0x5410>((unsigned)(int)(signed char)a, (unsigned)(int)(signed char)(b >> 24));
   o[11] = prmt<0x9180>(prmt<0x0123>(a, b), a) ^ prmt<0x4567>(a, b);
}

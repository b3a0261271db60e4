// lop3 with many tables, and C logic of up to six values that folds into fewer of them.
template <int Table>
__device__ unsigned lop3(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "n"(Table));
  return r;
}

extern "C" __global__ void lop3_chain(const unsigned* x, const unsigned* y, const unsigned* z, const unsigned* w, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 6;
  unsigned a = x[i], b = y[i], c = z[i], d = w[i], r = a;
  r = lop3<0x80>(r, b, c);
  r = lop3<0xfe>(c, r, d);
  r = lop3<0x96>(d, a, r);
  r = lop3<0xe8>(r, r, b);
  r = lop3<0xca>(b, c, r);
  r = lop3<0x1b>(r, b, c);
  r = lop3<0x6a>(c, r, d);
  r = lop3<0x3c>(d, a, r);
  r = lop3<0x57>(r, r, b);
  r = lop3<0xd8>(b, c, r);
   o[0] = r;
   o[1] = (a & b) ^ (c | ~d) ^ (a & ~c) ^ (b | d);
   o[2] = ~(a ^ b ^ c ^ d) & ((a | b) ^ (c & d));
   o[3] = ((a & b) | (b & c) | (a & c)) - ((a ^ b) & ~c & d);
   o[4] = (a & 0xff00ff) | (b & ~0xff00ffu & c) | (~c & d & 0x0f0f0f0f);
   o[5] = lop3<0x1b>(a, 0, c) + lop3<0xe2>(b, b, 0xffffffff) + lop3<0x4d>(c, a, a);
}

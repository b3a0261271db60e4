// Schoolbook product of two 64-bit integers with mad.lo.cc / madc.hi.cc, accumulated into 128 bits.
extern "C" __global__ void mad_carry(const unsigned long long* x, const unsigned long long* y, const unsigned long long* z, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 5;
  unsigned a0 = (unsigned)x[i], a1 = (unsigned)(x[i] >> 32), b0 = (unsigned)y[i], b1 = (unsigned)(y[i] >> 32);
  unsigned w0 = (unsigned)z[i], w1 = (unsigned)(z[i] >> 32), w2 = ~w0, w3 = 0, carry;
  asm("mad.lo.cc.u32 %0, %5, %7, %0;\n\tmadc.hi.cc.u32 %1, %5, %7, %1;\n\t"
      "madc.lo.cc.u32 %2, %6, %8, %2;\n\tmadc.hi.u32 %3, %6, %8, %3;\n\t"
      "mad.lo.cc.u32 %1, %5, %8, %1;\n\tmadc.hi.cc.u32 %2, %5, %8, %2;\n\taddc.u32 %3, %3, 0;\n\t"
      "mad.lo.cc.u32 %1, %6, %7, %1;\n\tmadc.hi.cc.u32 %2, %6, %7, %2;\n\taddc.cc.u32 %3, %3, 0;\n\taddc.u32 %4, 0, 0;"
      : "+r"(w0), "+r"(w1), "+r"(w2), "+r"(w3), "=r"(carry) : "r"(a0), "r"(a1), "r"(b0), "r"(b1));
  o[0] = w0;
  o[1] = w1;
  o[2] = w2;
  o[3] = w3;
  o[4] = carry;
}

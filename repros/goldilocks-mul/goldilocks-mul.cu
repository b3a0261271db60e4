// A field element times a 32-bit constant by carry chains, reduced, eight rounds of three constants.
// v * c mod p, p = 2^64 - 2^32 + 1: 2^64 = 2^32 - 1 (mod p), the product's upper 32 bits are multiplied by that.
__device__ unsigned long long times(unsigned long long v, unsigned c) {
  unsigned p0, p1, p2;
  asm("mul.lo.u32 %0, %3, %5;\n\tmul.hi.u32 %1, %3, %5;\n\t"
      "mad.lo.cc.u32 %1, %4, %5, %1;\n\tmadc.hi.u32 %2, %4, %5, 0;"
      : "=r"(p0), "=r"(p1), "=r"(p2) : "r"((unsigned)v), "r"((unsigned)(v >> 32)), "r"(c));
  unsigned q0, q1, carry;
  asm("sub.cc.u32 %0, 0, %3;\n\tsubc.u32 %1, %3, 0;\n\t" // p2 * (2^32 - 1)
      "add.cc.u32 %0, %0, %4;\n\taddc.cc.u32 %1, %1, %5;\n\taddc.u32 %2, 0, 0;"
      : "=r"(q0), "=r"(q1), "=r"(carry) : "r"(p2), "r"(p0), "r"(p1));
  asm("sub.cc.u32 %0, %0, %2;\n\tsubc.u32 %1, %1, 0;" // a carry: + 2^32 - 1, below p then
      : "+r"(q0), "+r"(q1) : "r"(carry));
  q1 += carry;
  unsigned long long r = q0 | (unsigned long long)q1 << 32;
  return carry == 0 && r >= 0xffffffff00000001ull ? r - 0xffffffff00000001ull : r;
}

extern "C" __global__ void goldilocks_mul(const unsigned long long* x, const unsigned long long* y, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 2;
  unsigned long long v = x[i], w = y[i];
  for (int round = 0; round < 8; ++round) {
    v = times(v, 7);
    w = times(w, 0xffffffff);
    v = times(v, 0x80000001 + round);
    w ^= v & 0xffff;
  }
  o[0] = v;
  o[1] = w;
}

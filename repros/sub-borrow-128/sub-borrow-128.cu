// Borrow chains of 32 and 64 bits, a 128-bit compare, and a negation through the chain.
extern "C" __global__ void sub_borrow_128(const unsigned long long* x, const unsigned long long* y, const unsigned long long* z, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 8;
  unsigned long long a0 = x[i], a1 = z[i], b0 = y[i], b1 = z[i + 256], lo, hi;
  unsigned w0, w1, w2, w3, borrow;
  asm("sub.cc.u32 %0, %5, %9;\n\tsubc.cc.u32 %1, %6, %10;\n\tsubc.cc.u32 %2, %7, %11;\n\t"
      "subc.cc.u32 %3, %8, %12;\n\tsubc.u32 %4, 0, 0;"
      : "=r"(w0), "=r"(w1), "=r"(w2), "=r"(w3), "=r"(borrow)
      : "r"((unsigned)a0), "r"((unsigned)(a0 >> 32)), "r"((unsigned)a1), "r"((unsigned)(a1 >> 32)),
        "r"((unsigned)b0), "r"((unsigned)(b0 >> 32)), "r"((unsigned)b1), "r"((unsigned)(b1 >> 32)));
  o[0] = w0 | (unsigned long long)w1 << 32;
  o[1] = w2 | (unsigned long long)w3 << 32;
  o[2] = borrow; // all ones: the first is less
  asm("sub.cc.u64 %0, %2, %4;\n\tsubc.u64 %1, %3, %5;" : "=l"(lo), "=l"(hi) : "l"(a0), "l"(a1), "l"(b0), "l"(b1));
  o[3] = hi + lo;
  o[4] = a1 < b1 || (a1 == b1 && a0 < b0);
  asm("sub.cc.u64 %0, 0, %2;\n\tsubc.u64 %1, 0, %3;" : "=l"(lo), "=l"(hi) : "l"(a0), "l"(a1));
  o[5] = lo;
  o[6] = hi;
  o[7] = a1 - b1 - (a0 < b0);
}

// The same 128-bit sum three ways, with its carry out.
extern "C" __global__ void add_carry_128(const unsigned long long* x, const unsigned long long* y, const unsigned long long* z, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 8;
  unsigned long long a0 = x[i], a1 = z[i], b0 = y[i], b1 = x[i + 256], lo, hi, out64;
  unsigned w0, w1, w2, w3, carry;
  asm("add.cc.u32 %0, %5, %9;\n\taddc.cc.u32 %1, %6, %10;\n\taddc.cc.u32 %2, %7, %11;\n\t"
      "addc.cc.u32 %3, %8, %12;\n\taddc.u32 %4, 0, 0;"
      : "=r"(w0), "=r"(w1), "=r"(w2), "=r"(w3), "=r"(carry)
      : "r"((unsigned)a0), "r"((unsigned)(a0 >> 32)), "r"((unsigned)a1), "r"((unsigned)(a1 >> 32)),
        "r"((unsigned)b0), "r"((unsigned)(b0 >> 32)), "r"((unsigned)b1), "r"((unsigned)(b1 >> 32)));
  o[0] = w0 | (unsigned long long)w1 << 32;
  o[1] = w2 | (unsigned long long)w3 << 32;
  o[2] = carry;
  asm("add.cc.u64 %0, %3, %5;\n\taddc.cc.u64 %1, %4, %6;\n\taddc.u64 %2, 0, 0;"
      : "=l"(lo), "=l"(hi), "=l"(out64) : "l"(a0), "l"(a1), "l"(b0), "l"(b1));
  o[3] = lo ^ y[i + 256];
  o[4] = hi;
  o[5] = out64;
  unsigned long long low = a0 + b0, c = low < a0, half = a1 + b1, high = half + c;
  o[6] = high;
  o[7] = (half < a1) + (high < half);
}

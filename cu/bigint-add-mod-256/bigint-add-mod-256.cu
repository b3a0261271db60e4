// The prime of secp256k1. Inputs are reduced first. A chain is one asm, its carry or borrow a register at the
// end.
namespace {

constexpr int kLimbs = 8;

__device__ unsigned add(unsigned (&r)[kLimbs], const unsigned (&b)[kLimbs]) {
  unsigned carry = 0;
  asm("add.cc.u32  %0, %0, %9;\n\t"
      "addc.cc.u32 %1, %1, %10;\n\t"
      "addc.cc.u32 %2, %2, %11;\n\t"
      "addc.cc.u32 %3, %3, %12;\n\t"
      "addc.cc.u32 %4, %4, %13;\n\t"
      "addc.cc.u32 %5, %5, %14;\n\t"
      "addc.cc.u32 %6, %6, %15;\n\t"
      "addc.cc.u32 %7, %7, %16;\n\t"
      "addc.u32    %8, %8, 0;"
      : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]), "+r"(r[4]), "+r"(r[5]), "+r"(r[6]), "+r"(r[7]),
        "+r"(carry)
      : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]));
  return carry;
}

/// 0xffffffff if it borrowed.
__device__ unsigned subtract(unsigned (&r)[kLimbs], const unsigned (&b)[kLimbs]) {
  unsigned borrow = 0;
  asm("sub.cc.u32  %0, %0, %9;\n\t"
      "subc.cc.u32 %1, %1, %10;\n\t"
      "subc.cc.u32 %2, %2, %11;\n\t"
      "subc.cc.u32 %3, %3, %12;\n\t"
      "subc.cc.u32 %4, %4, %13;\n\t"
      "subc.cc.u32 %5, %5, %14;\n\t"
      "subc.cc.u32 %6, %6, %15;\n\t"
      "subc.cc.u32 %7, %7, %16;\n\t"
      "subc.u32    %8, %8, 0;"
      : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]), "+r"(r[4]), "+r"(r[5]), "+r"(r[6]), "+r"(r[7]),
        "+r"(borrow)
      : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]));
  return borrow;
}

__device__ void loadPrime(unsigned (&p)[kLimbs], unsigned mask) {
  p[0] = 0xfffffc2fu & mask;
  p[1] = 0xfffffffeu & mask;
#pragma unroll
  for (int i = 2; i < kLimbs; ++i)
    p[i] = mask;
}

/// carry * 2^256 + r, less than two primes, without branches.
__device__ void reduce(unsigned (&r)[kLimbs], unsigned carry) {
  unsigned p[kLimbs];
  loadPrime(p, 0xffffffffu);
  unsigned below = subtract(r, p) & (carry - 1);
  loadPrime(p, below);
  add(r, p);
}

__device__ void load(unsigned (&r)[kLimbs], const unsigned* from) {
#pragma unroll
  for (int i = 0; i < kLimbs; ++i)
    r[i] = from[i];
}

__device__ void store(unsigned* out, const unsigned (&r)[kLimbs]) {
#pragma unroll
  for (int i = 0; i < kLimbs; ++i)
    out[i] = r[i];
}

} // namespace

extern "C" __global__ void bigint_add_mod_256(const unsigned* __restrict__ a, const unsigned* __restrict__ b,
                                              unsigned* __restrict__ out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, x[kLimbs], y[kLimbs], r[kLimbs], p[kLimbs];
  load(x, a + kLimbs * t);
  load(y, b + kLimbs * t);
  reduce(x, 0);
  reduce(y, 0);
  load(r, x);
  reduce(r, add(r, y));
  store(out + 24 * t, r);
  load(r, x);
  loadPrime(p, subtract(r, y));
  add(r, p);
  store(out + 24 * t + 8, r);
  load(r, y);
  reduce(r, add(r, y));
  store(out + 24 * t + 16, r);
}

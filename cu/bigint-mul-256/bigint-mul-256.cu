// Row by row: low halves of the eight products in one carry chain, high halves in another, each chain one
// asm.
namespace {

constexpr int kLimbs = 8;

/// r[0…8] += a * b; r[8] is zero before, and the sum fits.
__device__ void addRow(unsigned* r, const unsigned (&a)[kLimbs], unsigned b) {
  asm("mad.lo.cc.u32  %0, %9,  %17, %0;\n\t"
      "madc.lo.cc.u32 %1, %10, %17, %1;\n\t"
      "madc.lo.cc.u32 %2, %11, %17, %2;\n\t"
      "madc.lo.cc.u32 %3, %12, %17, %3;\n\t"
      "madc.lo.cc.u32 %4, %13, %17, %4;\n\t"
      "madc.lo.cc.u32 %5, %14, %17, %5;\n\t"
      "madc.lo.cc.u32 %6, %15, %17, %6;\n\t"
      "madc.lo.cc.u32 %7, %16, %17, %7;\n\t"
      "addc.u32       %8, %8, 0;\n\t"
      "mad.hi.cc.u32  %1, %9,  %17, %1;\n\t"
      "madc.hi.cc.u32 %2, %10, %17, %2;\n\t"
      "madc.hi.cc.u32 %3, %11, %17, %3;\n\t"
      "madc.hi.cc.u32 %4, %12, %17, %4;\n\t"
      "madc.hi.cc.u32 %5, %13, %17, %5;\n\t"
      "madc.hi.cc.u32 %6, %14, %17, %6;\n\t"
      "madc.hi.cc.u32 %7, %15, %17, %7;\n\t"
      "madc.hi.u32    %8, %16, %17, %8;"
      : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]), "+r"(r[4]), "+r"(r[5]), "+r"(r[6]), "+r"(r[7]),
        "+r"(r[8])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(b));
}

__device__ void store(unsigned* out, const unsigned (&a)[kLimbs], const unsigned (&b)[kLimbs]) {
  unsigned r[2 * kLimbs] = {};
#pragma unroll
  for (int i = 0; i < kLimbs; ++i)
    addRow(r + i, a, b[i]);
#pragma unroll
  for (int i = 0; i < 2 * kLimbs; ++i)
    out[i] = r[i];
}

} // namespace

extern "C" __global__ void bigint_mul_256(const unsigned* __restrict__ a, const unsigned* __restrict__ b,
                                          unsigned* __restrict__ out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, left[kLimbs], right[kLimbs];
#pragma unroll
  for (int i = 0; i < kLimbs; ++i) {
    left[i] = a[kLimbs * t + i];
    right[i] = b[kLimbs * t + i];
  }
  store(out + 32 * t, left, right);
  store(out + 32 * t + 16, left, left);
}

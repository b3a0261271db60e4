// D = A·B + C, one product of 16×16 a warp. A, C and D lie by rows, B by columns.
namespace {

constexpr int kSide = 16;

} // namespace

extern "C" __global__ void mma_f64(const double* a, const double* b, const double* c, double* d) {
  int lane = threadIdx.x, group = lane / 4, quarter = lane % 4;
  a += blockIdx.x * kSide * kSide;
  b += blockIdx.x * kSide * kSide;
  c += blockIdx.x * kSide * kSide;
  d += blockIdx.x * kSide * kSide;
  for (int right = 0; right < 2; ++right) { // eight columns each
    int at = group * kSide + right * 8 + quarter * 2;
    const double* left = a + group * kSide + quarter;
    const double* above = b + (right * 8 + group) * kSide + quarter;
    double sum[4] = {c[at], c[at + 1], c[at + 8 * kSide], c[at + 8 * kSide + 1]};
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
        : "d"(left[0]), "d"(left[8 * kSide]), "d"(left[4]), "d"(left[8 * kSide + 4]), "d"(left[8]),
          "d"(left[8 * kSide + 8]), "d"(left[12]), "d"(left[8 * kSide + 12]), "d"(above[0]), "d"(above[4]),
          "d"(above[8]), "d"(above[12]));
#else
    for (int lower = 0; lower < 2; ++lower)
      for (int k = 0; k < kSide; k += 4)
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
            : "+d"(sum[2 * lower]), "+d"(sum[2 * lower + 1])
            : "d"(left[lower * 8 * kSide + k]), "d"(above[k]));
#endif
    d[at] = sum[0];
    d[at + 1] = sum[1];
    d[at + 8 * kSide] = sum[2];
    d[at + 8 * kSide + 1] = sum[3];
  }
}

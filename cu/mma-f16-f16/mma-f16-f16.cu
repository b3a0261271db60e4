// D = A·B + C, one product of 16×16 a warp. A, C and D lie by rows, B by columns; a word holds two of k.
namespace {

constexpr int kSide = 16, kWords = 8;

__device__ void multiply(unsigned (&d)[2], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
      : "+r"(d[0]), "+r"(d[1])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
      : "+r"(d[0]), "+r"(d[1])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
      : "+r"(d[0]), "+r"(d[1])
      : "r"(a[2]), "r"(a[3]), "r"(b[1]));
#endif
}

} // namespace

extern "C" __global__ void mma_f16_f16(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  int lane = threadIdx.x, group = lane / 4, quarter = lane % 4;
  a += blockIdx.x * kSide * kWords;
  b += blockIdx.x * kSide * kWords;
  c += blockIdx.x * kSide * kSide / 2;
  d += blockIdx.x * kSide * kSide / 2;
  for (int right = 0; right < 2; ++right) { // eight columns each
    int at = group * 8 + right * 4 + quarter;
    unsigned sum[2] = {c[at], c[at + 64]};
    for (int word = quarter; word < kWords; word += 8) {
      const unsigned* left = a + group * kWords + word;
      const unsigned* above = b + (right * 8 + group) * kWords + word;
      unsigned rows[4] = {left[0], left[8 * kWords], left[4], left[8 * kWords + 4]};
      unsigned columns[2] = {above[0], above[4]};
      multiply(sum, rows, columns);
    }
    d[at] = sum[0];
    d[at + 64] = sum[1];
  }
}

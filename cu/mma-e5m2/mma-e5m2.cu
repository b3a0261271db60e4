// D = A·B + C, one product of 16×16 a warp. A, C and D lie by rows, B by columns; a word holds four of k.
namespace {

constexpr int kSide = 16, kWords = 8;

__device__ void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

} // namespace

extern "C" __global__ void mma_e5m2(const unsigned* a, const unsigned* b, const float* c, float* d) {
  int lane = threadIdx.x, group = lane / 4, quarter = lane % 4;
  a += blockIdx.x * kSide * kWords;
  b += blockIdx.x * kSide * kWords;
  c += blockIdx.x * kSide * kSide;
  d += blockIdx.x * kSide * kSide;
  for (int right = 0; right < 2; ++right) { // eight columns each
    int at = group * kSide + right * 8 + quarter * 2;
    float sum[4] = {c[at], c[at + 1], c[at + 8 * kSide], c[at + 8 * kSide + 1]};
    for (int word = quarter; word < kWords; word += 8) {
      const unsigned* left = a + group * kWords + word;
      const unsigned* above = b + (right * 8 + group) * kWords + word;
      unsigned rows[4] = {left[0], left[8 * kWords], left[4], left[8 * kWords + 4]};
      unsigned columns[2] = {above[0], above[4]};
      multiply(sum, rows, columns);
    }
    d[at] = sum[0];
    d[at + 1] = sum[1];
    d[at + 8 * kSide] = sum[2];
    d[at + 8 * kSide + 1] = sum[3];
  }
}

// D = A·B + C, one product of 16×16 a warp. A, C and D lie by rows, B by columns; a word holds some elements
// that follow each other along k. FORM is the rest of the instruction's name, SMALL_FORM that of the one that
// sm_75 has in its place, if it has one.
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

namespace {

constexpr int kSide = 16, kWords = 8;

__device__ void multiply(int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 800 || !defined(SMALL_FORM)
  asm("mma.sync.aligned." TEXT(FORM) " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  for (int half = 0; half < 2; ++half) // of the rows
    for (int k = 0; k < 2; ++k)
      asm("mma.sync.aligned." TEXT(SMALL_FORM) " {%0, %1}, {%2}, {%3}, {%0, %1};"
          : "+r"(d[2 * half]), "+r"(d[2 * half + 1])
          : "r"(a[2 * k + half]), "r"(b[k]));
#endif
}

} // namespace

extern "C" __global__ void mma_integer(const unsigned* a, const unsigned* b, const int* c, int* d) {
  int lane = threadIdx.x, group = lane / 4, quarter = lane % 4;
  a += blockIdx.x * kSide * kWords;
  b += blockIdx.x * kSide * kWords;
  c += blockIdx.x * kSide * kSide;
  d += blockIdx.x * kSide * kSide;
  for (int right = 0; right < 2; ++right) { // eight columns each
    int at = group * kSide + right * 8 + quarter * 2;
    int sum[4] = {c[at], c[at + 1], c[at + 8 * kSide], c[at + 8 * kSide + 1]};
    const unsigned* left = a + group * kWords + quarter;
    const unsigned* above = b + (right * 8 + group) * kWords + quarter;
    unsigned rows[4] = {left[0], left[8 * kWords], left[4], left[8 * kWords + 4]};
    unsigned columns[2] = {above[0], above[4]};
    multiply(sum, rows, columns);
    d[at] = sum[0];
    d[at + 1] = sum[1];
    d[at + 8 * kSide] = sum[2];
    d[at + 8 * kSide + 1] = sum[3];
  }
}

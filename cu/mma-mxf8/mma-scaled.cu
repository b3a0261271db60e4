// D = (A·scales)·(B·scales) + C, one product of 16×16 a warp. A, C and D lie by rows, B by columns; a word
// holds some elements that follow each other along k. A row of A and a column of B have their scales in a
// word, from the bytes A_BYTE and B_BYTE on. FORM is the rest of the instruction's name.
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

namespace {

constexpr int kSide = 16, kWords = 8;

} // namespace

extern "C" __global__ void mma_scaled(const unsigned* a, const unsigned* b, const unsigned* scalesA,
                                      const unsigned* scalesB, const float* c, float* d) {
  int lane = threadIdx.x, group = lane / 4, quarter = lane % 4;
  a += blockIdx.x * kSide * kWords;
  b += blockIdx.x * kSide * kWords;
  scalesA += blockIdx.x * kSide;
  scalesB += blockIdx.x * kSide;
  c += blockIdx.x * kSide * kSide;
  d += blockIdx.x * kSide * kSide;
  for (int right = 0; right < 2; ++right) { // eight columns each
    int at = group * kSide + right * 8 + quarter * 2;
    const unsigned* left = a + group * kWords + quarter;
    const unsigned* above = b + (right * 8 + group) * kWords + quarter;
    // Lanes 2 and 3 of each four have those of A, lane 1 those of B; the others' count for nothing.
    unsigned scaleA = quarter < 2 ? 0x01020304 : scalesA[group + quarter % 2 * 8];
    unsigned scaleB = quarter != 1 ? 0x01020304 : scalesB[right * 8 + group];
    float sum[4] = {c[at], c[at + 1], c[at + 8 * kSide], c[at + 8 * kSide + 1]};
    asm("mma.sync.aligned." TEXT(FORM) " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}, "
                                       "%10, {" TEXT(A_BYTE) ", 1}, %11, {" TEXT(B_BYTE) ", 1};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(left[0]), "r"(left[8 * kWords]), "r"(left[4]), "r"(left[8 * kWords + 4]), "r"(above[0]),
          "r"(above[4]), "r"(scaleA), "r"(scaleB));
    d[at] = sum[0];
    d[at + 1] = sum[1];
    d[at + 8 * kSide] = sum[2];
    d[at + 8 * kSide + 1] = sum[3];
  }
}

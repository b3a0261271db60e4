// D = A·B + C, four products of 8×8 a warp, each of eight lanes. A, C and D lie by rows, B by columns.
namespace {

constexpr int kSide = 8, kWords = 8; // two of k in a word

} // namespace

extern "C" __global__ void mma_f16_m8n8k4(const unsigned* a, const unsigned* b, const float* c, float* d) {
  int lane = threadIdx.x, quarter = lane % 4, upper = lane / 16 * 4;
  int product = blockIdx.x * 4 + lane % 16 / 4;
  const unsigned* row = a + (product * kSide + quarter + upper) * kWords;
  const unsigned* column = b + (product * kSide + quarter + upper) * kWords;
  float sum[8];
  int at[8];
  for (int i = 0; i < 8; ++i) {
    at[i] = (product * kSide + (lane & 1) + (i & 2) + upper) * kSide + (i & 4) + (lane & 2) + (i & 1);
    sum[i] = c[at[i]];
  }
  for (int k = 0; k < kWords; k += 2)
    asm("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%0, %1, %2, %3, %4, %5, %6, %7};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]), "+f"(sum[4]), "+f"(sum[5]), "+f"(sum[6]),
          "+f"(sum[7])
        : "r"(row[k]), "r"(row[k + 1]), "r"(column[k]), "r"(column[k + 1]));
  for (int i = 0; i < 8; ++i)
    d[at[i]] = sum[i];
}

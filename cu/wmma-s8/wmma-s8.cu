#include <mma.h>

// D = A·B + C, one product of 16×16 a warp. A, C and D lie by rows, B by columns.
extern "C" __global__ void wmma_s8(const signed char* a, const signed char* b, const int* c, int* d) {
  using namespace nvcuda;
  constexpr int kSide = 16;
  wmma::fragment<wmma::matrix_a, kSide, kSide, kSide, signed char, wmma::row_major> rows;
  wmma::fragment<wmma::matrix_b, kSide, kSide, kSide, signed char, wmma::col_major> columns;
  wmma::fragment<wmma::accumulator, kSide, kSide, kSide, int> sum;
  int at = blockIdx.x * kSide * kSide;
  wmma::load_matrix_sync(rows, a + at, kSide);
  wmma::load_matrix_sync(columns, b + at, kSide);
  wmma::load_matrix_sync(sum, c + at, kSide, wmma::mem_row_major);
  wmma::mma_sync(sum, rows, columns, sum);
  wmma::store_matrix_sync(d + at, sum, kSide, wmma::mem_row_major);
}

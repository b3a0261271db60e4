#include <mma.h>

// D = A·B + C, one product of 32×8×16 a warp. A lies by columns, B by rows, C and D by columns.
extern "C" __global__ void wmma_f16_f16_m32n8(const half* a, const half* b, const half* c, half* d) {
  using namespace nvcuda;
  constexpr int kRows = 32, kColumns = 8, kDepth = 16;
  wmma::fragment<wmma::matrix_a, kRows, kColumns, kDepth, half, wmma::col_major> left;
  wmma::fragment<wmma::matrix_b, kRows, kColumns, kDepth, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, kRows, kColumns, kDepth, half> sum;
  wmma::load_matrix_sync(left, a + blockIdx.x * kRows * kDepth, kRows);
  wmma::load_matrix_sync(right, b + blockIdx.x * kDepth * kColumns, kColumns);
  wmma::load_matrix_sync(sum, c + blockIdx.x * kRows * kColumns, kRows, wmma::mem_col_major);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d + blockIdx.x * kRows * kColumns, sum, kRows, wmma::mem_col_major);
}

#include <mma.h>

// D = A·B + C, one product of 8×32×16 a warp. A lies by rows, B by rows, C and D by columns.
extern "C" __global__ void wmma_bf16_m8n32(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c,
                                           float* d) {
  using namespace nvcuda;
  constexpr int kRows = 8, kColumns = 32, kDepth = 16;
  wmma::fragment<wmma::matrix_a, kRows, kColumns, kDepth, __nv_bfloat16, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, kRows, kColumns, kDepth, __nv_bfloat16, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, kRows, kColumns, kDepth, float> sum;
  wmma::load_matrix_sync(left, a + blockIdx.x * kRows * kDepth, kDepth);
  wmma::load_matrix_sync(right, b + blockIdx.x * kDepth * kColumns, kColumns);
  wmma::load_matrix_sync(sum, c + blockIdx.x * kRows * kColumns, kRows, wmma::mem_col_major);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d + blockIdx.x * kRows * kColumns, sum, kRows, wmma::mem_col_major);
}

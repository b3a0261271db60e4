// Rotary embedding in place: a block a token (x) and head (y), a thread a pair of the first `rotated` of
// `dim` elements. Pairs are adjacent, or `rotated` / 2 apart if `split`. The table's row of a position holds
// rotated / 2 cosines, then as many sines.
//   first = fma(a, c, -(b * s)), second = fma(a, s, b * c)
extern "C" __global__ void rope(const long long* __restrict__ position, const float* __restrict__ table,
                                float* x, unsigned dim, unsigned rotated, unsigned split) {
  unsigned half = rotated / 2;
  const float* row = table + position[blockIdx.x] * rotated;
  float* head = x + (static_cast<unsigned long long>(blockIdx.x) * gridDim.y + blockIdx.y) * dim;
  for (unsigned i = threadIdx.x; i < half; i += blockDim.x) {
    float c = row[i], s = row[half + i];
    float* first = head + (split ? i : i * 2);
    float* second = first + (split ? half : 1);
    float a = *first, b = *second;
    *first = __fmaf_rn(a, c, -__fmul_rn(b, s));
    *second = __fmaf_rn(a, s, __fmul_rn(b, c));
  }
}

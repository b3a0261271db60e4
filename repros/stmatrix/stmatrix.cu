// Four places of shared memory, one for each form; rows lie 16 bytes apart, in the order of the lanes that
// name them.
template <int kMatrices, bool kTransposed> __device__ void store(unsigned short* to, const unsigned* v) {
  int lane = threadIdx.x;
#if __CUDA_ARCH__ >= 900
  unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(to + lane % (8 * kMatrices) * 8));
  if (kMatrices == 1)
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(row), "r"(v[0]) : "memory");
  if (kMatrices == 2)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(row), "r"(v[0]),
                 "r"(v[1])
                 : "memory");
  if (kMatrices == 4 && kTransposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row),
                 "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3])
                 : "memory");
  if (kMatrices == 4 && !kTransposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(v[0]),
                 "r"(v[1]), "r"(v[2]), "r"(v[3])
                 : "memory");
#else
  for (int m = 0; m < kMatrices; ++m)
    for (int i = 0; i < 2; ++i) {
      int row = lane / 4, column = lane % 4 * 2 + i;
      to[m * 64 + (kTransposed ? column * 8 + row : row * 8 + column)] =
          static_cast<unsigned short>(v[m] >> 16 * i);
    }
#endif
}

extern "C" __global__ void stmatrixAll(const unsigned* in, unsigned short* out) {
  __shared__ __align__(16) unsigned short tile[704];
  int t = threadIdx.x;
  unsigned v[4] = {in[t], in[t + 32], in[t + 64], in[t + 96]};
  store<1, false>(tile, v);
  store<2, true>(tile + 64, v + 1);
  store<4, true>(tile + 192, v);
  store<4, false>(tile + 448, v);
  __syncwarp();
  for (int i = t; i < 704; i += 32)
    out[i] = tile[i];
}

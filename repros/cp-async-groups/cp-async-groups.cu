// A pipeline of two stages over `steps` tiles of 64 words; bytes beyond a short source become zero.
template <int kBytes> __device__ void copy(unsigned* to, const unsigned* from, unsigned bytes) {
#if __CUDA_ARCH__ >= 800
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if (kBytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(bytes)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(address), "l"(from), "r"(bytes),
                 "n"(kBytes)
                 : "memory");
#else
  for (unsigned i = 0; i < kBytes / 4; ++i)
    to[i] = 4 * i < bytes ? from[i] : 0;
#endif
}

__device__ void fill(unsigned* tile, const unsigned* from, int step) {
  int t = threadIdx.x;
  if (t < 8)
    copy<16>(tile + t * 4, from + t * 4, (t + step) % 4 * 4 + 4);
  else if (t < 16)
    copy<8>(tile + 16 + t * 2, from + 16 + t * 2, t == 9 ? 0 : 8);
  else if (t < 32)
    copy<4>(tile + 32 + t, from + 32 + t, t % 5 == step % 5 ? 0 : 4);
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

extern "C" __global__ void cpAsyncGroups(const unsigned* in, int steps, unsigned* out) {
  __shared__ __align__(16) unsigned tile[2][64];
  unsigned sum = 0;
  const unsigned* from = in + blockIdx.x * 512;
  fill(tile[0], from, 0);
  for (int step = 0; step < steps; ++step) {
    fill(tile[(step + 1) % 2], from + (step + 1) % steps * 64, step + 1);
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group 1;" ::: "memory");
#endif
    __syncthreads();
    sum = sum * 5 + tile[step % 2][threadIdx.x] - tile[step % 2][63 - threadIdx.x] / 3;
    __syncthreads();
  }
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

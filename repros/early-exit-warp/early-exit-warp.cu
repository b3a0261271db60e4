// Lanes that have returned take no part in later votes and shuffles, and are not waited for.
extern "C" __global__ void earlyExitWarp(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[3];
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, x = in[t];
  if (threadIdx.x < 3) sums[threadIdx.x] = 0;
  __syncthreads();
  unsigned alive = __ballot_sync(0xffffffffu, (x & 3) != 0);
  if ((x & 3) == 0) {
    out[t * 4] = 0x10000000u | (x >> 8);
    return;
  }
  for (unsigned i = 0, steps = x >> 29; i < steps; ++i)
    x = x * 0x9e3779b1u + i;
  unsigned first = __ffs(alive) - 1, last = 31 - __clz(alive);
  out[t * 4] = __shfl_sync(alive, x, first) ^ __shfl_sync(alive, x, last) >> 1;
  unsigned large = __ballot_sync(alive, x >> 31);
  if (!(x >> 31)) return;
  out[t * 4 + 1] = __ballot_sync(large, x & 0x100);
  atomicAdd(&sums[threadIdx.x / 32], x & 0xffff);
  __syncthreads();
  out[t * 4 + 2] = sums[threadIdx.x / 32];
  out[t * 4 + 3] = sums[(threadIdx.x / 32 + 1) % 3];
}

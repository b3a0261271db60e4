// The old idiom: a warp's lanes add neighbours in shared memory as if they ran in step. Nothing says they do.
extern "C" __global__ void warpRace(const unsigned* in, unsigned* out) {
  __shared__ unsigned sum[64];
  unsigned t = threadIdx.x, lane = t % 32;
  unsigned* mine = sum + t / 32 * 32;
  mine[lane] = in[blockIdx.x * 64 + t];
  if (lane < 16) {
    mine[lane] += mine[lane + 16];
    mine[lane] += mine[lane + 8];
    mine[lane] += mine[lane + 4];
    mine[lane] += mine[lane + 2];
    mine[lane] += mine[lane + 1];
  }
  if (lane == 0) out[blockIdx.x * 2 + t / 32] = mine[0];
}

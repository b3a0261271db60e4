// Inclusive prefix sums modulo 2^32 of each block's n elements, in tiles of four a thread: in the thread, by
// shuffles in the warp, over the warps' totals in shared memory, and a running total from tile to tile.
namespace {

constexpr unsigned kThreads = 128, kWarps = kThreads / 32, kItems = 4;

__device__ unsigned warpScan(unsigned v, unsigned lane) {
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    unsigned before = __shfl_up_sync(0xffffffffu, v, distance);
    if (lane >= distance) v += before;
  }
  return v;
}

} // namespace

extern "C" __global__ void inclusive_scan_block(const unsigned* __restrict__ x, unsigned* __restrict__ out,
                                                unsigned* __restrict__ total, unsigned n) {
  __shared__ unsigned warpTotals[kWarps];
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, running = 0;
  x += blockIdx.x * n;
  out += blockIdx.x * n;
  for (unsigned tile = 0; tile < n; tile += kThreads * kItems) {
    unsigned from = tile + threadIdx.x * kItems, item[kItems];
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      item[k] = from + k < n ? x[from + k] : 0;
      if (k > 0) item[k] += item[k - 1];
    }
    unsigned inclusive = warpScan(item[kItems - 1], lane);
    if (lane == 31) warpTotals[warp] = inclusive;
    __syncthreads();
    unsigned before = running + inclusive - item[kItems - 1];
#pragma unroll
    for (unsigned w = 0; w < kWarps; ++w) {
      if (w < warp) before += warpTotals[w];
      running += warpTotals[w];
    }
    __syncthreads(); // before the next tile's totals
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k)
      if (from + k < n) out[from + k] = before + item[k];
  }
  if (threadIdx.x == 0) total[blockIdx.x] = running;
}

// A stable pass by four bits over each block's keys, four consecutive ones a thread. Threads count their
// digits in 16-bit counters, two a word (digit d and d + 8), in shared memory: counters[d % 8][thread]. A
// scan over all words in that order gives each thread the place of its first key of a digit, low halves
// first; the total of the low halves is carried to the high ones. Then each thread places its keys in order.
namespace {

constexpr unsigned kThreads = 128, kItems = 4, kWords = 8;

__device__ unsigned warpScan(unsigned v, unsigned lane) {
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    unsigned before = __shfl_up_sync(0xffffffffu, v, distance);
    if (lane >= distance) v += before;
  }
  return v;
}

} // namespace

extern "C" __global__ void radix_digit_pass(const unsigned* __restrict__ keys,
                                            const unsigned short* __restrict__ values,
                                            unsigned* __restrict__ sortedKeys,
                                            unsigned short* __restrict__ sortedValues,
                                            unsigned* __restrict__ starts, unsigned n, unsigned shift) {
  __shared__ unsigned counters[kWords * kThreads];
  __shared__ unsigned warpTotals[kThreads / 32];
  unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, from = t * kItems, base = blockIdx.x * n;
#pragma unroll
  for (unsigned w = 0; w < kWords; ++w)
    counters[w * kThreads + t] = 0;

  unsigned key[kItems], place[kItems];
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    key[k] = from + k < n ? keys[base + from + k] : 0xffffffffu;
    if (from + k < n) {
      unsigned digit = key[k] >> shift & 15, &counter = counters[digit % 8 * kThreads + t];
      place[k] = counter >> (digit / 8 * 16) & 0xffff; // among the thread's own
      counter += 1u << (digit / 8 * 16);
    }
  }
  __syncthreads();

  unsigned local[kWords], sum = 0; // thread t scans words 8 t … 8 t + 7
#pragma unroll
  for (unsigned w = 0; w < kWords; ++w) {
    local[w] = sum;
    sum += counters[t * kWords + w];
  }
  unsigned inclusive = warpScan(sum, lane);
  if (lane == 31) warpTotals[warp] = inclusive;
  __syncthreads();
  unsigned before = inclusive - sum, all = 0;
#pragma unroll
  for (unsigned w = 0; w < kThreads / 32; ++w) {
    if (w < warp) before += warpTotals[w];
    all += warpTotals[w];
  }
  before += all << 16; // keys of digits 0 … 7 come before all others
#pragma unroll
  for (unsigned w = 0; w < kWords; ++w)
    counters[t * kWords + w] = before + local[w];
  __syncthreads();

#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    if (from + k < n) {
      unsigned digit = key[k] >> shift & 15;
      unsigned to = base + (counters[digit % 8 * kThreads + t] >> (digit / 8 * 16) & 0xffff) + place[k];
      sortedKeys[to] = key[k];
      sortedValues[to] = values[base + from + k];
    }
  }
  if (t < 16) starts[blockIdx.x * 16 + t] = counters[t % 8 * kThreads] >> (t / 8 * 16) & 0xffff;
}

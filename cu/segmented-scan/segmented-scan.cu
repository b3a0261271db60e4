// Inclusive sums and maxima of 64-bit values within segments of a warp. A segment begins at lane 0 and at
// each head; a lane finds its first lane as the highest head at or below it in the warp's ballot.
extern "C" __global__ void segmented_scan(const long long* __restrict__ value,
                                          const unsigned char* __restrict__ head, long long* __restrict__ sum,
                                          long long* __restrict__ most, unsigned* __restrict__ rank) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  unsigned heads = __ballot_sync(0xffffffffu, head[i] != 0) | 1;
  unsigned first = 31 - __clz(static_cast<int>(heads & 0xffffffffu >> (31 - lane)));
  long long s = value[i], m = s;
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    long long before = __shfl_up_sync(0xffffffffu, s, distance);
    long long mostBefore = __shfl_up_sync(0xffffffffu, m, distance);
    if (lane >= first + distance) {
      s += before;
      m = mostBefore > m ? mostBefore : m;
    }
  }
  sum[i] = s;
  most[i] = m;
  rank[i] = __popc(heads & (2u << lane) - 1) << 8 | (lane - first); // the segment's number, the place in it
}

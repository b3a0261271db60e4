// The pair's first word holds the short in its low half, and anything in its high half, and is shuffled
// whole.
// |-32768| does not fit in a short, so the values are compared as unsigned absolute values.
struct Best {
  unsigned word;
  int index;
  int count;
};

__device__ unsigned magnitude(short v) {
  return v < 0 ? 0u - static_cast<unsigned>(v) : static_cast<unsigned>(v);
}

template <bool kLargest> __device__ Best better(Best a, Best b) {
  unsigned x = magnitude(static_cast<short>(a.word)), y = magnitude(static_cast<short>(b.word));
  Best best = kLargest ? (x < y               ? b
                          : y < x             ? a
                          : a.index < b.index ? a
                                              : b)
                       : (y < x               ? b
                          : x < y             ? a
                          : a.index < b.index ? a
                                              : b);
  best.count = a.count + b.count;
  return best;
}

template <bool kLargest> __device__ Best reduce(Best best) {
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    Best other;
    other.word = __shfl_down_sync(0xffffffffu, best.word, step);
    other.index = __shfl_down_sync(0xffffffffu, best.index, step);
    other.count = __shfl_down_sync(0xffffffffu, best.count, step);
    best = better<kLargest>(best, other);
  }
  return best;
}

extern "C" __global__ void shuffleArgminShort(const unsigned* words, int* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  Best mine = {words[t], t, 1};
  Best most = reduce<true>(mine), least = reduce<false>(mine);
  out[t * 4] = static_cast<short>(most.word);
  out[t * 4 + 1] = most.index;
  out[t * 4 + 2] = static_cast<short>(least.word) + most.count;
  out[t * 4 + 3] = least.index;
}

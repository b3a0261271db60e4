// A short, two bytes that nothing writes, an index and a count travel as three words; the first form of the
// reduction takes the least absolute value, the second the greatest, both the lower index among equals.
struct Best {
  short value;
  int index;
  unsigned ties;
};

__device__ unsigned magnitude(short v) {
  unsigned bits = static_cast<unsigned>(static_cast<int>(v));
  return v < 0 ? 0u - bits : bits;
}

template <bool Greatest> __device__ Best better(const Best& a, const Best& b) {
  unsigned x = magnitude(Greatest ? b.value : a.value), y = magnitude(Greatest ? a.value : b.value);
  if (y < x) return b;
  if (x < y) return a;
  Best first = a.index < b.index ? a : b;
  first.ties = a.ties + b.ties;
  return first;
}

template <bool Greatest> __device__ Best reduced(Best best) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    unsigned words[3];
    memcpy(words, &best, sizeof words);
#pragma unroll
    for (int i = 0; i < 3; ++i)
      words[i] = __shfl_down_sync(0xffffffffu, words[i], step);
    Best other;
    memcpy(&other, words, sizeof words);
    best = better<Greatest>(best, other);
  }
  return best;
}

extern "C" __global__ void shuffleArgminPadding(const short* value, int* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  Best least = reduced<false>({value[t], t, 1}), most = reduced<true>({value[t], t, 1});
  if (threadIdx.x % 32 != 0) return;
  int* row = out + t / 32 * 6;
  row[0] = least.value;
  row[1] = least.index;
  row[2] = least.ties;
  row[3] = most.value;
  row[4] = most.index;
  row[5] = most.ties;
}

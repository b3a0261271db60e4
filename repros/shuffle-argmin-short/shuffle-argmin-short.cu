// Twelve bytes, shuffled as three words: the two shorts travel in one. |-32768| does not fit in a short, so
// the values are compared as unsigned absolute values.
struct Extremes {
  short least, most;
  int leastIndex, mostIndex;
};

__device__ unsigned short magnitude(short v) {
  return static_cast<unsigned short>(v < 0 ? -static_cast<int>(v) : v);
}

__device__ bool less(short a, short b) {
  return magnitude(a) < magnitude(b);
}

__device__ Extremes combined(Extremes a, Extremes b) {
  if (less(b.least, a.least) || (!less(a.least, b.least) && b.leastIndex < a.leastIndex)) {
    a.least = b.least;
    a.leastIndex = b.leastIndex;
  }
  if (less(a.most, b.most) || (!less(b.most, a.most) && b.mostIndex < a.mostIndex)) {
    a.most = b.most;
    a.mostIndex = b.mostIndex;
  }
  return a;
}

__device__ Extremes shuffledDown(const Extremes& mine, int step) {
  unsigned words[3];
  memcpy(words, &mine, sizeof words);
#pragma unroll
  for (int i = 0; i < 3; ++i)
    words[i] = __shfl_down_sync(0xffffffffu, words[i], step);
  Extremes other;
  memcpy(&other, words, sizeof words);
  return other;
}

extern "C" __global__ void shuffleArgminShort(const short* value, int* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  Extremes all = {value[t], value[t], t, t};
#pragma unroll
  for (int step = 1; step < 32; step *= 2)
    all = combined(all, shuffledDown(all, step));
  out[t * 4] = all.least;
  out[t * 4 + 1] = all.leastIndex;
  out[t * 4 + 2] = all.most;
  out[t * 4 + 3] = all.mostIndex;
}

// Index and bits of a row's greatest bfloat16, a block of 128 threads a row. A NaN is greater than all else,
// of several the first counts; zeros of both signs are equal; on ties the lower index.
namespace {

struct Best {
  float value;
  unsigned index;
};

__device__ bool better(float a, unsigned i, const Best& b) {
  bool aNaN = a != a, bNaN = b.value != b.value;
  if (aNaN || bNaN) return aNaN && (!bNaN || i < b.index);
  return a > b.value || (a == b.value && i < b.index);
}

__device__ void warpBest(Best& best) {
  for (int distance = 16; distance > 0; distance /= 2) {
    float value = __shfl_xor_sync(0xffffffffu, best.value, distance);
    unsigned index = __shfl_xor_sync(0xffffffffu, best.index, distance);
    if (better(value, index, best)) best = {value, index};
  }
}

} // namespace

extern "C" __global__ void argmax_rows(const unsigned short* __restrict__ x, long long* __restrict__ index,
                                       unsigned short* __restrict__ value, unsigned cols) {
  __shared__ Best warps[4];
  x += blockIdx.x * cols;
  Best best = {__int_as_float(0xff800000), 0xffffffffu}; // below every element
  for (unsigned i = threadIdx.x; i < cols; i += blockDim.x) {
    float v = __uint_as_float(static_cast<unsigned>(x[i]) << 16);
    if (better(v, i, best)) best = {v, i};
  }
  warpBest(best);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x < 32) {
    best = warps[threadIdx.x % 4];
    warpBest(best);
    if (threadIdx.x == 0) {
      index[blockIdx.x] = static_cast<long long>(best.index);
      value[blockIdx.x] = x[best.index];
    }
  }
}

// Sorts up to 256 floats a block, two a thread, in the total order of IEEE 754 (by bits: -NaN, -inf, … -0, +0
// … inf, NaN), equal ones by their index. A 64-bit key holds the order's 32 bits above the index; places
// beyond n get the greatest key.
namespace {

constexpr unsigned kSize = 256;

__device__ unsigned ordered(unsigned bits) {
  return bits ^ (static_cast<int>(bits) < 0 ? 0xffffffffu : 0x80000000u);
}
__device__ unsigned unordered(unsigned key) {
  return key ^ (static_cast<int>(key) < 0 ? 0x80000000u : 0xffffffffu);
}

} // namespace

extern "C" __global__ void bitonic_sort(const unsigned* __restrict__ x, unsigned* __restrict__ out,
                                        unsigned short* __restrict__ index, unsigned n, unsigned descending) {
  __shared__ unsigned long long keys[kSize];
  unsigned flip = descending ? 0xffffffffu : 0, base = blockIdx.x * n;
  for (unsigned i = threadIdx.x; i < kSize; i += blockDim.x)
    keys[i] = i < n ? static_cast<unsigned long long>(ordered(x[base + i]) ^ flip) << 32 | i : ~0ull;
  for (unsigned run = 2; run <= kSize; run *= 2) {
    for (unsigned distance = run / 2; distance > 0; distance /= 2) {
      __syncthreads();
      unsigned i = threadIdx.x / distance * distance * 2 + threadIdx.x % distance, j = i + distance;
      unsigned long long a = keys[i], b = keys[j];
      bool up = (i & run) == 0;
      if ((a > b) == up) {
        keys[i] = b;
        keys[j] = a;
      }
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
    out[base + i] = unordered(static_cast<unsigned>(keys[i] >> 32) ^ flip);
    index[base + i] = static_cast<unsigned short>(keys[i] & 0xffff);
  }
}

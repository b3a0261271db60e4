// Counts of byte values (under a mask), added to 256 counters modulo 2^32: each warp counts in a shared table
// of its own, four bytes a load, the tables are added and one atomic a value goes to memory.
namespace {

constexpr unsigned kWarps = 4, kBins = 256;

}

extern "C" __global__ void histogram_256(const unsigned* __restrict__ x, unsigned* counts, unsigned bytes,
                                         unsigned mask) {
  __shared__ unsigned table[kWarps][kBins];
  for (unsigned i = threadIdx.x; i < kWarps * kBins; i += blockDim.x)
    table[i / kBins][i % kBins] = 0;
  __syncthreads();
  unsigned* mine = table[threadIdx.x / 32];
  unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i * 4 < bytes; i += stride) {
    unsigned word = x[i], left = bytes - i * 4;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (k < left) atomicAdd(&mine[word >> (k * 8) & mask], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
    unsigned sum = 0;
#pragma unroll
    for (unsigned w = 0; w < kWarps; ++w)
      sum += table[w][bin];
    if (sum != 0) atomicAdd(&counts[bin], sum);
  }
}

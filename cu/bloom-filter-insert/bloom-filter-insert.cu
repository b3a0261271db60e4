// 2048 bits, three hashes. A block fills its own filter in shared memory, asks it, and ors it into the global
// one. fresh: how many of a block's atomicOr set a new bit in shared memory, which no order changes.
namespace {

using u64 = unsigned long long;

constexpr unsigned kWords = 64, kHashes = 3;

__device__ u64 mixed(u64 key) {
  key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9ull;
  key = (key ^ key >> 27) * 0x94d049bb133111ebull;
  return key ^ key >> 31;
}

/// Bit `i` of a key by double hashing.
__device__ unsigned bitOf(u64 hash, unsigned i) {
  return (static_cast<unsigned>(hash) + i * static_cast<unsigned>(hash >> 32)) % (32 * kWords);
}

} // namespace

extern "C" __global__ void bloom_filter_insert(const u64* keys, const u64* asked, unsigned* filter,
                                               unsigned* fresh, unsigned char* found) {
  __shared__ unsigned own[kWords], count;
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < kWords) own[threadIdx.x] = 0;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  u64 hash = mixed(keys[t]);
  for (unsigned i = 0; i < kHashes; ++i) {
    unsigned bit = bitOf(hash, i), mask = 1u << bit % 32;
    if (!(atomicOr(&own[bit / 32], mask) & mask)) atomicAdd(&count, 1u);
  }
  __syncthreads();
  hash = mixed(t % 4 == 0 ? keys[blockIdx.x * blockDim.x + (threadIdx.x * 5 + 1) % blockDim.x] : asked[t]);
  bool all = true;
  for (unsigned i = 0; i < kHashes && all; ++i) {
    unsigned bit = bitOf(hash, i);
    all = own[bit / 32] >> bit % 32 & 1;
  }
  found[t] = all;
  if (threadIdx.x < kWords && own[threadIdx.x]) atomicOr(&filter[threadIdx.x], own[threadIdx.x]);
  if (threadIdx.x == 0) fresh[blockIdx.x] = count;
}

// a + b becomes a + b + 2 * low(a) * low(b). Four lanes hold the sixteen words of a row or of a column pair,
// a lane four of them; out = x ^ y ^ permuted(x ^ y).
namespace {

using u64 = unsigned long long;

__device__ u64 rotated(u64 value, int by) {
  return value >> by | value << (64 - by);
}

__device__ u64 summed(u64 a, u64 b) {
  return a + b + 2 * (static_cast<u64>(static_cast<unsigned>(a)) * static_cast<unsigned>(b));
}

__device__ void mix(u64& a, u64& b, u64& c, u64& d) {
  a = summed(a, b);
  d = rotated(d ^ a, 32);
  c = summed(c, d);
  b = rotated(b ^ c, 24);
  a = summed(a, b);
  d = rotated(d ^ a, 16);
  c = summed(c, d);
  b = rotated(b ^ c, 63);
}

__device__ u64 fromLane(u64 value, unsigned lane) {
  return __shfl_sync(0xffffffffu, value, lane % 4, 4);
}

__device__ void permute(u64& a, u64& b, u64& c, u64& d, unsigned lane) {
  mix(a, b, c, d);
  b = fromLane(b, lane + 1);
  c = fromLane(c, lane + 2);
  d = fromLane(d, lane + 3);
  mix(a, b, c, d);
  b = fromLane(b, lane + 3);
  c = fromLane(c, lane + 2);
  d = fromLane(d, lane + 1);
}

/// Where word `word` of column pair `pair` stands.
__device__ unsigned inColumn(unsigned pair, unsigned word) {
  return 2 * pair + 16 * (word / 2) + word % 2;
}

} // namespace

extern "C" __global__ void blamka_round(const u64* __restrict__ x, const u64* __restrict__ y,
                                        u64* __restrict__ out) {
  __shared__ u64 words[2][128];
  unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = lane / 4, own = lane % 4;
  unsigned from = (blockIdx.x * 2 + warp) * 128;
  u64 *block = words[warp], v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    unsigned at = from + 16 * group + 4 * i + own;
    v[i] = x[at] ^ y[at];
  }
  permute(v[0], v[1], v[2], v[3], own);
#pragma unroll
  for (int i = 0; i < 4; ++i)
    block[16 * group + 4 * i + own] = v[i];
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 4; ++i)
    v[i] = block[inColumn(group, 4 * i + own)];
  permute(v[0], v[1], v[2], v[3], own);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    unsigned at = from + inColumn(group, 4 * i + own);
    out[at] = v[i] ^ x[at] ^ y[at];
  }
}

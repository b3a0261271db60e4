// The schedule of message words stands in constant memory and is read by the round; rotations of 64 bits by
// 32, 24, 16 and 63. Odd threads compress a last block.
namespace {

using u64 = unsigned long long;

__constant__ unsigned char kSchedule[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                                {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                                {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                                {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                                {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                                {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                                {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                                {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                                {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                                {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

__constant__ u64 kStart[8] = {0x6a09e667f3bcc908ull, 0xbb67ae8584caa73bull, 0x3c6ef372fe94f82bull,
                              0xa54ff53a5f1d36f1ull, 0x510e527fade682d1ull, 0x9b05688c2b3e6c1full,
                              0x1f83d9abfb41bd6bull, 0x5be0cd19137e2179ull};

template <int By> __device__ u64 rotated(u64 value) {
  return value >> By | value << (64 - By);
}

__device__ void mix(u64& a, u64& b, u64& c, u64& d, u64 x, u64 y) {
  a += b + x;
  d = rotated<32>(d ^ a);
  c += d;
  b = rotated<24>(b ^ c);
  a += b + y;
  d = rotated<16>(d ^ a);
  c += d;
  b = rotated<63>(b ^ c);
}

} // namespace

extern "C" __global__ void blake2b_g_round(const u64* __restrict__ messages, const u64* __restrict__ counters,
                                           u64* __restrict__ state) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const u64* m = messages + 16 * t;
  u64 v[16];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    v[i] = state[8 * t + i];
    v[8 + i] = kStart[i];
  }
  v[12] ^= counters[2 * t];
  v[13] ^= counters[2 * t + 1];
  if (t % 2) v[14] = ~v[14];
#pragma unroll 1
  for (int round = 0; round < 12; ++round) {
    const unsigned char* s = kSchedule[round % 10];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      mix(v[i], v[4 + i], v[8 + i], v[12 + i], m[s[2 * i]], m[s[2 * i + 1]]);
#pragma unroll
    for (int i = 0; i < 4; ++i)
      mix(v[i], v[4 + (i + 1) % 4], v[8 + (i + 2) % 4], v[12 + (i + 3) % 4], m[s[8 + 2 * i]],
          m[s[9 + 2 * i]]);
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
    state[8 * t + i] ^= v[i] ^ v[8 + i];
}

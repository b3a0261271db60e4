// Words lie interleaved: word i of thread t at i * threads + t.
namespace {

using u64 = unsigned long long;

__constant__ u64 kRound[24] = {
    0x0000000000000001ull, 0x0000000000008082ull, 0x800000000000808aull, 0x8000000080008000ull,
    0x000000000000808bull, 0x0000000080000001ull, 0x8000000080008081ull, 0x8000000000008009ull,
    0x000000000000008aull, 0x0000000000000088ull, 0x0000000080008009ull, 0x000000008000000aull,
    0x000000008000808bull, 0x800000000000008bull, 0x8000000000008089ull, 0x8000000000008003ull,
    0x8000000000008002ull, 0x8000000000000080ull, 0x000000000000800aull, 0x800000008000000aull,
    0x8000000080008081ull, 0x8000000000008080ull, 0x0000000080000001ull, 0x8000000080008008ull};

__device__ u64 rotated(u64 value, int by) {
  return by == 0 ? value : value << by | value >> (64 - by);
}

/// Rho and pi along the one cycle of 24 words, each moved to the next place.
__device__ void rhoPi(u64 (&a)[25]) {
  constexpr int kTurn[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                             27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
  constexpr int kPlace[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                              15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
  u64 moved = a[1];
#pragma unroll
  for (int i = 0; i < 24; ++i) {
    u64 next = a[kPlace[i]];
    a[kPlace[i]] = rotated(moved, kTurn[i]);
    moved = next;
  }
}

} // namespace

extern "C" __global__ void keccak_f1600(u64* state) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  u64 a[25];
#pragma unroll
  for (int i = 0; i < 25; ++i)
    a[i] = state[i * threads + t];
#pragma unroll 1
  for (int round = 0; round < 24; ++round) {
    u64 parity[5];
#pragma unroll
    for (int x = 0; x < 5; ++x)
      parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma unroll
    for (int i = 0; i < 25; ++i)
      a[i] ^= parity[(i + 4) % 5] ^ rotated(parity[(i + 1) % 5], 1);
    rhoPi(a);
#pragma unroll
    for (int y = 0; y < 25; y += 5) {
      u64 row[5] = {a[y], a[y + 1], a[y + 2], a[y + 3], a[y + 4]};
#pragma unroll
      for (int x = 0; x < 5; ++x)
        a[y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
    }
    a[0] ^= kRound[round];
  }
#pragma unroll
  for (int i = 0; i < 25; ++i)
    state[i * threads + t] = a[i];
}

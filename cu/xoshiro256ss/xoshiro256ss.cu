// Thread t jumps t % 3 times, then draws four words and one double in [0, 1) of 53 bits, stored as its bits.
namespace {

using u64 = unsigned long long;

struct Generator {
  u64 s[4];
};

__device__ u64 rotated(u64 value, int by) {
  return value << by | value >> (64 - by);
}

__device__ Generator seeded(u64 seed) {
  Generator g;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    seed += 0x9e3779b97f4a7c15ull;
    u64 z = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    g.s[i] = z ^ z >> 31;
  }
  return g;
}

__device__ u64 next(Generator& g) {
  u64 result = rotated(g.s[1] * 5, 7) * 9, shifted = g.s[1] << 17;
  g.s[2] ^= g.s[0];
  g.s[3] ^= g.s[1];
  g.s[1] ^= g.s[2];
  g.s[0] ^= g.s[3];
  g.s[2] ^= shifted;
  g.s[3] = rotated(g.s[3], 45);
  return result;
}

__device__ void jump(Generator& g) {
  const u64 polynomial[4] = {0x180ec6d33cfd0abaull, 0xd5a61266f0c9392cull, 0xa9582618e03fc9aaull,
                             0x39abdc4529b1661cull};
  Generator sum = {};
  for (int word = 0; word < 4; ++word)
    for (int bit = 0; bit < 64; ++bit) {
      if (polynomial[word] >> bit & 1)
        for (int i = 0; i < 4; ++i)
          sum.s[i] ^= g.s[i];
      next(g);
    }
  g = sum;
}

} // namespace

extern "C" __global__ void xoshiro256ss(const u64* seeds, u64* out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  Generator g = seeded(seeds[t]);
  for (unsigned i = 0; i < t % 3; ++i)
    jump(g);
  for (int i = 0; i < 4; ++i)
    out[5 * t + i] = next(g);
  double uniform = __dmul_rn(__ull2double_rn(next(g) >> 11), 1.0 / 9007199254740992.0);
  out[5 * t + 4] = static_cast<u64>(__double_as_longlong(uniform));
}

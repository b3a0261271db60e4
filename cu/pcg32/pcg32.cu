// Thread t skips 37 t steps by squaring the step, draws three words, then three numbers below its bound.
namespace {

using u64 = unsigned long long;

constexpr u64 kFactor = 6364136223846793005ull;

struct Generator {
  u64 state, increment;
};

__device__ unsigned next(Generator& g) {
  u64 old = g.state;
  g.state = old * kFactor + g.increment;
  unsigned word = static_cast<unsigned>((old >> 18 ^ old) >> 27), turn = static_cast<unsigned>(old >> 59);
  return word >> turn | word << (-turn & 31);
}

__device__ void skip(Generator& g, unsigned steps) {
  u64 factor = 1, plus = 0, stepFactor = kFactor, stepPlus = g.increment;
  for (; steps; steps >>= 1) {
    if (steps & 1) {
      factor *= stepFactor;
      plus = plus * stepFactor + stepPlus;
    }
    stepPlus *= stepFactor + 1;
    stepFactor *= stepFactor;
  }
  g.state = g.state * factor + plus;
}

__device__ unsigned below(Generator& g, unsigned bound) {
  unsigned threshold = -bound % bound;
  for (;;) {
    unsigned word = next(g);
    if (word >= threshold) return word % bound;
  }
}

} // namespace

extern "C" __global__ void pcg32(const u64* seeds, const u64* streams, const unsigned* bounds,
                                 unsigned* out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  Generator g = {0, streams[t] << 1 | 1};
  next(g);
  g.state += seeds[t];
  next(g);
  skip(g, 37 * t);
  for (int i = 0; i < 3; ++i)
    out[6 * t + i] = next(g);
  for (int i = 3; i < 6; ++i)
    out[6 * t + i] = below(g, bounds[t]);
}

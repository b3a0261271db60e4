// Where the loop runs zero times, nothing is ever assigned to v.
extern "C" __global__ void uninitialisedLoop(const unsigned* in, const unsigned* table, unsigned* out) {
  unsigned t = threadIdx.x, n = in[t] % 4, v;
  for (unsigned i = 0; i < n; ++i)
    v = table[i] ^ i * t;
  out[t] = v;
}

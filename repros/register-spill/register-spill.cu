// All values are loaded before the first is used, and each round mixes neighbours both ways, so none can be
// recomputed.
extern "C" __global__ void __launch_bounds__(128, 8)
    registerSpill(const unsigned* in, int rounds, unsigned* out) {
  const int kValues = 96;
  unsigned t = threadIdx.x, v[kValues];
  unsigned long long sum = 0;
#pragma unroll
  for (int i = 0; i < kValues; ++i)
    v[i] = in[t + i];
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kValues; ++i)
      v[i] = v[i] * 5 + (v[(i + 1) % kValues] >> (i % 31 + 1));
#pragma unroll
    for (int i = kValues - 1; i >= 0; --i)
      v[i] ^= v[(i + kValues - 7) % kValues] + round;
    if (v[0] & 1) {
#pragma unroll
      for (int i = 0; i < kValues; i += 2)
        sum += static_cast<unsigned long long>(v[i]) * v[i + 1];
    }
  }
#pragma unroll
  for (int i = 0; i < kValues; ++i)
    sum = sum * 31 + v[i];
  out[t * 2] = static_cast<unsigned>(sum);
  out[t * 2 + 1] = static_cast<unsigned>(sum >> 32);
}

// The two sides of a branch exchange values through shared memory with nothing between them.
extern "C" __global__ void divergedRace(const unsigned* in, unsigned* out) {
  __shared__ unsigned slot[32];
  unsigned t = threadIdx.x;
  slot[t] = 0;
  __syncwarp();
  unsigned v = in[t], got = 0;
  if (v & 1) {
    for (unsigned i = 0; i < v % 8; ++i)
      got += v >> i;
    slot[t] = got | 1;
  } else {
    for (unsigned i = 0; i < 32; ++i)
      got += slot[i] * (v + i);
  }
  out[t] = got;
}

// Each round's predicate depends on the counts before, so one wrong barrier result changes all that follows.
extern "C" __global__ void barrierCount(const unsigned* in, int rounds, unsigned* out) {
  __shared__ unsigned slots[100];
  unsigned t = threadIdx.x, size = blockDim.x, global = blockIdx.x * size + t;
  unsigned x = in[global], history = 0;
  for (int round = 0; round < rounds; ++round) {
    slots[t] = x;
    unsigned count = __syncthreads_count(x >> round & 1);
    unsigned neighbour = slots[(t + count) % size];
    bool any = __syncthreads_or((neighbour & 0xff) == static_cast<unsigned>(round));
    bool all = __syncthreads_and((x & 3u << round) != 3u << round || t > 8);
    history = history * 5 + count + (any ? 1000 : 0) + (all ? 77 : 0);
    x = x * 3 ^ neighbour >> 1;
  }
  out[global * 2] = history;
  out[global * 2 + 1] = x;
}

// Odd and even lanes shuffle among themselves; the compiler must not join the two arms' shuffles or move
// them.
extern "C" __global__ void shuffleDivergent(const unsigned* in, unsigned* out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane = threadIdx.x & 31, x = in[t], sum = 0;
  for (unsigned i = 0; i <= (x & 7); ++i)
    sum = sum * 3 + (x >> i);
  if (lane & 1) {
    sum += __shfl_xor_sync(0xaaaaaaaau, sum, 2);
    sum ^= __shfl_sync(0xaaaaaaaau, x, 31 - (lane & 30));
    if (lane & 2) sum -= __shfl_up_sync(0x88888888u, sum, 4);
  } else {
    sum += __shfl_down_sync(0x55555555u, sum, 4);
    sum ^= __shfl_sync(0x55555555u, x, lane + 2, 8);
    if (lane & 2) sum = ~sum;
  }
  out[t * 2] = sum;
  out[t * 2 + 1] = __shfl_sync(0xffffffffu, sum, 31 - lane);
}

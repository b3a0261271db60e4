// Each lane leaves the loop after its own number of steps, by one of two exits; the loop's values are used
// after it.
extern "C" __global__ void loopLiveOut(const unsigned* in, unsigned* out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = in[t], steps = 0, previous = 0;
  bool broke = false;
  while (x > 1 && steps < 60) {
    previous = x;
    x = x & 1 ? 3 * x + 1 : x >> 1;
    ++steps;
    if (x % 11 == 3) {
      broke = true;
      break;
    }
  }
  out[t * 4] = __shfl_xor_sync(0xffffffffu, previous, 1) + x;
  out[t * 4 + 1] = __shfl_up_sync(0xffffffffu, steps, 3);
  out[t * 4 + 2] = __ballot_sync(0xffffffffu, broke);
  out[t * 4 + 3] = steps << 16 | (x & 0xffff);
}

// The last of the shared elements is never written.
extern "C" __global__ void uninitialisedShared(const unsigned* in, unsigned* out) {
  __shared__ unsigned slot[33];
  unsigned t = threadIdx.x;
  slot[t] = in[t];
  __syncthreads();
  out[t] = slot[t + 1] - slot[t];
}

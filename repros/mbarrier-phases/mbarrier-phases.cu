// 96 threads, 128 arrivals a phase: the first 32 threads arrive twice. Values are exchanged between two
// phases.
__device__ void meet(unsigned barrier) {
#if __CUDA_ARCH__ >= 800
  unsigned long long state;
  unsigned done;
  if (threadIdx.x < 32)
    asm volatile("{ .reg .b64 s; mbarrier.arrive.noComplete.shared.b64 s, [%0], 1; }" ::"r"(barrier)
                 : "memory");
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(barrier) : "memory");
  do {
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(barrier), "l"(state)
                 : "memory");
  } while (!done);
#else
  __syncthreads();
#endif
}

extern "C" __global__ void mbarrierPhases(const unsigned* in, int rounds, unsigned* out) {
  __shared__ unsigned slots[96];
  __shared__ unsigned long long barrier;
  unsigned t = threadIdx.x, x = in[blockIdx.x * 96 + t];
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
#if __CUDA_ARCH__ >= 800
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 128;" ::"r"(address) : "memory");
#endif
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    slots[t] = x;
    meet(address);
    unsigned other = slots[(t * 7 + round) % 96];
    meet(address);
    x = x * 3 + (other ^ round);
  }
  out[blockIdx.x * 96 + t] = x;
}

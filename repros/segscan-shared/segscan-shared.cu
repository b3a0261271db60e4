// Each value becomes the sum of its run of equal keys from itself to the run's end, by doubling steps.
#ifndef POINTER
#define POINTER unsigned*
#endif

__device__ __forceinline__ void scanRuns(const int* key, POINTER value, int t) {
#pragma unroll
  for (int step = 1; step < 128; step *= 2) {
    bool take = t + step < 128 && key[t + step] == key[t];
    unsigned add = take ? value[t + step] : 0;
    __syncthreads();
    if (take) value[t] += add;
    __syncthreads();
  }
}

extern "C" __global__ void segscanShared(const int* key, const unsigned* value, unsigned* out) {
  __shared__ int keys[128];
  __shared__ unsigned values[128];
  int t = threadIdx.x, global = blockIdx.x * 128 + t;
  keys[t] = key[global];
  values[t] = value[global];
  __syncthreads();
  scanRuns(keys, values, t);
  out[global] = values[t];
}

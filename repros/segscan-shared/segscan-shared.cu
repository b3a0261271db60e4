// Each value becomes the sum of its run of equal keys from itself to the run's end, by doubling steps.
#ifndef VALUE
#define VALUE unsigned
#endif
#ifndef POINTER
#define POINTER VALUE*
#endif
#ifndef INLINE
#define INLINE __forceinline__
#endif

__device__ void operator+=(float2& a, float2 b) {
  a = make_float2(a.x + b.x, a.y + b.y);
}

__device__ INLINE void scanRuns(const int* key, POINTER value, int t) {
#ifdef ROLLED
#pragma unroll 1
#else
#pragma unroll
#endif
  for (int step = 1; step < 128; step *= 2) {
    bool take = t + step < 128 && key[t + step] == key[t];
    VALUE add = take ? value[t + step] : VALUE();
    __syncthreads();
    if (take) value[t] += add;
    __syncthreads();
  }
}

extern "C" __global__ void segscanShared(const int* key, const VALUE* value, VALUE* out) {
  __shared__ int keys[128];
  __shared__ VALUE values[128];
  int t = threadIdx.x, global = blockIdx.x * 128 + t;
  keys[t] = key[global];
  values[t] = value[global];
  __syncthreads();
  scanRuns(keys, values, t);
  out[global] = values[t];
}

// Sums of a block's n elements: products of neighbouring 32-bit integers in 64 bits, and floats.
//   Floats: thread t adds elements t, t + 256, … in order, from 0; thread t < s adds thread t + s for s =
//   128, 64, 32 in shared memory, and for s = 16 … 1 by shuffles.
namespace {

template <class T> __device__ T add(T a, T b) {
  return a + b;
}
template <> __device__ float add(float a, float b) {
  return __fadd_rn(a, b);
}

/// In thread 0. `shared` has room for a block.
template <class T, unsigned kThreads> __device__ T blockSum(T v, T* shared) {
  shared[threadIdx.x] = v;
  __syncthreads();
#pragma unroll
  for (unsigned s = kThreads / 2; s >= 32; s /= 2) {
    if (threadIdx.x < s) shared[threadIdx.x] = add(shared[threadIdx.x], shared[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x < 32) {
    v = shared[threadIdx.x];
#pragma unroll
    for (unsigned s = 16; s > 0; s /= 2)
      v = add(v, __shfl_down_sync(0xffffffffu, v, s));
  }
  return v;
}

} // namespace

extern "C" __global__ void block_reduce_sum(const int* __restrict__ integers,
                                            const float* __restrict__ floats, long long* __restrict__ sums,
                                            float* __restrict__ floatSums, unsigned n) {
  __shared__ long long partial[256];
  __shared__ float floatPartial[256];
  integers += blockIdx.x * n;
  floats += blockIdx.x * n;
  long long sum = 0;
  float floatSum = 0.0f;
  for (unsigned i = threadIdx.x; i < n; i += 256) {
    sum += static_cast<long long>(integers[i]) * integers[i + 1 < n ? i + 1 : 0] / 4096;
    floatSum = __fadd_rn(floatSum, floats[i]);
  }
  sum = blockSum<long long, 256>(sum, partial);
  floatSum = blockSum<float, 256>(floatSum, floatPartial);
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    floatSums[blockIdx.x] = floatSum;
  }
}

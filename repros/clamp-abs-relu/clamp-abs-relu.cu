// The absolute value of an integer in a minimum or maximum with .relu.
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
__device__ int minRelu(int a, int b) {
  int r;
  asm("min.relu.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ int maxRelu(int a, int b) {
  int r;
  asm("max.relu.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
#else
__device__ int minRelu(int a, int b) { return max(min(a, b), 0); }
__device__ int maxRelu(int a, int b) { return max(max(a, b), 0); }
#endif

extern "C" __global__ void clamp_abs_relu(const int* x, const int* bound, int* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int distance = abs(x[i]);
  out[i * 3] = minRelu(distance, bound[i]);
  out[i * 3 + 1] = maxRelu(distance, bound[i]);
  out[i * 3 + 2] = maxRelu(distance, 100);
}

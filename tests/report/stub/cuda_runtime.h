// The few calls that a repro makes, on the host, so that its own logic runs without a GPU: a kernel
// `void(unsigned char*, const unsigned char*, int)`, or one that takes the same as one structure, is called
// once a thread.
#pragma once

#include <cstdlib>
#include <cstring>

#define __global__

struct dim3 {
  dim3(unsigned x, unsigned y, unsigned z) : x(x), y(y), z(z) {}
  unsigned x, y, z;
};
inline dim3 threadIdx(0, 0, 0), blockIdx(0, 0, 0), blockDim(1, 1, 1);

enum cudaError_t { cudaSuccess, cudaErrorNoDevice };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };

inline const char* cudaGetErrorString(cudaError_t) {
  return "no CUDA-capable device is detected";
}

inline cudaError_t cudaMalloc(void** pointer, std::size_t size) {
  *pointer = std::malloc(size);
  return std::getenv("STUB_NO_DEVICE") ? cudaErrorNoDevice : cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind) {
  if (size) std::memcpy(to, from, size);
  return cudaSuccess;
}
inline cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() {
  return cudaSuccess;
}

struct StubArguments {
  unsigned char* out;
  const unsigned char* in;
  int n;
};

inline void stubCall(const void* kernel, void** args) {
  void* code = const_cast<void*>(kernel);
  StubArguments all;
  if (!args[1]) {
    std::memcpy(&all, args[0], sizeof all);
    reinterpret_cast<void (*)(StubArguments)>(code)(all);
    return;
  }
  std::memcpy(&all.out, args[0], sizeof all.out);
  std::memcpy(&all.in, args[1], sizeof all.in);
  std::memcpy(&all.n, args[2], sizeof all.n);
  reinterpret_cast<void (*)(unsigned char*, const unsigned char*, int)>(code)(all.out, all.in, all.n);
}

inline cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** args, std::size_t,
                                    int) {
  blockDim = block;
  for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < block.x; ++threadIdx.x)
      stubCall(kernel, args);
  return cudaSuccess;
}

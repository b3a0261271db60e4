// Thread t adds its own code to sixteen others. A class of one byte is an argument of its own kind in the
// ABI.
#include <cuda_fp8.h>

struct Byte {
  unsigned char v;
};

template <typename T> __device__ __forceinline__ T addInlined(T a, T b) {
  return T(__fadd_rn(static_cast<float>(a), static_cast<float>(b)));
}
template <typename T> __device__ __noinline__ T addCalled(T a, T b) {
  return T(__fadd_rn(static_cast<float>(a), static_cast<float>(b)));
}
__device__ __noinline__ Byte addBytes(Byte a, Byte b) {
  return {static_cast<unsigned char>(a.v + b.v)};
}

template <typename T, bool kInline>
__device__ void addAll(unsigned char code, uint4 others, unsigned char* out) {
  T a, b[16];
  a.__x = code;
  memcpy(b, &others, 16);
  for (int i = 0; i < 16; ++i)
    out[i] = (kInline ? addInlined(a, b[i]) : addCalled(a, b[i])).__x;
}

extern "C" __global__ void fp8ByValue(const uint4* b, unsigned char* out) {
  unsigned char code = static_cast<unsigned char>(threadIdx.x);
  unsigned char* row = out + threadIdx.x * 80;
  uint4 others = *b;
  addAll<__nv_fp8_e4m3, true>(code, others, row);
  addAll<__nv_fp8_e4m3, false>(code, others, row + 16);
  addAll<__nv_fp8_e5m2, true>(code, others, row + 32);
  addAll<__nv_fp8_e5m2, false>(code, others, row + 48);
  unsigned char bytes[16];
  memcpy(bytes, &others, 16);
  for (int i = 0; i < 16; ++i)
    row[64 + i] = addBytes({code}, {bytes[i]}).v;
}

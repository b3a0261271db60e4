// f32x2 arithmetic, an instruction from sm_100 on; below, two of f32.
using u64 = unsigned long long;

#if __CUDA_ARCH__ >= 1000 && (__CUDACC_VER_MAJOR__ > 12 || __CUDACC_VER_MINOR__ >= 8)
#define PAIR(name, operation, scalar)                                                                        \
  __device__ u64 name(u64 a, u64 b) {                                                                        \
    u64 r;                                                                                                   \
    asm(operation ".f32x2 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));                                          \
    return r;                                                                                                \
  }
__device__ u64 fused(u64 a, u64 b, u64 c) {
  u64 r;
  asm("fma.rp.f32x2 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "l"(b), "l"(c));
  return r;
}
#else
__device__ float low(u64 v) {
  return __uint_as_float(static_cast<unsigned>(v));
}
__device__ float high(u64 v) {
  return __uint_as_float(static_cast<unsigned>(v >> 32));
}
__device__ u64 both(float low, float high) {
  return static_cast<u64>(__float_as_uint(high)) << 32 | __float_as_uint(low);
}
#define PAIR(name, operation, scalar)                                                                        \
  __device__ float name##One(float a, float b) {                                                             \
    float r;                                                                                                 \
    asm(scalar ".f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));                                               \
    return r;                                                                                                \
  }                                                                                                          \
  __device__ u64 name(u64 a, u64 b) {                                                                        \
    return both(name##One(low(a), low(b)), name##One(high(a), high(b)));                                     \
  }
__device__ u64 fused(u64 a, u64 b, u64 c) {
  return both(__fmaf_ru(low(a), low(b), low(c)), __fmaf_ru(high(a), high(b), high(c)));
}
#endif

PAIR(sum, "add.rz", "add.rz")
PAIR(difference, "sub.rm", "sub.rm")
PAIR(product, "mul.rn.ftz", "mul.rn.ftz")

extern "C" __global__ void ptxFloatPairs(const u64* x, const u64* y, u64* out) {
  unsigned t = threadIdx.x;
  u64 r[4] = {sum(x[t], y[t]), difference(x[t], y[t]), product(x[t], y[t]), fused(x[t], y[t], x[t ^ 5])};
  for (int i = 0; i < 4; ++i) {
    unsigned parts[2] = {static_cast<unsigned>(r[i]), static_cast<unsigned>(r[i] >> 32)};
    for (int k = 0; k < 2; ++k)
      if ((parts[k] & 0x7fffffff) > 0x7f800000) parts[k] = 0x7fffffff;
    out[t * 4 + i] = static_cast<u64>(parts[1]) << 32 | parts[0];
  }
}

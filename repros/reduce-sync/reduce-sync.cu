#if __CUDA_ARCH__ >= 800
#define REDUCE(name, op, type, expression)                                                                   \
  __device__ type name(unsigned mask, type v) {                                                              \
    return __reduce_##op##_sync(mask, v);                                                                    \
  }
#else
// `a` and `b` are the sum so far and the next lane's value.
#define REDUCE(name, op, type, expression)                                                                   \
  __device__ type name(unsigned mask, type v) {                                                              \
    type a = __shfl_sync(mask, v, __ffs(mask) - 1);                                                          \
    for (unsigned rest = mask & (mask - 1); rest; rest &= rest - 1) {                                        \
      type b = __shfl_sync(mask, v, __ffs(rest) - 1);                                                        \
      a = expression;                                                                                        \
    }                                                                                                        \
    return a;                                                                                                \
  }
#endif

REDUCE(addOf, add, unsigned, a + b)
REDUCE(minOf, min, unsigned, a < b ? a : b)
REDUCE(maxOf, max, unsigned, a < b ? b : a)
REDUCE(minOf, min, int, a < b ? a : b)
REDUCE(maxOf, max, int, a < b ? b : a)
REDUCE(andOf, and, unsigned, a& b)
REDUCE(orOf, or, unsigned, a | b)
REDUCE(xorOf, xor, unsigned, a ^ b)

extern "C" __global__ void reduceSync(const unsigned* in, unsigned* out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, x = in[t];
  unsigned full = 0xffffffffu, third = 0x49249249u;
  unsigned* row = out + t * 9;
  row[0] = addOf(full, x);
  row[1] = minOf(full, x | 1) + maxOf(full, x & 0x7ffffffe);
  row[2] = minOf(full, static_cast<int>(x));
  row[3] = xorOf(full, x * 7);
  if (third >> (threadIdx.x & 31) & 1) {
    row[4] = addOf(third, x >> 1);
    row[5] = maxOf(third, static_cast<int>(x ^ 0x80000001u));
    row[6] = maxOf(third, x >> 3);
    row[7] = andOf(third, x | 0x0f0f0000u);
    row[8] = orOf(third, x & 0x00ffff00u);
  } else {
    for (int i = 4; i < 9; ++i)
      row[i] = x + i;
  }
}

// min and max with NaN, xorsign.abs, relu and three inputs; written out where the architecture lacks them.
#define AT_LEAST(arch, major, minor)                                                                         \
  (__CUDA_ARCH__ >= arch &&                                                                                  \
   (__CUDACC_VER_MAJOR__ > major || (__CUDACC_VER_MAJOR__ == major && __CUDACC_VER_MINOR__ >= minor)))

__device__ float least(float a, float b) {
  if (a != a) return b;
  if (b != b || a < b) return a;
  return a == b && __float_as_int(a) < 0 ? a : b;
}
__device__ float greatest(float a, float b) {
  return -least(-a, -b);
}
__device__ unsigned canonical(float v) {
  return v != v ? 0x7fffffffu : __float_as_uint(v);
}

extern "C" __global__ void ptxMinmaxForms(const float* x, const float* y, const float* z, const int* n,
                                          unsigned* out) {
  unsigned t = threadIdx.x;
  float a = x[t], b = y[t], c = z[t], r[6];
  int i = n[t], k = n[(t + 37) % 128], relu, packed;
  unsigned pair = __float_as_uint(a) ^ t, other = __float_as_uint(c);
#if AT_LEAST(800, 11, 1)
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(r[0]) : "f"(a), "f"(b));
  asm("max.ftz.NaN.f32 %0, %1, %2;" : "=f"(r[1]) : "f"(a), "f"(b));
#else
  r[0] = a != a || b != b ? a + b : least(a, b);
  float small = fabsf(a) < 1.17549435e-38f ? a * 0 : a, tiny = fabsf(b) < 1.17549435e-38f ? b * 0 : b;
  r[1] = a != a || b != b ? a + b : greatest(small, tiny);
#endif
#if AT_LEAST(860, 11, 2)
  asm("min.xorsign.abs.f32 %0, %1, %2;" : "=f"(r[2]) : "f"(a), "f"(b));
  asm("max.NaN.xorsign.abs.f32 %0, %1, %2;" : "=f"(r[3]) : "f"(a), "f"(b));
#else
  unsigned sign = (__float_as_uint(a) ^ __float_as_uint(b)) & 0x80000000u;
  r[2] = __uint_as_float(__float_as_uint(least(fabsf(a), fabsf(b))) | sign);
  r[3] = a != a || b != b ? a + b : __uint_as_float(__float_as_uint(greatest(fabsf(a), fabsf(b))) | sign);
#endif
#if AT_LEAST(1000, 12, 9)
  asm("min.f32 %0, %1, %2, %3;" : "=f"(r[4]) : "f"(a), "f"(b), "f"(c));
  asm("max.NaN.abs.f32 %0, %1, %2, %3;" : "=f"(r[5]) : "f"(a), "f"(b), "f"(c));
#else
  r[4] = least(least(a, b), c);
  r[5] = a != a || b != b || c != c ? a + b + c : greatest(fabsf(a), greatest(fabsf(b), fabsf(c)));
#endif
#if AT_LEAST(900, 12, 0)
  asm("max.relu.s32 %0, %1, %2;" : "=r"(relu) : "r"(i), "r"(k));
  asm("min.s16x2.relu %0, %1, %2;" : "=r"(packed) : "r"(pair), "r"(other));
#else
  relu = max(max(i, k), 0);
  packed = __vmaxs2(__vmins2(pair, other), 0);
#endif
  for (int j = 0; j < 6; ++j)
    out[t * 8 + j] = canonical(r[j]);
  out[t * 8 + 6] = relu;
  out[t * 8 + 7] = packed;
}

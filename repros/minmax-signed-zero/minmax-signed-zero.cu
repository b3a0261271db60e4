// The NaN-propagating forms are instructions of sm_80; below they are a select.
#define MINMAX(instruction, a, b)                                                                            \
  [](float x, float y) {                                                                                     \
    float r;                                                                                                 \
    asm(instruction ".f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));                                          \
    return r != r ? 0x7fc00000u : __float_as_uint(r);                                                        \
  }(a, b)
#if __CUDA_ARCH__ >= 800
#define MINMAX_NAN(name, a, b) MINMAX(name ".NaN", a, b)
#else
#define MINMAX_NAN(name, a, b) (a != a || b != b ? 0x7fc00000u : MINMAX(name, a, b))
#endif

__device__ unsigned long long bits(double v) {
  return v != v ? 0x7ff8000000000000ull : static_cast<unsigned long long>(__double_as_longlong(v));
}

extern "C" __global__ void minmaxSignedZero(const float* single, const double* wide, unsigned* out,
                                            unsigned long long* outWide) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float a = single[t & 31], b = single[t >> 5];
  double x = wide[t & 31], y = wide[t >> 5], least, most;
  out[t * 6] = MINMAX("min", a, b);
  out[t * 6 + 1] = MINMAX("max", a, b);
  out[t * 6 + 2] = MINMAX("min.ftz", a, b);
  out[t * 6 + 3] = MINMAX("max.ftz", a, b);
  out[t * 6 + 4] = MINMAX_NAN("min", a, b);
  out[t * 6 + 5] = MINMAX_NAN("max", a, b);
  asm("min.f64 %0, %1, %2;" : "=d"(least) : "d"(x), "d"(y));
  asm("max.f64 %0, %1, %2;" : "=d"(most) : "d"(x), "d"(y));
  outWide[t * 2] = bits(least);
  outWide[t * 2 + 1] = bits(most);
}

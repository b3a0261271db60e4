// No exact result lies in the last step below the least normal number, where flushing before or after
// rounding would differ. A saturated result may be either zero; it is stored as +0.
#define TWO(instruction)                                                                                     \
  [](float x, float y) {                                                                                     \
    float r;                                                                                                 \
    asm(instruction ".f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));                                          \
    return r;                                                                                                \
  }(a, b)
#define THREE(instruction)                                                                                   \
  [](float x, float y, float z) {                                                                            \
    float r;                                                                                                 \
    asm(instruction ".f32 %0, %1, %2, %3;" : "=f"(r) : "f"(x), "f"(y), "f"(z));                              \
    return r;                                                                                                \
  }(a, b, c)

__device__ unsigned bits(float v) {
  return v != v ? 0x7fc00000u : __float_as_uint(v);
}
__device__ unsigned clamped(float v) {
  return __float_as_uint(v) == 0x80000000u ? 0 : __float_as_uint(v);
}

extern "C" __global__ void floatFtzSat(const float* in, unsigned* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[t & 31], b = in[t >> 5], c = in[(t * 7 + (t >> 5)) & 31];
  unsigned* row = out + t * 10;
  row[0] = bits(TWO("add.rn.ftz"));
  row[1] = bits(TWO("sub.rp.ftz"));
  row[2] = bits(TWO("mul.rn.ftz"));
  row[3] = bits(TWO("mul.rz.ftz"));
  row[4] = bits(THREE("fma.rn.ftz"));
  row[5] = bits(THREE("fma.rm.ftz"));
  row[6] = clamped(TWO("add.rn.sat"));
  row[7] = clamped(TWO("mul.rp.ftz.sat"));
  row[8] = clamped(THREE("fma.rn.sat"));
  row[9] = clamped(THREE("fma.rz.ftz.sat"));
}

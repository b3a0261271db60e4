// Instructions of sm_80; below, single conversions (f16) and integer arithmetic. The first source is the high
// half.
#define PACK(instruction)                                                                                    \
  [](float high, float low) {                                                                                \
    unsigned r;                                                                                              \
    asm("cvt." instruction ".f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));                              \
    return r;                                                                                                \
  }(a, b)

__device__ unsigned half(unsigned bits, unsigned infinity, bool relu) {
  if ((bits & 0x7fff) > infinity) return infinity | 0x40;
  return relu && bits >> 15 ? 0 : bits;
}
__device__ unsigned both(unsigned pair, unsigned infinity, bool relu) {
  return half(pair >> 16, infinity, relu) << 16 | half(pair & 0xffff, infinity, relu);
}
__device__ unsigned f16(float x, bool nearest) {
  unsigned short h, z;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(z) : "f"(x));
  return nearest ? h : z;
}
__device__ unsigned bf16(float x) {
  unsigned b = __float_as_uint(x);
  return x != x ? 0x7fff : (b + 0x7fff + (b >> 16 & 1)) >> 16;
}

extern "C" __global__ void cvtPack(const float* in, unsigned* out) {
  int t = threadIdx.x;
  float a = in[t], b = in[t ^ 1];
  unsigned word[6];
#if __CUDA_ARCH__ >= 800
  word[0] = PACK("rn.f16x2");
  word[1] = PACK("rz.f16x2");
  word[2] = PACK("rn.relu.f16x2");
  word[3] = PACK("rn.bf16x2");
  word[4] = PACK("rn.relu.bf16x2");
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(word[5]) : "f"(a));
#else
  word[0] = word[2] = f16(a, true) << 16 | f16(b, true);
  word[1] = f16(a, false) << 16 | f16(b, false);
  word[3] = word[4] = bf16(a) << 16 | bf16(b);
  unsigned bits = __float_as_uint(a);
  word[5] = (bits & 0x7fffffff) < 0x7f800000 ? bits + 0x1000 : bits;
#endif
  for (int i = 0; i < 5; ++i)
    out[t * 6 + i] = both(word[i], i < 3 ? 0x7c00 : 0x7f80, i == 2 || i == 4);
  out[t * 6 + 5] = a != a ? 0x7fc00000u : word[5] & ~0x1fffu; // the low 13 bits have no meaning
}

// f32 pairs to E2M1, E2M3, E3M2 and UE8M0, and all codes of E2M1 back to f16: instructions of the
// architectures with an `a`, written out for the others.
#if __CUDACC_VER_MAJOR__ >= 13 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 9)
#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM103_ALL) ||                            \
    defined(__CUDA_ARCH_FEAT_SM120_ALL) || defined(__CUDA_ARCH_FEAT_SM121_ALL)
#define NARROW
#endif
#endif

#ifdef NARROW
#define CONVERT(name, type, rounding, bits)                                                                  \
  __device__ unsigned name(float high, float low) {                                                          \
    unsigned r;                                                                                              \
    asm("{ .reg .b" #bits " d; cvt." rounding ".satfinite." type ".f32 d, %1, %2; cvt.u32.u" #bits           \
        " %0, d; }"                                                                                          \
        : "=r"(r)                                                                                            \
        : "f"(high), "f"(low));                                                                              \
    return r;                                                                                                \
  }
CONVERT(e2m1, "e2m1x2", "rn", 8)
CONVERT(e2m3, "e2m3x2", "rn", 16)
CONVERT(e3m2, "e3m2x2", "rn", 16)
CONVERT(scaleDown, "ue8m0x2", "rz", 16)
CONVERT(scaleUp, "ue8m0x2", "rp", 16)
__device__ unsigned halves(unsigned code) {
  unsigned r;
  asm("{ .reg .b8 c; cvt.u8.u32 c, %1; cvt.rn.f16x2.e2m1x2 %0, c; }" : "=r"(r) : "r"(code));
  return r;
}
#else
// A code is the number of midpoints that lie below; on one, the even neighbour is chosen.
__device__ unsigned nearest(float v, int mantissa, int codes, int scale) {
  float magnitude = fabsf(v) * scale;
  unsigned code = 0;
  if (v != v) return codes - 1;
  for (int next = 1; next < codes; ++next) {
    int power = next >> mantissa, before = next - 1 >> mantissa, one = 1 << mantissa;
    float above = power == 0 ? next : (one + next % one) << power - 1;
    float below = before == 0 ? next - 1 : (one + (next - 1) % one) << before - 1;
    float middle = (above + below) / 2;
    if (magnitude > middle || (magnitude == middle && next % 2 == 0)) code = next;
  }
  return code | (__float_as_int(v) < 0 ? codes : 0);
}
__device__ unsigned e2m1(float high, float low) {
  return nearest(high, 1, 8, 2) << 4 | nearest(low, 1, 8, 2);
}
__device__ unsigned e2m3(float high, float low) {
  return nearest(high, 3, 32, 8) << 8 | nearest(low, 3, 32, 8);
}
__device__ unsigned e3m2(float high, float low) {
  return nearest(high, 2, 32, 16) << 8 | nearest(low, 2, 32, 16);
}
__device__ unsigned power(float v, bool up) {
  unsigned bits = __float_as_uint(v) & 0x7fffffff;
  if (bits > 0x7f800000) return 255;
  return min((bits >> 23) + (up && (bits & 0x7fffff) != 0), 254);
}
__device__ unsigned scaleDown(float high, float low) {
  return power(high, false) << 8 | power(low, false);
}
__device__ unsigned scaleUp(float high, float low) {
  return power(high, true) << 8 | power(low, true);
}
__device__ unsigned half(unsigned code) {
  unsigned magnitude = code & 7, sign = code >> 3 << 15;
  return magnitude < 2 ? sign | magnitude * 0x3800 : sign | (magnitude + 28) << 9;
}
__device__ unsigned halves(unsigned code) {
  return half(code >> 4) << 16 | half(code & 15);
}
#endif

extern "C" __global__ void ptxNarrowFloats(const float* in, unsigned* out) {
  unsigned t = threadIdx.x;
  float high = in[t], low = in[(t + 1) % 128];
  unsigned* o = out + t * 5;
  o[0] = e2m1(high, low);
  o[1] = e2m3(high, low) | e3m2(high, low) << 16;
  o[2] = scaleDown(fabsf(high) + 1e-30f, fabsf(low) + 1e-30f);
  o[3] = scaleUp(fabsf(high) + 1e-30f, fabsf(low) + 1e-30f);
  o[4] = halves(t * 2 & 0xff | t >> 6);
}

// Floats to NVFP4. Scale: the greatest magnitude of sixteen / 6, times a common factor, to E4M3
// (nearest-even, at most 448); code: E2M1 of x * (factor / scale), nearest-even, at most 6. Two threads a
// block of sixteen. E4M3 by the toolkit's header (an instruction from sm_89 on), E2M1 by an instruction on
// architectures with an `a`, by comparisons elsewhere.
#include <cuda_fp8.h>

#if __CUDACC_VER_MAJOR__ >= 13 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 9)
#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM103_ALL) ||                            \
    defined(__CUDA_ARCH_FEAT_SM120_ALL) || defined(__CUDA_ARCH_FEAT_SM121_ALL)
#define E2M1_INSTRUCTION
#endif
#endif

namespace {

__device__ float product(float a, float b) {
  return __fmul_rn(a, b);
}

#ifdef E2M1_INSTRUCTION
__device__ unsigned codes(float4 a, float4 b) {
  unsigned r;
  asm("{\n\t.reg .b8 b0, b1, b2, b3;\n\t"
      "cvt.rn.satfinite.e2m1x2.f32 b0, %2, %1;\n\tcvt.rn.satfinite.e2m1x2.f32 b1, %4, %3;\n\t"
      "cvt.rn.satfinite.e2m1x2.f32 b2, %6, %5;\n\tcvt.rn.satfinite.e2m1x2.f32 b3, %8, %7;\n\t"
      "mov.b32 %0, {b0, b1, b2, b3};\n\t}"
      : "=r"(r)
      : "f"(a.x), "f"(a.y), "f"(a.z), "f"(a.w), "f"(b.x), "f"(b.y), "f"(b.z), "f"(b.w));
  return r;
}
#else
/// On a midpoint the even neighbour.
__device__ unsigned code(float v) {
  float m = fabsf(v);
  unsigned c =
      (m > 0.25f) + (m >= 0.75f) + (m > 1.25f) + (m >= 1.75f) + (m > 2.5f) + (m >= 3.5f) + (m > 5.0f);
  return c | __float_as_uint(v) >> 31 << 3;
}
__device__ unsigned codes(float4 a, float4 b) {
  return code(a.x) | code(a.y) << 4 | code(a.z) << 8 | code(a.w) << 12 | code(b.x) << 16 | code(b.y) << 20 |
         code(b.z) << 24 | code(b.w) << 28;
}
#endif

/// The value of a positive E4M3 code that is no NaN.
__device__ float decodeE4M3(unsigned code) {
  return code < 8 ? product(static_cast<float>(code), 0x1p-9f) : __uint_as_float((code << 20) + (120u << 23));
}

__device__ float4 times(float4 v, float f) {
  return make_float4(product(v.x, f), product(v.y, f), product(v.z, f), product(v.w, f));
}

__device__ float largest(float4 v) {
  return fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
}

} // namespace

extern "C" __global__ void nvfp4_block_quantize(const float4* __restrict__ x,
                                                const float* __restrict__ factor,
                                                const float* __restrict__ global, unsigned* __restrict__ out,
                                                unsigned char* __restrict__ scales, unsigned blocks) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x; // half a block
  bool inside = i / 2 < blocks;
  float4 a = make_float4(0.0f, 0.0f, 0.0f, 0.0f), b = a;
  if (inside) {
    float f = factor[i / 2];
    a = times(x[i * 2], f);
    b = times(x[i * 2 + 1], f);
  }
  float most = fmaxf(largest(a), largest(b));
  most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 1));
  if (!inside) return;
  float all = *global;
  unsigned scale = __nv_cvt_float_to_fp8(product(__fdiv_rn(most, 6.0f), all), __NV_SATFINITE, __NV_E4M3);
  float inverse = scale == 0 ? 0.0f : __fdiv_rn(all, decodeE4M3(scale));
  out[i] = codes(times(a, inverse), times(b, inverse));
  if (i % 2 == 0) scales[i / 2] = static_cast<unsigned char>(scale);
}

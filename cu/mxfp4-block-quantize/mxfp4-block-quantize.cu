// Floats to MXFP4: 32 E2M1 codes share a power of two, 2^(code - 127), two exponents below that of the
// greatest magnitude, at least 2^-127. The quotient is exact, E2M1 rounds to nearest-even and ends at 6. Four
// threads a block, eight values each. E2M1 by an instruction on architectures with an `a`, elsewhere in
// integers.

#if __CUDACC_VER_MAJOR__ >= 13 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 9)
#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM103_ALL) ||                            \
    defined(__CUDA_ARCH_FEAT_SM120_ALL) || defined(__CUDA_ARCH_FEAT_SM121_ALL)
#define E2M1_INSTRUCTION
#endif
#endif

namespace {

#ifdef E2M1_INSTRUCTION
__device__ unsigned twoCodes(float low, float high) {
  unsigned short r;
  asm("{\n\t.reg .b8 b;\n\tcvt.rn.satfinite.e2m1x2.f32 b, %2, %1;\n\tcvt.u16.u8 %0, b;\n\t}"
      : "=h"(r)
      : "f"(low), "f"(high));
  return r;
}
#else
/// The float's bits, moved so that the last of one mantissa bit is bit 22; below 1 in steps of a half, by a
/// float addition whose last place is a half.
__device__ unsigned code(float v) {
  unsigned bits = __float_as_uint(v), magnitude = bits & 0x7fffffff, c;
  if (magnitude < 0x3f800000)
    c = __float_as_uint(__fadd_rn(__uint_as_float(magnitude), 0x1p22f)) & 7;
  else
    c = (magnitude - (126u << 23) + 0x1fffff + (magnitude >> 22 & 1)) >> 22;
  return min(c, 7u) | bits >> 31 << 3;
}
__device__ unsigned twoCodes(float low, float high) {
  return code(low) | code(high) << 4;
}
#endif

} // namespace

extern "C" __global__ void mxfp4_block_quantize(const float4* __restrict__ x,
                                                const float* __restrict__ factor,
                                                unsigned* __restrict__ codes,
                                                unsigned char* __restrict__ scales, unsigned blocks) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, block = i / 4;
  bool inside = block < blocks;
  float v[8] = {};
  unsigned most = 0; // magnitudes compare as integers
  if (inside) {
    float f = factor[block];
    float4 a = x[i * 2], b = x[i * 2 + 1];
    v[0] = a.x, v[1] = a.y, v[2] = a.z, v[3] = a.w, v[4] = b.x, v[5] = b.y, v[6] = b.z, v[7] = b.w;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      v[k] = __fmul_rn(v[k], f);
      most = max(most, __float_as_uint(v[k]) & 0x7fffffff);
    }
  }
  most = max(most, __shfl_xor_sync(0xffffffffu, most, 1));
  most = max(most, __shfl_xor_sync(0xffffffffu, most, 2));
  if (!inside) return;
  unsigned exponent = most >> 23, scale = exponent < 2 ? 0 : exponent - 2;
  float inverse = __uint_as_float((254 - scale) << 23); // at most 2^127
  unsigned word = 0;
#pragma unroll
  for (int k = 0; k < 8; k += 2)
    word |= twoCodes(__fmul_rn(v[k], inverse), __fmul_rn(v[k + 1], inverse)) << (k * 4);
  codes[i] = word;
  if (i % 4 == 0) scales[block] = static_cast<unsigned char>(scale);
}

// Q4_K superblocks of 144 bytes to 256 floats: halves d and dmin, twelve bytes of eight 6-bit scales and
// eight 6-bit minima, 128 bytes of nibbles. weight = d * scale * nibble - dmin * minimum; only the
// subtraction rounds. A d or dmin that is infinite or NaN counts as zero. 32 threads a superblock, each four
// bytes of nibbles, of two sub-blocks.
#include <cuda_fp16.h>

namespace {

constexpr unsigned kBytes = 144;

__device__ float finite(unsigned short half) {
  return (half & 0x7c00) == 0x7c00 ? 0.0f : __half2float(__ushort_as_half(half));
}

/// Scale and minimum of sub-block `j`: of the first four in one byte each, of the others in a nibble and two
/// upper bits.
__device__ void unpack(const unsigned char* packed, unsigned j, unsigned& scale, unsigned& minimum) {
  if (j < 4) {
    scale = packed[j] & 63;
    minimum = packed[j + 4] & 63;
  } else {
    scale = (packed[j + 4] & 15) | packed[j - 4] >> 6 << 4;
    minimum = packed[j + 4] >> 4 | packed[j] >> 6 << 4;
  }
}

__device__ float weight(float d, float m, unsigned nibble) {
  return __fsub_rn(__fmul_rn(d, static_cast<float>(nibble)), m);
}

} // namespace

extern "C" __global__ void q4_k_dequantize(const unsigned char* __restrict__ in, float4* __restrict__ out,
                                           unsigned blocks) {
  unsigned thread = threadIdx.x % 32, block = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (block >= blocks) return;
  const unsigned char* bytes = in + block * kBytes;
  ushort2 head = *reinterpret_cast<const ushort2*>(bytes);
  float d = finite(head.x), dmin = finite(head.y);
  unsigned group = thread / 8, part = thread % 8; // 64 weights a group: low nibbles first, then the high ones
  uchar4 q = reinterpret_cast<const uchar4*>(bytes + 16)[thread];
  float4* to = out + block * 64 + group * 16 + part;
#pragma unroll
  for (unsigned upper = 0; upper < 2; ++upper) {
    unsigned scale, minimum;
    unpack(bytes + 4, group * 2 + upper, scale, minimum);
    float dl = __fmul_rn(d, static_cast<float>(scale)), ml = __fmul_rn(dmin, static_cast<float>(minimum));
    unsigned shift = upper * 4;
    to[upper * 8] = make_float4(weight(dl, ml, q.x >> shift & 15), weight(dl, ml, q.y >> shift & 15),
                                weight(dl, ml, q.z >> shift & 15), weight(dl, ml, q.w >> shift & 15));
  }
}

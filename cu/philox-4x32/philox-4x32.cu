// The counter is incremented by the thread's number first, over all 128 bits.
namespace {

__device__ uint4 incremented(uint4 c, unsigned by) {
  c.x += by;
  if (c.x < by && ++c.y == 0 && ++c.z == 0) ++c.w;
  return c;
}

__device__ uint4 rounded(uint4 c, uint2 key) {
  unsigned low0 = 0xd2511f53u * c.x, high0 = __umulhi(0xd2511f53u, c.x);
  unsigned low1 = 0xcd9e8d57u * c.z, high1 = __umulhi(0xcd9e8d57u, c.z);
  return make_uint4(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
}

/// 24 bits and a half: exact in a float but for the highest values, which are rounded to nearest.
__device__ float uniform(unsigned word) {
  return __fmaf_rn(__uint2float_rn(word >> 8), 1.0f / 16777216.0f, 0.5f / 16777216.0f);
}

} // namespace

extern "C" __global__ void philox_4x32(const uint4* counters, const uint2* keys, uint4* words,
                                       float4* floats) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 c = incremented(counters[t], t);
  uint2 key = keys[t];
#pragma unroll
  for (int i = 0; i < 10; ++i) {
    c = rounded(c, key);
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  words[t] = c;
  floats[t] = make_float4(uniform(c.x), uniform(c.y), uniform(c.z), uniform(c.w));
}

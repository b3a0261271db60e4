// Bits spread by shifts and masks, in 64 bits, and by multiplications and masks in 32.
namespace {

using u64 = unsigned long long;

__device__ u64 spread(unsigned value) {
  u64 v = value & 0x1fffff;
  v = (v | v << 32) & 0x001f00000000ffffull;
  v = (v | v << 16) & 0x001f0000ff0000ffull;
  v = (v | v << 8) & 0x100f00f00f00f00full;
  v = (v | v << 4) & 0x10c30c30c30c30c3ull;
  return (v | v << 2) & 0x1249249249249249ull;
}

__device__ unsigned spreadNarrow(unsigned value) {
  unsigned v = value & 0x3ff;
  v = v * 0x00010001u & 0xff0000ffu;
  v = v * 0x00000101u & 0x0f00f00fu;
  v = v * 0x00000011u & 0xc30c30c3u;
  return v * 0x00000005u & 0x49249249u;
}

} // namespace

extern "C" __global__ void morton_encode_3d(const unsigned* x, const unsigned* y, const unsigned* z,
                                            u64* wide, unsigned* narrow) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  wide[t] = spread(x[t]) | spread(y[t]) << 1 | spread(z[t]) << 2;
  narrow[t] = spreadNarrow(x[t]) + spreadNarrow(y[t]) * 2 + spreadNarrow(z[t]) * 4;
}

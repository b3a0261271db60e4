// Field i begins at bit i * width. mixed: the field of 1 + i % 32 bits that begins at bit 3 i, signed. Bits
// beyond the stream's end are zero.
namespace {

__device__ unsigned wordAt(const unsigned* stream, unsigned words, unsigned i) {
  return i < words ? stream[i] : 0;
}

/// 32 bits from a bit on.
__device__ unsigned bitsAt(const unsigned* stream, unsigned words, unsigned bit) {
  unsigned i = bit / 32;
  return __funnelshift_r(wordAt(stream, words, i), wordAt(stream, words, i + 1), bit);
}

__device__ int extended(unsigned bits, unsigned width) {
  return static_cast<int>(bits << (32 - width)) >> (32 - width);
}

} // namespace

extern "C" __global__ void bit_unpack(const unsigned* __restrict__ stream, int2* __restrict__ fields,
                                      int* __restrict__ mixed, unsigned words, unsigned width) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned bits = bitsAt(stream, words, t * width);
  fields[t] = make_int2(static_cast<int>(bits & ((1u << width) - 1)), extended(bits, width));
  mixed[t] = extended(bitsAt(stream, words, 3 * t), 1 + t % 32);
}

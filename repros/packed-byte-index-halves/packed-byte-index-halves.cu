// Words read as two halves, taken apart into bytes, each byte with high bits from elsewhere an index into a
// table: the three forms of the report, tables in memory.
__device__ int word(const unsigned short* halves, unsigned i) {
  return static_cast<int>(halves[i * 2] | static_cast<unsigned>(halves[i * 2 + 1]) << 16);
}

extern "C" __global__ void packed_byte_index_halves(const unsigned short* __restrict__ q,
                                                    const unsigned char* __restrict__ h,
                                                    const unsigned short* __restrict__ h16,
                                                    const unsigned* __restrict__ small,
                                                    const unsigned long long* __restrict__ middle,
                                                    const unsigned* __restrict__ large,
                                                    unsigned* __restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 21;
  int2 first = make_int2(word(q, 2 * i), word(q, 2 * i + 1));
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(&first);
  int high = h[i], sum = 0;
  #pragma unroll
  for (int l = 0; l < 8; ++l) {
    o[l] = small[bytes[l] | (high << (8 - l) & 0x100)];
    asm("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(o[l]), "r"(l % 2 ? first.x : first.y));
  }
  int second = word(q, 2 * i + 1);
  bytes = reinterpret_cast<const unsigned char*>(&second);
  #pragma unroll
  for (int l = 0; l < 4; ++l) {
    unsigned long long entry = middle[bytes[l] | (high << (8 - 2 * l) & 0x300)];
    o[8 + l * 2] = static_cast<unsigned>(entry);
    o[9 + l * 2] = static_cast<unsigned>(entry >> 32);
  }
  int third = word(q, 2 * i), high16 = h16[i];
  bytes = reinterpret_cast<const unsigned char*>(&third);
  #pragma unroll
  for (int l = 0; l < 4; ++l) o[16 + l] = large[bytes[l] | (high16 >> (3 * l) & 7) << 8];
  o[20] = sum;
}

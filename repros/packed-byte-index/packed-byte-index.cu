// A word read byte by byte through a pointer, each byte with high bits from elsewhere, as index into tables.
extern "C" __global__ void packed_byte_index(const unsigned* q, const unsigned* h, const unsigned* small, const unsigned long long* middle, const unsigned* large, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 9;
  unsigned words[2] = {q[i * 2], q[i * 2 + 1]};
  unsigned high = h[i], sum = 0;
  #pragma unroll
  for (int w = 0; w < 2; ++w) {
    const unsigned char* bytes = (const unsigned char*)&words[w];
    #pragma unroll
    for (int l = 0; l < 4; ++l) {
      unsigned first = small[bytes[l] | ((high >> (l + 4 * w)) & 1) << 8];
      unsigned long long second = middle[bytes[l] | (high << (8 - 2 * l) & 0x300)];
      unsigned third = large[bytes[l] | ((high >> (3 * l) & 7) << 8)];
      o[w * 4 + l] = first ^ (unsigned)(second >> 32) ^ third;
      asm("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(first), "r"(words[w] ^ (unsigned)second));
    }
  }
  o[8] = sum;
}

// Thread t's message is t % 61 bytes from 5 t on: single bytes up to a multiple of eight, then two words a
// step, then single bytes.
namespace {

__device__ unsigned shiftedOut(unsigned value) {
#pragma unroll
  for (int bit = 0; bit < 8; ++bit)
    value = value >> 1 ^ (value & 1 ? 0xedb88320u : 0);
  return value;
}

} // namespace

extern "C" __global__ void crc32_slice8(const unsigned char* __restrict__ bytes, unsigned* __restrict__ out) {
  __shared__ unsigned table[8][256];
  unsigned t = threadIdx.x;
  table[0][t] = shiftedOut(t);
  __syncthreads();
#pragma unroll
  for (int i = 1; i < 8; ++i) // a thread reads only its own column of these
    table[i][t] = table[i - 1][t] >> 8 ^ table[0][table[i - 1][t] & 0xff];
  __syncthreads();

  unsigned at = 5 * t, end = at + t % 61, crc = 0xffffffffu;
  for (; at < end && at % 8 != 0; ++at)
    crc = table[0][(crc ^ bytes[at]) & 0xff] ^ crc >> 8;
  for (; at + 8 <= end; at += 8) {
    uint2 words = *reinterpret_cast<const uint2*>(bytes + at);
    unsigned low = words.x ^ crc, high = words.y;
    crc = table[7][low & 0xff] ^ table[6][low >> 8 & 0xff] ^ table[5][low >> 16 & 0xff] ^
          table[4][low >> 24] ^ table[3][high & 0xff] ^ table[2][high >> 8 & 0xff] ^
          table[1][high >> 16 & 0xff] ^ table[0][high >> 24];
  }
  for (; at < end; ++at)
    crc = table[0][(crc ^ bytes[at]) & 0xff] ^ crc >> 8;
  out[t] = ~crc;
}

// Thread t hashes the first t bytes of its own 120. Sixteen words of schedule in registers, four times
// sixteen rounds.
namespace {

__constant__ unsigned kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ unsigned rotated(unsigned value, int by) {
  return __funnelshift_r(value, value, by);
}

/// Word `index` of the padded message, big-endian, without the length at its end.
__device__ unsigned paddedWord(const unsigned* message, unsigned length, unsigned index) {
  if (4 * index > length) return 0;
  unsigned word = __byte_perm(message[index], 0, 0x0123), bytes = length - 4 * index;
  return bytes >= 4 ? word : (word & ~(0xffffffffu >> 8 * bytes)) | 0x80000000u >> 8 * bytes;
}

__device__ void compress(unsigned (&h)[8], unsigned (&w)[16]) {
  unsigned v[8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    v[i] = h[i];
#pragma unroll 1
  for (int from = 0; from < 64; from += 16) {
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      if (from > 0) {
        unsigned a = w[(i + 1) % 16], b = w[(i + 14) % 16];
        w[i] += (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[(i + 9) % 16] +
                (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
      }
      unsigned e = v[4], a = v[0];
      unsigned t1 = v[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & v[5]) ^ (~e & v[6])) +
                    kRound[from + i] + w[i];
      unsigned t2 = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & v[1]) | (v[2] & (a | v[1])));
      v[7] = v[6];
      v[6] = v[5];
      v[5] = e;
      v[4] = v[3] + t1;
      v[3] = v[2];
      v[2] = v[1];
      v[1] = a;
      v[0] = t1 + t2;
    }
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
    h[i] += v[i];
}

} // namespace

extern "C" __global__ void sha256_block(const unsigned* __restrict__ messages, unsigned* __restrict__ out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, length = t;
  unsigned h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned blocks = (length + 9 + 63) / 64;
  for (unsigned block = 0; block < blocks; ++block) {
    unsigned w[16];
#pragma unroll
    for (int i = 0; i < 16; ++i)
      w[i] = paddedWord(messages + 30 * t, length, 16 * block + i);
    if (block + 1 == blocks) w[15] = 8 * length;
    compress(h, w);
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
    out[8 * t + i] = h[i];
}

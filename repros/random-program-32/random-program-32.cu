// 38 random steps of sums, differences, products, exclusive-ors and rotates on nine registers.
__device__ unsigned left(unsigned v, unsigned by) {
  unsigned s = (unsigned)by & 31;
  return v << s | v >> (32 - s & 31);
}

extern "C" __global__ void random_program_32(const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 9;
  unsigned r[9];
  for (int k = 0; k < 9; ++k)
    r[k] = x[i * 9 + k] ^ (i & 1 ? y[i * 9 + k] : 0);
  r[2] += r[8] + 0x67c1de59;
  r[0] = left(r[0], 0 - r[5]);
  r[6] *= r[7];
  r[5] *= r[1];
  r[6] = left(r[6], 0 - r[1]);
  r[6] ^= r[0];
  r[4] -= r[7];
  r[7] += r[8];
  r[6] = left(r[6], r[4]);
  r[1] ^= r[2];
  r[6] += r[5];
  r[5] *= r[7];
  r[3] ^= r[8];
  r[0] += r[5];
  r[4] ^= r[5];
  r[2] = left(r[2], r[8]);
  r[4] *= r[5];
  r[2] = left(r[2], r[3]);
  r[5] *= r[0];
  r[5] = left(r[5], r[1]);
  r[7] *= r[8];
  r[4] = left(r[4], r[5]);
  r[6] = left(r[6], r[4]);
  r[3] = left(r[3], r[1]);
  r[2] += r[8];
  r[1] -= r[3];
  r[4] *= r[5];
  r[8] *= r[0];
  r[1] *= r[6];
  r[0] += r[3];
  r[1] *= r[5];
  r[8] *= r[5];
  r[8] *= r[3];
  r[2] = left(r[2], 0 - r[8]);
  r[2] = left(r[2], r[5]);
  r[8] = left(r[8], r[3]);
  r[3] ^= r[5];
  r[1] += r[3] + 0x9873c0b1;
  for (int k = 0; k < 9; ++k)
    o[k] = r[k];
}

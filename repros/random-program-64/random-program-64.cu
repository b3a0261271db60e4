// 36 random steps of sums, differences, products, exclusive-ors and rotates on nine registers.
__device__ unsigned long long left(unsigned long long v, unsigned long long by) {
  unsigned s = (unsigned)by & 63;
  return v << s | v >> (64 - s & 63);
}

extern "C" __global__ void random_program_64(const unsigned long long* x, const unsigned long long* y, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 9;
  unsigned long long r[9];
  for (int k = 0; k < 9; ++k)
    r[k] = x[i * 9 + k] ^ (i & 1 ? y[i * 9 + k] : 0);
  r[3] -= r[4];
  r[8] += r[7] + 0xd1c5ac9ee37487b0;
  r[4] += r[8] + 0x3cafab92e52236a6;
  r[4] ^= r[3];
  r[5] += r[6] + 0xd8d5e51440aef99b;
  r[7] *= r[2];
  r[3] -= r[6];
  r[3] = left(r[3], 0 - r[4]);
  r[3] = left(r[3], 0 - r[6]);
  r[4] ^= r[1];
  r[0] ^= r[6];
  r[5] ^= r[1];
  r[1] += r[4];
  r[4] *= r[2];
  r[3] += r[2];
  r[6] = left(r[6], 0 - r[8]);
  r[7] *= r[5];
  r[4] *= r[3];
  r[0] ^= r[3];
  r[8] *= r[5];
  r[8] *= r[0];
  r[4] ^= r[6];
  r[1] *= r[2];
  r[5] ^= r[1];
  r[6] = left(r[6], r[4]);
  r[8] += r[6];
  r[0] *= r[3];
  r[4] -= r[1];
  r[6] += r[2] + 0x11c3e160da7b31fc;
  r[1] *= r[0];
  r[7] += r[2] + 0xde84dfa2937bc50a;
  r[0] += r[2];
  r[8] *= r[3];
  r[3] += r[5] + 0x92e8c2e9bd237912;
  r[6] *= r[7];
  r[3] *= r[8];
  for (int k = 0; k < 9; ++k)
    o[k] = r[k];
}

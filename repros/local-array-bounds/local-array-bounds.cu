// Local arrays of 8, 16 and 64 bits with run-time indices, beside values that a low bound on registers spills.
extern "C" __global__ void __launch_bounds__(256, 8) local_array_bounds(const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 8;
  unsigned char small[16];
  short halves[12];
  unsigned long long wide[6];
  unsigned live[40], v = x[i], w = y[i];
#pragma unroll
  for (int k = 0; k < 40; ++k)
    live[k] = v * (2 * k + 1) + (w >> (k & 31));
#pragma unroll 4
  for (int k = 0; k < 16; ++k)
    small[k] = (unsigned char)(v >> k);
  for (int k = 0; k < 12; ++k)
    halves[k] = (short)(w << k);
#pragma unroll
  for (int k = 0; k < 6; ++k)
    wide[k] = (unsigned long long)live[k] << 32 | live[39 - k];
  small[v & 15] = 0x80;
  halves[w % 12] = -32768;
  wide[v % 6] ^= 1ull << 63;
  o[0] = small[w & 15];
  o[1] = (unsigned)(signed char)small[(v >> 4) & 15];
  o[2] = (unsigned)halves[v % 12] + (unsigned)halves[11 - w % 12];
  o[3] = (unsigned)(wide[w % 6] >> 32);
  o[4] = (unsigned)wide[(v ^ w) % 6];
  unsigned sum = 0, mix = 0;
#pragma unroll
  for (int k = 0; k < 40; ++k) {
    sum += live[k] ^ small[k & 15];
    mix = (mix << 7 | mix >> 25) + live[(k * 7) % 40];
  }
  o[5] = sum;
  o[6] = mix;
  o[7] = live[(int)(v % 40)];
}

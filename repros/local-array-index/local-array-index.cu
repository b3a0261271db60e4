// A key schedule: the next index depends on what was read, so no access can move across another.
extern "C" __global__ void localArrayIndex(const unsigned* in, unsigned* out) {
  int item[64];
  short narrow[16];
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, x = in[t], j = 0;
  for (int i = 0; i < 64; ++i)
    item[i] = i * 5 + static_cast<int>(x & 3);
  for (int i = 0; i < 16; ++i)
    narrow[i] = static_cast<short>(-i);
#pragma unroll 8
  for (unsigned i = 0; i < 64; ++i) {
    j = (j + static_cast<unsigned>(item[i]) + (x >> (i & 31))) & 63;
    int keep = item[i];
    item[i] = item[j];
    item[j] = keep;
    narrow[j & 15] = static_cast<short>(narrow[i & 15] + keep);
  }
  out[t * 3] = static_cast<unsigned>(item[x & 63]) | static_cast<unsigned>(item[x >> 26]) << 16;
  out[t * 3 + 1] = static_cast<unsigned>(narrow[x >> 6 & 15]);
  unsigned hash = 0;
  for (int i = 0; i < 64; ++i)
    hash = hash * 33 + static_cast<unsigned>(item[i]) + static_cast<unsigned>(narrow[i & 15]);
  out[t * 3 + 2] = hash;
}

// Lanes index by their own values (LDC), the block by its number (uniform loads or c[][]), with signed narrow
// elements.
struct Entry {
  signed char step;
  unsigned short mask;
  unsigned long long wide;
};

__constant__ signed char bytes[8] = {0, -1, 127, -128, 5, -5, 64, -64};
__constant__ short halves[5] = {-32768, 32767, -1, 256, -256};
__constant__ unsigned words[7] = {2, 3, 5, 7, 11, 13, 0x80000000u};
__constant__ unsigned long long wides[4] = {1ull << 63, ~0ull, 0x123456789abcdefull, 42};
__constant__ Entry entries[3] = {{-3, 0xfff0, 1ull << 40}, {100, 0x0ff0, 77}, {-128, 0x8001, ~0ull}};

extern "C" __global__ void constantIndex(const unsigned* in, unsigned long long* out) {
  static const int steps[6] = {-7, 1, -1, 1000000, -2147483647, 3};
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, x = in[t];
  const Entry& entry = entries[x / 7 % 3];
  long long narrow = bytes[x & 7] + halves[x % 5] * (1ll << 20);
  out[t * 3] = static_cast<unsigned long long>(narrow) + words[x / 3 % 7] + wides[x >> 30];
  out[t * 3 + 1] = entry.wide + entry.mask -
                   static_cast<unsigned long long>(static_cast<long long>(entry.step)) +
                   static_cast<unsigned long long>(static_cast<long long>(steps[x % 6]));
  out[t * 3 + 2] = wides[blockIdx.x] ^ words[blockIdx.x + (x & 3)] ^
                   static_cast<unsigned long long>(
                       static_cast<long long>(halves[blockIdx.x] * bytes[gridDim.x + blockIdx.x]));
}

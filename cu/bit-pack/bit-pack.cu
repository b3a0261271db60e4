// A thread packs 32 values of its width, (widths[t] - 1) % 32 + 1, through 64 bits that fill from below. A
// group of threads has other widths, so the stores diverge. Words beyond the n are not written.
extern "C" __global__ void bit_pack(const unsigned* __restrict__ values,
                                    const unsigned char* __restrict__ widths, unsigned* __restrict__ packed) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned width = (widths[t] - 1u) % 32 + 1, mask = 0xffffffffu >> (32 - width);
  unsigned long long pending = 0;
  unsigned held = 0, words = 0;
  for (int i = 0; i < 32; ++i) {
    pending |= static_cast<unsigned long long>(values[32 * t + i] & mask) << held;
    held += width;
    if (held >= 32) {
      packed[32 * t + words++] = static_cast<unsigned>(pending);
      pending >>= 32;
      held -= 32;
    }
  }
}

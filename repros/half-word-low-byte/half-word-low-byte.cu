// The low byte of a 16-bit word that is also used whole.
extern "C" __global__ void half_word_low_byte(const unsigned short* __restrict__ words,
                                              unsigned* __restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short word = words[i];
  out[i * 2] = word;
  out[i * 2 + 1] = word & 0xff;
}

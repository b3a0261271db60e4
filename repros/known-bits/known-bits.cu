// Bits that are known to ptxas after and, or, shift, popc and extension, then asked for again.
// Opaque to the front end, not to ptxas: the empty text leaves the same register.
__device__ unsigned seen(unsigned v) {
  asm("" : "+r"(v));
  return v;
}

extern "C" __global__ void known_bits(const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 8;
  unsigned v = x[i], w = y[i];
  unsigned byte = seen((v & 0xff) | 0x100), high = seen(w << 4), top = seen(v >> 28), count = seen(__popc(w));
  int sext = seen((int)(v << 24) >> 24);
  o[0] = byte > 0xff && (byte & 0xfffffe00) == 0 ? byte : 0xbad;
  o[1] = (high & 15) + (high >> 4) + ((high | 7) & 7);
  o[2] = top < 16 ? top * top : 0xbad;
  o[3] = sext >= -128 && sext <= 127 ? (unsigned)sext : 0xbad;
  o[4] = count <= 32 ? (count & 0x3f) ^ (count >> 6) : 0xbad;
  o[5] = (seen((v & 0xf0f) << 4) | seen(w & 0xf0f)) ^ ((v & 0xf0f) * 16 + (w & 0xf0f)); // no common bit: | is +
  unsigned long long wide = (unsigned long long)seen(v) * 16;
  o[6] = (unsigned)(wide >> 32) < 16 ? (unsigned)(wide >> 32) : 0xbad;
  o[7] = (int)seen(w | 0x80000000) < 0 ? (unsigned)((int)seen(w | 0x80000000) >> 31) + w : 0xbad;
}

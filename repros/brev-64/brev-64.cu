// 64 bits reversed by brev.b64, by halves, and by exchanging ever larger groups.
extern "C" __global__ void brev_64(const unsigned long long* x, const unsigned long long* y, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 4;
  unsigned long long v = x[i] ^ (y[i] << (i & 63)), r = v, d;
  asm("brev.b64 %0, %1;" : "=l"(d) : "l"(v));
  o[0] = d;
  o[1] = (unsigned long long)__brev((unsigned)v) << 32 | __brev((unsigned)(v >> 32));
  r = (r >> 1 & 0x5555555555555555) | (r & 0x5555555555555555) << 1;
  r = (r >> 2 & 0x3333333333333333) | (r & 0x3333333333333333) << 2;
  r = (r >> 4 & 0x0f0f0f0f0f0f0f0f) | (r & 0x0f0f0f0f0f0f0f0f) << 4;
  r = (r >> 8 & 0x00ff00ff00ff00ff) | (r & 0x00ff00ff00ff00ff) << 8;
  r = (r >> 16 & 0x0000ffff0000ffff) | (r & 0x0000ffff0000ffff) << 16;
  o[2] = r >> 32 | r << 32;
  o[3] = __brevll(v + 1) - __brevll(v);
}

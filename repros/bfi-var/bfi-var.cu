// bfi of 32 and 64 bits with positions and lengths up to 255, in 32 bits beyond.
extern "C" __global__ void bfi_var(const unsigned long long* x, const unsigned long long* y, const unsigned* p, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 6;
  unsigned long long v = x[i], w = y[i], d;
  unsigned pos = p[i] % 71, len = p[i] / 3 % 70, r;
  if (i % 16 == 5) pos += 185;
  if (i % 16 == 9) len += 185;
  unsigned more = i % 16 == 6 ? 0x100 : 0; // the 32-bit forms take the low eight bits
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"((unsigned)v), "r"((unsigned)w), "r"(pos + more), "r"(len));
  o[0] = r;
  asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(d) : "l"(v), "l"(w), "r"(pos), "r"(len));
  o[1] = d;
  asm("bfi.b32 %0, %1, %2, 8, %3;" : "=r"(r) : "r"((unsigned)v), "r"((unsigned)w), "r"(len));
  o[2] = r;
  asm("bfi.b32 %0, %1, %2, %3, 16;" : "=r"(r) : "r"((unsigned)v), "r"((unsigned)w), "r"(pos));
  o[3] = r;
  asm("bfi.b32 %0, %1, 0, %2, %3;" : "=r"(r) : "r"((unsigned)w), "r"(pos), "r"(len + more));
  o[4] = r;
  asm("bfi.b32 %0, %1, %2, 24, 24;" : "=r"(r) : "r"((unsigned)v), "r"((unsigned)w));
  o[5] = r;
}

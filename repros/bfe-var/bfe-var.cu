// bfe of 32 and 64 bits, signed and unsigned, with positions and lengths up to 255, in 32 bits beyond.
extern "C" __global__ void bfe_var(const unsigned long long* x, const unsigned long long* y, const unsigned* p, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 8;
  unsigned long long v = x[i] ^ y[i], d;
  unsigned pos = p[i] % 71, len = p[i] / 3 % 70, w = (unsigned)v, r;
  if (i % 16 == 5) pos += 185;
  if (i % 16 == 9) len += 185;
  unsigned more = i % 16 == 6 ? 0x100 : 0; // the 32-bit forms take the low eight bits
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(w), "r"(pos + more), "r"(len));
  o[0] = r;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(w), "r"(pos), "r"(len + more));
  o[1] = (unsigned long long)(long long)(int)r;
  asm("bfe.u64 %0, %1, %2, %3;" : "=l"(d) : "l"(v), "r"(pos), "r"(len));
  o[2] = d;
  asm("bfe.s64 %0, %1, %2, %3;" : "=l"(d) : "l"(v), "r"(pos), "r"(len));
  o[3] = d;
  asm("bfe.s32 %0, %1, 5, %2;" : "=r"(r) : "r"(w), "r"(len));
  o[4] = r;
  asm("bfe.s32 %0, %1, %2, 9;" : "=r"(r) : "r"(w), "r"(pos));
  o[5] = r;
  asm("bfe.u32 %0, %1, 20, 20;" : "=r"(r) : "r"(w));
  o[6] = r;
  asm("bfe.s32 %0, %1, 28, 8;" : "=r"(r) : "r"(w));
  o[7] = r;
}

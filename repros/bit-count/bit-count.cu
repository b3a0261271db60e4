// Counts of bits, and what is computed from their small ranges.
extern "C" __global__ void bit_count(const unsigned long long* x, const unsigned long long* y, const unsigned* n, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 10;
  unsigned long long v = x[i] ^ (y[i] >> (n[i] & 63) & (n[i] & 1 ? ~0ull : 0)), w = v & (0 - v);
  unsigned lo = (unsigned)v, hi = (unsigned)(v >> 32), f;
  o[0] = __popc(lo) + 64 * __popcll(v);
  o[1] = __clz((int)hi) + 64 * __clzll((long long)v);
  o[2] = __ffs((int)lo) + 256 * __ffsll((long long)v);
  o[3] = __brev(lo ^ hi);
  asm("bfind.u32 %0, %1;" : "=r"(f) : "r"(lo));
  o[4] = f;
  asm("bfind.s32 %0, %1;" : "=r"(f) : "r"(hi));
  o[5] = f;
  asm("bfind.shiftamt.s32 %0, %1;" : "=r"(f) : "r"(lo));
  o[6] = f;
  asm("bfind.s64 %0, %1;" : "=r"(f) : "l"(v));
  o[7] = f;
  asm("bfind.shiftamt.u64 %0, %1;" : "=r"(f) : "l"(w));
  o[8] = f;
  o[9] = 31 - __clz((int)(lo | 1)) + (hi ? __ffs((int)hi) - 1 : 99);
}

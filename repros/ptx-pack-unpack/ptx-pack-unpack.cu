// mov that packs and unpacks, sinks, 16-bit parts of 64 bits, and cvt.pack.
extern "C" __global__ void ptxPackUnpack(const unsigned long long* x, const int* y, unsigned long long* out) {
  unsigned t = threadIdx.x;
  unsigned long long a = x[t], r;
  int p = y[t], q = y[(t + 19) % 128];
  unsigned w, v;
  unsigned long long* o = out + t * 8;
  asm("{ .reg .b16 %%h<4>; mov.b64 {%%h0, %%h1, %%h2, %%h3}, %1; mov.b64 %0, {%%h2, %%h0, %%h3, %%h1}; }"
      : "=l"(o[0])
      : "l"(a));
  asm("{ .reg .b32 lo, hi; mov.b64 {lo, hi}, %1; mov.b64 %0, {hi, lo}; }" : "=l"(o[1]) : "l"(a));
  asm("{ .reg .b32 hi; .reg .b16 h; mov.b64 {_, hi}, %1; mov.b32 {_, h}, hi; mov.b32 %0, {h, h}; }"
      : "=r"(w)
      : "l"(a));
  asm("{ .reg .f32 lo, hi; mov.b64 {lo, hi}, %1; neg.f32 hi, hi; mov.b64 %0, {lo, hi}; }"
      : "=l"(r)
      : "l"(a & 0xff7fffffff7fffffull));
  o[2] = w;
  o[3] = r;
  asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(w) : "r"(p), "r"(q));
  asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(v) : "r"(p), "r"(q));
  o[4] = w | static_cast<unsigned long long>(v) << 32;
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(w) : "r"(p), "r"(q), "r"(t));
  asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, 0;" : "=r"(v) : "r"(p >> 8), "r"(q >> 16));
  o[5] = w | static_cast<unsigned long long>(v) << 32;
  asm("cvt.pack.sat.s4.s32.b32 %0, %1, %2, %3;" : "=r"(w) : "r"(p >> 20), "r"(q >> 28), "r"(p));
  asm("cvt.pack.sat.u2.s32.b32 %0, %1, %2, %3;" : "=r"(v) : "r"(p >> 28), "r"(q >> 30), "r"(q));
  o[6] = w | static_cast<unsigned long long>(v) << 32;
#if __CUDACC_VER_MAJOR__ > 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 3)
  asm("{ .reg .b128 wide; .reg .b64 lo, hi; mov.b128 wide, {%1, %2}; mov.b128 {lo, hi}, wide; sub.u64 %0, "
      "hi, lo; }"
      : "=l"(o[7])
      : "l"(a), "l"(x[t ^ 1]));
#else
  o[7] = x[t ^ 1] - a;
#endif
}

// shf.l and shf.r, clamped and wrapped, by amounts of 32 and more; sums and differences around them.
template <int Kind>
__device__ unsigned shf(unsigned lo, unsigned hi, unsigned s) {
  unsigned r;
  if (Kind == 0) asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(lo), "r"(hi), "r"(s));
  if (Kind == 1) asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(lo), "r"(hi), "r"(s));
  if (Kind == 2) asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(lo), "r"(hi), "r"(s));
  if (Kind == 3) asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(lo), "r"(hi), "r"(s));
  return r;
}

extern "C" __global__ void funnel_shift_var(const unsigned* x, const unsigned* y, const unsigned* n, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 9;
  unsigned a = x[i], b = y[i], s = n[i] % 71;
  o[0] = shf<0>(a, b, s) + a;
  o[1] = b - shf<1>(a, b, s);
  o[2] = shf<2>(a, b, s) - b;
  o[3] = shf<3>(a + b, b, s) + 1;
  o[4] = shf<0>(a, a, s);
  o[5] = shf<2>(b, b, s);
  o[6] = shf<1>(0, b, s) + shf<3>(a, 0, s);
  o[7] = shf<1>(a, b - a, s + 32) - shf<3>(a, b, s | 64);
  o[8] = __funnelshift_l(a, b, s) ^ __funnelshift_rc(a, b, s);
}

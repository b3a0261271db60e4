// Chains of unsigned minimum and maximum; bounds with bit 31 set would be wrong as signed ones.
__device__ unsigned least(unsigned a, unsigned b) {
  unsigned r;
  asm("min.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ unsigned most(unsigned a, unsigned b) {
  unsigned r;
  asm("max.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

extern "C" __global__ void clamp_u32(const unsigned* x, const unsigned* y, const unsigned* z, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 10;
  unsigned v = x[i], lo = y[i], hi = z[i];
  o[0] = least(most(v, 16), 240);
  o[1] = most(least(v, 240), 16);
  o[2] = least(most(v, lo), hi);
  o[3] = most(least(v, hi), lo);
  o[4] = least(most(v, 0x80000000), 0xfffffffe);
  o[5] = most(least(v, 5), 9);
  o[6] = least(most(least(v, hi), 1), 0x7fffffff);
  o[7] = most(least(v, 0), lo);
  o[8] = least(v - lo, v) + most(v - lo, v);
  o[9] = least(most(v, hi), most(v, lo));
}

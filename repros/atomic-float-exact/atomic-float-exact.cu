// Small multiples of a power of two: no addition rounds, so only a lost or doubled one can be seen. The
// packed ones are the instructions of sm_70 (f16x2) and sm_90 (bf16x2; a loop of compare-and-swap below).
__device__ void addBf16x2(unsigned* cell, unsigned value) {
#if __CUDA_ARCH__ >= 900
  asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" ::"l"(cell), "r"(value) : "memory");
#else
  for (unsigned old = *cell, seen;; old = seen) {
    float low = __fadd_rn(__uint_as_float(old << 16), __uint_as_float(value << 16));
    float high = __fadd_rn(__uint_as_float(old & 0xffff0000u), __uint_as_float(value & 0xffff0000u));
    seen = atomicCAS(cell, old, __float_as_uint(high) | __float_as_uint(low) >> 16);
    if (seen == old) break;
  }
#endif
}

extern "C" __global__ void atomicFloatExact(const int* in, unsigned* narrow, double* out) {
  __shared__ float sums[4];
  __shared__ double doubles[2];
  int t = threadIdx.x, v = in[t];
  if (t < 4) sums[t] = 0;
  if (t < 2) doubles[t] = 0;
  if (t < 6) out[t] = 0;
  __syncthreads();
  float f = __int2float_rn(v);
  atomicAdd(&sums[t % 4], f * 0.125f);
  atomicAdd(&doubles[t % 2], static_cast<double>(v) * 0x1p40 + 0x1p-4);
  atomicAdd(&out[t % 6], static_cast<double>(v) * 0x1p30);
  unsigned half, old;
  asm("{ .reg .f16 h; cvt.rn.f16.f32 h, %1; mov.b32 %0, {h, h}; }" : "=r"(half) : "f"(f));
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(narrow + t % 4), "r"(half ^ 0x80000000u)
               : "memory");
  asm volatile("atom.global.add.noftz.f16x2 %0, [%1], %2;"
               : "=r"(old)
               : "l"(narrow + 4 + t % 4), "r"(half)
               : "memory");
  addBf16x2(narrow + 8 + t % 4, __float_as_uint(f) | __float_as_uint(f) >> 16);
  if (old == 0xdeadbeef) atomicAdd(narrow + 12, 1u);
  __syncthreads();
  if (t < 6) out[6 + t] = t < 4 ? static_cast<double>(sums[t]) : doubles[t - 4];
}

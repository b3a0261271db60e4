// Instructions that change no value: fences, hints to the caches, sleep, between stores and loads that count.
extern "C" __global__ void ptxHints(const unsigned* in, unsigned* out) {
  __shared__ unsigned slot[64];
  unsigned t = threadIdx.x, v, w, last;
  asm volatile("prefetch.global.L1 [%0];\n  prefetch.global.L2 [%0+4];\n  prefetchu.L1 [%0];" ::"l"(in + t));
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(in + t) : "memory");
  slot[t] = v;
  asm volatile("membar.cta;\n  fence.acq_rel.cta;\n  bar.sync 0;" ::: "memory");
  asm volatile("ld.volatile.shared.u32 %0, [%1];"
               : "=r"(w)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(slot + (63 - t))))
               : "memory");
  asm volatile("nanosleep.u32 20;\n  membar.gl;\n  fence.sc.gpu;\n  membar.sys;" ::: "memory");
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(out + t * 3), "r"(v + w) : "memory");
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(w) : "l"(out + t * 3) : "memory");
#if __CUDA_ARCH__ >= 800
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 0.5;" : "=l"(policy));
  asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(v) : "l"(in + (t ^ 1)), "l"(policy));
  asm volatile("ld.global.L1::no_allocate.L2::128B.u32 %0, [%1];" : "=r"(last) : "l"(in + (t ^ 2)));
#else
  v = in[t ^ 1];
  last = in[t ^ 2];
#endif
  out[t * 3 + 1] = v - w;
  asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(out + t * 3 + 2), "r"(last) : "memory");
}

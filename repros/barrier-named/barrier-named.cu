// Warps 0,1 and warps 2,3 meet at barriers of their own, whose numbers the compiler does not know; then the
// first pair produces for the second without waiting.
extern "C" __global__ void barrierNamed(const unsigned* in, unsigned first, unsigned* out) {
  __shared__ unsigned slots[128], produced[64];
  unsigned t = threadIdx.x, x = in[blockIdx.x * 128 + t], pair = t / 64, count, any;
  slots[t] = x;
  asm volatile("bar.sync %0, 64;" ::"r"(first + pair) : "memory");
  unsigned y = slots[t ^ 32] + slots[pair * 64 + (x & 63)];
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; bar.red.popc.u32 %0, %2, 64, p; }"
               : "=r"(count)
               : "r"(y & 4), "r"(first + pair)
               : "memory");
  if (pair == 0) {
    produced[t] = y ^ count;
    __threadfence_block();
    asm volatile("bar.arrive 5, 128;" ::: "memory");
    any = 0;
  } else {
    asm volatile("bar.sync 5, 128;" ::: "memory");
    y -= produced[127 - t];
    asm volatile(
        "{ .reg .pred p, q; setp.eq.u32 p, %1, 0x33; bar.red.or.pred q, 6, 64, p; selp.u32 %0, 1, 0, q; }"
        : "=r"(any)
        : "r"(y & 0x3f)
        : "memory");
  }
  out[(blockIdx.x * 128 + t) * 2] = y;
  out[(blockIdx.x * 128 + t) * 2 + 1] = count << 1 | any;
}

// activemask, elect, match, redux and votes of a part of the warp; which lane is elected is not fixed.
extern "C" __global__ void ptxWarpElect(const unsigned* in, unsigned* out) {
  unsigned t = threadIdx.x, lane = t % 32, v = in[t], leader = 0, elected, active, mask, any, count, r;
  unsigned* o = out + t * 8;
  asm volatile("activemask.b32 %0;" : "=r"(active));
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 1000; vote.sync.ballot.b32 %0, p, -1; }"
               : "=r"(mask)
               : "r"(v));
  o[0] = active;
  o[1] = mask;
  o[2] = o[3] = o[4] = o[5] = o[6] = o[7] = 0;
  if (v > 1000) {
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
    asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p; }"
                 : "=r"(leader), "=r"(elected)
                 : "r"(mask));
#else
    leader = __ffs(mask) - 1;
    elected = lane == leader;
#endif
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(r)
                 : "r"(elected), "r"(mask));
    o[2] =
        __popc(r) + 16 * (r >> leader & 1) + 32 * (mask >> leader & 1) + 64 * ((lane == leader) == elected);
    asm volatile("match.any.sync.b64 %0, %1, %2;"
                 : "=r"(any)
                 : "l"(static_cast<unsigned long long>(v & 3) << 40), "r"(mask));
    o[3] = any;
    asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %1, %2; @p add.u32 %0, %0, 1; }"
                 : "=r"(r)
                 : "r"(v >> 31), "r"(mask));
    o[4] = r;
#if __CUDA_ARCH__ >= 800
    asm volatile("redux.sync.min.s32 %0, %1, %2;" : "=r"(r) : "r"(v * 5), "r"(mask));
#else
    r = v * 5;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
      int other = __shfl_sync(mask, v * 5, __ffs(rest) - 1);
      r = min(static_cast<int>(r), other);
    }
#endif
    o[5] = r;
    asm volatile(
        "{ .reg .pred p, q; setp.gt.u32 p, %1, 2000; vote.sync.uni.pred q, !p, %2; selp.u32 %0, 1, 0, q; }"
        : "=r"(r)
        : "r"(v), "r"(mask));
    count = __popc(mask & ((1u << lane) - 1));
    o[6] = r + 2 * count;
    asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %1, 3, 0x1800, %2; @!p mov.b32 %0, -1; }"
                 : "=r"(r)
                 : "r"(lane), "r"(mask));
    bool missing = lane % 8 >= 3 && (mask >> (lane - 3) & 1) == 0; // that lane's value is not defined
    o[7] = missing ? 0 : r;
  }
}

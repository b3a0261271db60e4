// The lanes of each arm are known from a vote before the branch, so every mask names exactly those that
// arrive.
extern "C" __global__ void voteDivergent(const unsigned* in, unsigned* out) {
  const unsigned kAll = 0xffffffffu;
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = in[t];
  bool outer = x & 1, inner = x & 2;
  unsigned outerLanes = __ballot_sync(kAll, outer);
  unsigned arm = 0, flags = 0;
  if (outer) {
    unsigned innerLanes = __ballot_sync(outerLanes, inner);
    if (inner) {
      arm = __ballot_sync(innerLanes, x & 0x10);
      flags = __any_sync(innerLanes, (x & 0x1e0) == 0) ? 1 : 2;
    } else {
      arm = ~__ballot_sync(outerLanes & ~innerLanes, x & 0x20);
      flags = __all_sync(outerLanes & ~innerLanes, (x & 0x600) != 0) ? 4 : 8;
    }
    x = x * 5 + __popc(innerLanes);
  } else {
    for (unsigned i = 0, steps = x >> 28; i < steps; ++i)
      x ^= x << 3 | i;
    arm = __ballot_sync(~outerLanes, x & 0x40);
  }
  out[t * 5] = arm;
  out[t * 5 + 1] = flags;
  out[t * 5 + 2] = __ballot_sync(kAll, x & 0x80);
  out[t * 5 + 3] = __any_sync(kAll, (x & 0xff) == 0x5a) + 2 * __all_sync(kAll, arm != 0);
  out[t * 5 + 4] = x;
}

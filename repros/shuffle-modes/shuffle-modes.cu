// The raw instruction: every width of __shfl_*_sync is one clamp word, and there are words that no width
// gives.
#define SHUFFLE(mode)                                                                                        \
  asm volatile("{ .reg .pred p; .reg .u32 v; shfl.sync." mode ".b32 v|p, %1, %2, %3, 0xffffffff;"            \
               " @!p not.b32 v, v; mov.u32 %0, v; }"                                                         \
               : "=r"(result)                                                                                \
               : "r"(x), "r"(b), "r"(c))

extern "C" __global__ void shuffleModes(const unsigned* value, const unsigned* lane, const unsigned* clamp,
                                        int clamps, unsigned* out) {
  unsigned x = value[threadIdx.x], b = lane[threadIdx.x], result;
  for (int i = 0; i < clamps; ++i) {
    unsigned c = clamp[i];
    unsigned* row = out + i * 128 + threadIdx.x;
    SHUFFLE("up");
    row[0] = result;
    SHUFFLE("down");
    row[32] = result;
    SHUFFLE("bfly");
    row[64] = result;
    SHUFFLE("idx");
    row[96] = result;
  }
}

// bfe with immediate positions and lengths that lie beyond the operand, of values whose sign ptxas knows.
template <int Position, int Length>
__device__ int sbfe(unsigned v) {
  int r;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "n"(Position), "n"(Length));
  return r;
}

template <int Position, int Length>
__device__ unsigned ubfe(unsigned v) {
  unsigned r;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "n"(Position), "n"(Length));
  return r;
}

template <int Position, int Length>
__device__ long long sbfe64(unsigned long long v) {
  long long r;
  asm("bfe.s64 %0, %1, %2, %3;" : "=l"(r) : "l"(v), "n"(Position), "n"(Length));
  return r;
}

extern "C" __global__ void bfe_immediate_range(const unsigned* x, const unsigned short* y, int* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int* o = out + i * 12;
  unsigned v = x[i], w = y[i];
  o[0] = sbfe<40, 33>(w);
  o[1] = sbfe<40, 33>(v);
  o[2] = max(sbfe<40, 8>(w), 0);
  o[3] = max((unsigned)sbfe<40, 33>(w), min(v, 63u)) & 28;
  o[4] = sbfe<32, 1>(w) == 0;
  o[5] = sbfe<31, 40>(v);
  o[6] = sbfe<16, 0>(v) + sbfe<40, 0>(w);
  o[7] = (int)ubfe<33, 32>(v) + (int)ubfe<15, 255>(w);
  o[8] = sbfe<15, 255>(w);
  o[9] = (int)sbfe64<70, 33>(w) + (int)sbfe64<64, 1>(v);
  o[10] = sbfe<255, 255>(w >> 1) < 0;
  o[11] = sbfe<35, 3>(v | 0x80000000) + sbfe<35, 3>(v & 0x7fffffff);
}

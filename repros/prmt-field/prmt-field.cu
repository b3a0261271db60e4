// Byte permutes with sign bytes whose results are cut into fields, shifted, compared and permuted again.
template <unsigned Selector>
__device__ unsigned prmt(unsigned a, unsigned b) {
  unsigned r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "n"(Selector));
  return r;
}
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

extern "C" __global__ void prmt_field(const unsigned* x, const unsigned* y, int* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int* o = out + i * 10;
  unsigned a = x[i], b = y[i];
  o[0] = sbfe<4, 12>(prmt<0x9180>(a, b));
  o[1] = (int)ubfe<7, 18>(prmt<0xb3a2>(a, b));
  o[2] = sbfe<16, 16>(prmt<0x9910>(a, b)) == -1 ? 1 : 2;
  o[3] = (int)prmt<0x8880>(prmt<0x4440>(a, b), 0) >> 3;
  o[4] = (int)(prmt<0xbbbb>(a, b) & 0x00ff0000) + sbfe<8, 8>(prmt<0xd5c4>(a, b));
  o[5] = (int)prmt<0xbb32>(a & 0x7fffffff, b) >= 0 ? 1 : 2;
  o[6] = (int)(prmt<0x4140>(a, 0) * 3 >> 5) - (int)prmt<0x4342>(a, 0);
  o[7] = sbfe<0, 8>(prmt<0x0123>(a, b)) < (signed char)b ? 1 : 2;
  o[8] = (int)prmt<0x9991>(prmt<0x1032>(a, b), b) == (signed char)(a >> 24) ? 1 : 2;
  o[9] = (int)(prmt<0x7610>(prmt<0x5410>(a, b), prmt<0x7632>(a, b)) << 9) >> 25;
}

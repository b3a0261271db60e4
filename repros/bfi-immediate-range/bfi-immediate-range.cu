// bfi with immediate positions and lengths that reach or lie beyond the operand.
template <int Position, int Length>
__device__ unsigned bfi(unsigned a, unsigned b) {
  unsigned r;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "n"(Position), "n"(Length));
  return r;
}

template <int Position, int Length>
__device__ unsigned long long bfi64(unsigned long long a, unsigned long long b) {
  unsigned long long r;
  asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(r) : "l"(a), "l"(b), "n"(Position), "n"(Length));
  return r;
}

extern "C" __global__ void bfi_immediate_range(const unsigned* x, const unsigned* y, const unsigned long long* z, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 12;
  unsigned a = x[i], b = y[i];
  unsigned long long c = z[i];
  o[0] = bfi<4, 64>(a, b);
  o[1] = bfi<4, 32>(a, b);
  o[2] = bfi<4, 33>(32766, b);
  o[3] = bfi<0, 255>(a, b);
  o[4] = bfi<31, 40>(a, b);
  o[5] = bfi<32, 1>(a, b);
  o[6] = bfi<40, 40>(a, b);
  o[7] = bfi<12, 0>(a, b);
  o[8] = bfi64<4, 255>(c, a);
  o[9] = bfi64<64, 8>(c, b);
  o[10] = bfi64<33, 32>(c, b);
  o[11] = bfi<16, 48>(a, bfi<0, 100>(b, a));
}

// The callee comes from memory: one table is constant, one is global and could be changed.
using Function = unsigned (*)(unsigned, unsigned);

__device__ unsigned add(unsigned a, unsigned b) {
  return a + b;
}
__device__ unsigned rotate(unsigned a, unsigned b) {
  return __funnelshift_l(a, a, b);
}
__device__ unsigned scale(unsigned a, unsigned b) {
  return a * (b | 1);
}
__device__ unsigned sumDigits(unsigned a, unsigned b) {
  unsigned sum = b;
  for (; a != 0; a /= 10)
    sum += a % 10;
  return sum;
}
__device__ unsigned flip(unsigned a, unsigned b) {
  return __brev(a ^ b);
}

__constant__ Function kTable[4] = {add, rotate, scale, sumDigits};
__device__ Function table[3] = {flip, sumDigits, rotate};

extern "C" __global__ void callIndirect(const unsigned* in, unsigned* out) {
  unsigned t = threadIdx.x, x = in[t], value = x;
  Function next = kTable[x & 3];
  for (unsigned i = 0; i < 6; ++i) {
    value = next(value, x >> i & 0xff);
    next = value & 1 ? kTable[value >> 1 & 3] : table[(value >> 1) % 3];
  }
  out[t * 2] = value;
  out[t * 2 + 1] = next(t, 7) + (next == table[1] ? 0x10000u : 0);
}

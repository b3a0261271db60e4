// Hofstadter's pair of sequences (depth at most 7), and a walk whose frames hold an array indexed at run
// time.
__device__ unsigned female(unsigned n);

__device__ __noinline__ unsigned male(unsigned n) {
  return n == 0 ? 0 : n - female(male(n - 1));
}

__device__ __noinline__ unsigned female(unsigned n) {
  return n == 0 ? 1 : n - male(female(n - 1));
}

__device__ __noinline__ unsigned walk(unsigned x, unsigned depth) {
  unsigned char digits[4] = {static_cast<unsigned char>(x), static_cast<unsigned char>(x >> 8),
                             static_cast<unsigned char>(x >> 16), static_cast<unsigned char>(x >> 24)};
  if (depth == 0) return digits[x & 3];
  unsigned child = walk(x * 0x01010107u + depth, depth - 1);
  digits[child & 3] ^= static_cast<unsigned char>(child >> 2);
  if (digits[0] & 1) child += walk(x >> 5 ^ child, depth / 2);
  return child * 257 + digits[depth & 3];
}

extern "C" __global__ void callRecursion(const unsigned* in, unsigned* out) {
  unsigned t = threadIdx.x, x = in[t];
  out[t * 2] = male(x & 7) | female(x >> 3 & 7) << 8;
  out[t * 2 + 1] = walk(x, x >> 30);
}

// fns with loaded masks, bases and offsets.
extern "C" __global__ void nth_set_bit(const unsigned* x, const unsigned* y, const int* n, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 2;
  unsigned v = i & 1 ? y[i] : x[i] ^ y[i / 16], base = y[i] >> 27, r;
  int offset = n[i] % 35;
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "r"(base), "r"(offset));
  o[0] = r;
  asm("fns.b32 %0, %1, 0, %2;" : "=r"(r) : "r"(v), "r"((i & 7) + 1));
  o[1] = r;
}

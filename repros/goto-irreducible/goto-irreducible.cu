// A jump into the middle of a loop makes it irreducible; lanes enter at either place and leave at different
// times.
extern "C" __global__ void goto_irreducible(const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 3;
  unsigned v = x[i], turns = y[i], a = 0, b = 1;
  if (v & 1) goto middle;
  first:
  a = a * 3 + turns;
  if (a & 4) b ^= a;
  middle:
  b += a >> 1;
  a ^= v >> (turns & 31);
  if (turns-- > 0) {
    if (b & 2) goto first;
    if (turns & 1) goto middle;
    goto first;
  }
  o[0] = a;
  o[1] = b;
  o[2] = turns;
}

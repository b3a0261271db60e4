// Nested loops of which the inner, the outer or both run zero times, whose counts come from a multiply-high,
// from each other and from a loop before, with values that only some of them change.
extern "C" __global__ void loop_nested_zero(const unsigned* x, const unsigned* y, const unsigned* n, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 8;
  unsigned v = x[i], w = y[i], outer = __umulhi(v, 5), inner = w >> 30, a = 1, b = v, c = w, last = 0xbad;
  for (unsigned k = 0; k < outer; ++k) {
    for (unsigned j = 0; j < inner; ++j) {
      a = a * 3 + j;
      last = k * 16 + j;
    }
    inner = inner == 0 ? k & 1 : inner - 1;
    b -= a;
  }
  o[0] = a;
  o[1] = b;
  o[2] = last;
  o[3] = inner;
  int left = (int)n[i], turns = 0;
  do { // at least once, however negative
    for (int j = left; j > 3; j -= 2)
      c ^= c << 5 | (unsigned)j;
    ++turns;
    left -= 7;
  } while (left > 0);
  o[4] = c;
  o[5] = (unsigned)turns;
  unsigned sum = 0, zero = n[i] & 0x40000000;
  for (unsigned k = zero; k != 0; k >>= 1)
    for (unsigned j = zero; j < k; ++j)
      sum += j; // never
#pragma unroll 4
  for (unsigned k = inner; k < outer; ++k) {
    sum += k;
    if (sum & 8) break;
  }
  o[6] = sum;
  unsigned found = 0;
  for (unsigned k = 0; k < (outer & 3) && !found; ++k)
    for (unsigned j = 0; j < 4 && !found; ++j)
      if (((v >> (8 * k) ^ w >> (8 * j)) & 0xff) == 0) found = 1 + k * 4 + j;
  o[7] = found;
}

// Sixteen arms and a default, with stores, fall-through and shared ends, by loaded values in and out of
// range.
extern "C" __global__ void switch_table(const unsigned* x, const unsigned* y, const unsigned* z, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 2;
  unsigned which = x[i] % 23 - (x[i] & 64 ? 2 : 0), a = y[i], b = z[i];
  o[1] = 1;
  switch (which) {
  case 0: a += b; break;
  case 1: a = __brev(a); o[1] = 10; // falls through
  case 2: a ^= b * 3; break;
  case 3: o[1] = a; a = b / 10; break;
  case 4: a = a > b ? a : b; break;
  case 5: a = __popc(a); // falls through
  case 6: a = a * a + b; // falls through
  case 7: a -= 77; o[1] = 70; break;
  case 8: a = a << (b & 31); break;
  case 9: a = __umulhi(a, b); break;
  case 10: for (unsigned k = b & 7; k; --k) a = a * 5 + k; break;
  case 11: a = ~a & b; break;
  case 12: a = (unsigned)((int)a >> (b & 31)); o[1] = b; break;
  case 14: a = __clz(a) + 32; break;
  case 15: o[1] = 150; return; // o[0] stays as it was
  default: a = which; break;
  }
  o[0] = a;
}

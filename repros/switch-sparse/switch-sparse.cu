// Sparse, negative, 64-bit and nested switches, and a dense one whose default comes first.
extern "C" __global__ void switch_sparse(const int* x, const long long* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 4;
  unsigned r = 1;
  switch (x[i]) {
  case -2147483647 - 1: r = 10; break;
  case -1000: r = 11; // falls through
  case -1: r += 12; break;
  case 0: r = 13; break;
  case 7: case 70: case 700: case 7000: r = 14; break;
  case 65536: r = 15; break;
  case 2147483647: r = 16; break;
  }
  o[0] = r;
  switch (y[i]) {
  case 0: r = 20; break;
  case 0x100000000: r = 21; break; // the low halves are equal
  case -0x100000000: r = 22; break;
  case 1: case 0x100000001: r = 23; break;
  case 0x7fffffffffffffff: r = 24; break;
  case -0x7fffffffffffffff - 1: r = 25; break;
  default: r += 100;
  }
  o[1] = r;
  switch ((signed char)x[i]) {
  default: r = 30; break;
  case -3: r = 31; break;
  case -2: r = 32; break;
  case -1: r = 33; break;
  case 0: switch (y[i] & 7) { case 1: r = 40; break; case 2: r = 41; break; case 3: r = 42; break; case 5: r = 43; break; case 7: r = 44; }
  case 1: r += 34; break;
  case 2: r = 35; break;
  case 3: r = 36; break;
  case 4: r = 37; break;
  }
  o[2] = r;
  const unsigned table[8] = {5, 4, 9, 1, 0, 7, 7, 2};
  switch ((unsigned)x[i] >> 29) { case 0: r = table[y[i] & 7]; break; case 3: case 4: r = ~table[r & 7]; break; case 7: r = 0; }
  o[3] = r;
}

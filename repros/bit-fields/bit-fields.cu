// Signed and unsigned bit fields in C, by shift pairs and by struct members, read, added to and put back.
struct Fields {
  unsigned a : 3;
  int b : 5;
  unsigned c : 13;
  int d : 11;
};

extern "C" __global__ void bit_fields(const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 8;
  unsigned v = x[i], w = y[i];
  o[0] = (unsigned)((int)(v << 3) >> 27) + (v << 9 >> 23);
  o[1] = (v & ~0x0003ff00u) | (w << 8 & 0x0003ff00u);
  o[2] = (unsigned)((int)(v << 31) >> 31) ^ (unsigned)((int)(w << 1) >> 31);
  Fields f = {v & 7, (int)(w << 20) >> 27, (v >> 8) & 0x1fff, (int)w >> 21};
  f.b = (f.b + 1) & 3 ? f.b : -f.b / 2;
  f.c += w;
  f.a ^= (unsigned)f.d;
  o[3] = f.a;
  o[4] = (unsigned)f.b;
  o[5] = f.c;
  o[6] = (unsigned)f.d;
  o[7] = (v >> 5 & 0x1f) << 27 | (w >> 10 & 0x3f) << 21 | (v & 0x1fffff);
}

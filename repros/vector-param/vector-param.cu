// Two- and four-element vectors of bytes and shorts, and a struct with padding, passed by value.
struct Pair {
  signed char a;
  short b;
};

extern "C" __global__ void vector_param(const int* x, double* out, char2 c2, char4 c4, short2 s2, Pair p) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  double* o = out + i * 9;
  double scale = x[i] & 1 ? 1 : -1;
  o[0] = scale * c2.x;
  o[1] = scale * c2.y;
  o[2] = scale * c4.x + 1000.0 * c4.y;
  o[3] = scale * c4.z + 1000.0 * c4.w;
  o[4] = scale * s2.x;
  o[5] = scale * s2.y;
  o[6] = scale * p.a;
  o[7] = scale * p.b;
  o[8] = (&c4.x)[i & 3];
}

// Each member becomes a double, so that neither a wrong sign nor a neighbour's bits can pass unseen.
struct Narrow {
  signed char small;
  short half;
  int word;
};
struct Root {
  signed char kind;
};
struct Derived : Root {
  unsigned char flags[3];
  unsigned word;
};

extern "C" __global__ void structParams(char2 pair, uchar4 quad, Narrow narrow, Derived derived, double* out,
                                        short2 halves) {
  int t = threadIdx.x;
  double* row = out + t * 4;
  row[0] = (t & 1 ? pair.x : pair.y) + 1000.0 * (t & 2 ? quad.z : quad.w);
  row[1] = narrow.small * 65536.0 + narrow.half + (t & 4 ? quad.x : quad.y) * 4294967296.0;
  row[2] = narrow.word + derived.kind * 4294967296.0;
  row[3] = derived.flags[t % 3] * 4294967296.0 + derived.word + (t & 1 ? halves.x : halves.y) * 0.25;
}

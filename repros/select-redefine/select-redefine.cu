// Two values redefined in both arms from one another, so that an if-converted form must keep the old ones.
extern "C" __global__ void select_redefine(const unsigned* x, const unsigned* y, const unsigned* z, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 6;
  unsigned a = x[i], b = y[i], c = z[i], d = 1;
  if (a < b) {
    a = b - a;
    b = a ^ c;
  } else {
    b = a - b;
    a = b + c;
  }
  o[0] = a;
  o[1] = b;
  if ((int)c > (int)a) {
    unsigned t = a;
    a = b;
    b = c;
    c = t;
    d += a;
  } else if (b & 1) {
    c = a;
    a = ~b;
    d = c - d;
  } else {
    unsigned t = c;
    c = b;
    b = t + d;
    d ^= t;
  }
  o[2] = a;
  o[3] = b;
  o[4] = c;
  o[5] = d;
}

// Five values that rotate through one another, with trip counts that leave every remainder of the unrolling.
extern "C" __global__ void loop_rotate(const unsigned* n, const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 6;
  unsigned a = x[i], b = y[i], c = a ^ 0x55555555, d = b + 7, e = i, count = n[i] % 23;
  #pragma unroll 4
  for (unsigned k = 0; k < count; ++k) {
    unsigned t = a + (e << 3 | e >> 29);
    a = b;
    b = c ^ k;
    c = d;
    d = e - t;
    e = t;
  }
  o[0] = a;
  o[1] = b;
  o[2] = c;
  o[3] = d;
  o[4] = e;
  unsigned f0 = x[i], f1 = 1;
  #pragma unroll
  for (int k = 0; k < 24; ++k) {
    unsigned next = f0 + f1;
    f0 = f1;
    f1 = next;
  }
  o[5] = f0 ^ f1;
}

// Values of 16, 32 and 64 bits and a predicate that take one another's places in unrolled loops, so that the
// parts of a register pair rotate apart.
extern "C" __global__ void loop_rotate_wide(const unsigned* n, const unsigned long long* x, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 6;
  unsigned long long a = x[i], b = ~a * 3, c = a >> 7;
  unsigned short h = (unsigned short)a;
  unsigned count = n[i] % 19;
  bool p = a & 1, q = a & 2;
#pragma unroll 4
  for (unsigned k = 0; k < count; ++k) {
    unsigned long long t = (b & 0xffffffff) << 32 | c >> 32;
    b = a;
    a = c - (p ? 1 : 0);
    c = t;
    bool old = p;
    p = q;
    q = old != ((t & 1) != 0);
    h = (unsigned short)(h << 1 | (unsigned)(p && !q));
  }
  o[0] = a;
  o[1] = b;
  o[2] = c;
  o[3] = h | (p ? 0x10000u : 0) | (q ? 0x20000u : 0);
  unsigned low = (unsigned)a, high = (unsigned)(a >> 32);
#pragma unroll 3
  for (unsigned k = 0; k < count; ++k) { // halves swap, one negated
    unsigned t = low;
    low = high;
    high = 0 - t;
  }
  o[4] = (unsigned long long)high << 32 | low;
  o[5] = (unsigned long long)low + high;
}

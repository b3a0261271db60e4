// Four labelled blocks that jump among each other by bits of a loaded program: many loops, several of them
// irreducible.
extern "C" __global__ void goto_interpreter(const unsigned* p, const unsigned* x, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 3;
  unsigned code = p[i], v = x[i], left = 40;
  switch (code & 3) {
  case 0: goto add;
  case 1: goto twist;
  case 2: goto drop;
  default: goto done;
  }
  add:
  if (--left == 0) goto done;
  v += 0x9e3779b9;
  if (v & 0x100) goto twist;
  if (code & 4) goto drop;
  goto add;
  twist:
  if (--left == 0) goto done;
  v = v * 5 ^ v >> 7;
  code = code << 1 | code >> 31;
  if (code & 8) goto add;
  drop:
  if (--left == 0) goto done;
  v -= code | 1;
  code = code >> 3 | code << 29;
  if ((code & 0x30) == 0x30) goto twist;
  if (v & 2) goto add;
  if (code & 0x40) goto drop;
  done:
  o[0] = v;
  o[1] = code;
  o[2] = left;
}

// One kernel, right or with one of the faults that the harness tells apart.
extern "C" __global__ void fill(const unsigned* in, unsigned char* out, int count) {
  int i = threadIdx.x;
  if (i >= count) return;
#ifdef FOREVER
  while (static_cast<const volatile unsigned*>(in)[0] != ~0u) {}
#endif
  unsigned value = in[i] + 1;
#ifdef WRONG
  if (i % 4 == 1) value ^= 0x80;
#endif
#ifdef INPUT
  const_cast<unsigned*>(in)[i] = 0;
#endif
#ifdef UNWRITTEN
  if (i % 4 == 2) return;
#endif
#ifdef OUTSIDE
  out += 1 << 20;
#endif
  out[i] = static_cast<unsigned char>(value);
}

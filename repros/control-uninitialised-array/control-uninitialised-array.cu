// A local array whose even elements are written; the input says which one is read.
extern "C" __global__ void uninitialisedArray(const unsigned* in, unsigned* out) {
  unsigned t = threadIdx.x, local[16];
  for (unsigned i = 0; i < 16; i += 2)
    local[(i + in[t]) % 16 & 14] = i * t;
  out[t] = local[in[t] * 3 % 16];
}

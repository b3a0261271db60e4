// The defined twin of control-signed-overflow: unsigned products wrap to 32 bits before they are widened.
extern "C" __global__ void unsignedWrap(const unsigned* in, unsigned long long* out) {
  unsigned t = threadIdx.x, z = in[t];
  out[t * 2] = (z * z) * 3ULL;
  unsigned long long sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += z * z;
  out[t * 2 + 1] = sum;
}

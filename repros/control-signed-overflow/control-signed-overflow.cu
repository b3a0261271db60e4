// z * z does not fit in an int for |z| > 46340: undefined, so that 64-bit multiplications may be all there
// are.
extern "C" __global__ void signedOverflow(const int* in, long long* out) {
  int t = threadIdx.x, z = in[t];
  out[t * 2] = (z * z) * 3LL;
  long long sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += z * z;
  out[t * 2 + 1] = sum;
}

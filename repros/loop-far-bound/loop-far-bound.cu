// A loop over more than half of the range of int, in a few great steps; i itself never overflows.
extern "C" __global__ void loopFarBound(const int* start, const int* bound, const unsigned* x,
                                        unsigned* out) {
  unsigned t = threadIdx.x, sum = 0;
  int n = bound[t];
  for (int i = start[t]; i < n; i += 0x20000000)
    sum = sum * 33 + (x[t] ^ i);
  out[t] = sum;
}

// Both pointers are given the same array: what is stored through one may be kept from before for the other.
extern "C" __global__ void restrictAlias(unsigned* __restrict__ a, unsigned* __restrict__ b) {
  unsigned t = threadIdx.x, before = a[t];
  b[t] = before * 3 + 1;
  a[t] += t;
  b[t] ^= a[t] << 8;
}

// (v << 1) ^ (v < 0 ? P : 0) for polynomials of the form 2^k - 1 and others, in 64 and 32 bits.
extern "C" __global__ void xor_poly(const long long* x, const int* n, long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  long long* o = out + i * 5;
  long long v = x[i], w = v, u = v;
  int a = (int)v;
  for (int k = n[i] % 200; k >= 0; --k) {
    v = (long long)((unsigned long long)v << 1) ^ (v < 0 ? 7 : 0);
    w = (long long)((unsigned long long)w << 1) ^ (w < 0 ? 1 : 0);
    u = (long long)((unsigned long long)u << 1) ^ (u < 0 ? 0x42f0e1eba9ea3693 : 0);
    a = (int)((unsigned)a << 1) ^ (a < 0 ? 15 : 0);
  }
  o[0] = v;
  o[1] = w;
  o[2] = u;
  o[3] = a;
  o[4] = (long long)((unsigned long long)x[i] << 1) ^ (x[i] < 0 ? 7 : 0);
}

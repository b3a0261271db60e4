// A number shifted to the sign bit, then widened: -2^31 or 0, never +2^31.
extern "C" __global__ void shl31_sext(const int* x, const int* y, long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  long long* o = out + i * 6;
  unsigned v = (unsigned)x[i], w = (unsigned)y[i];
  o[0] = (long long)(int)(v << 31);
  o[1] = (long long)(short)(w << 15);
  o[2] = (long long)(int)(w << 30) * 3;
  o[3] = (long long)(signed char)(v << 7) + (long long)(int)((v & 1) << 31);
  o[4] = (long long)(int)(w << 31) * (long long)(int)v;
  o[5] = (long long)(int)(v * 0x80000000) - (long long)(int)(w * 0xc0000000);
}

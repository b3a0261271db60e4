// 64-bit division by constants, unsigned and signed: 128-bit multiply-highs.
extern "C" __global__ void div_const_64(const unsigned long long* x, const unsigned long long* y, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 11;
  unsigned long long v = x[i] - (y[i] & (i < 128 ? 3 : 0xffffffffffffffff));
  long long s = (long long)v;
  o[0] = v / 3;
  o[1] = v % 10;
  o[2] = v / 0xffffffff;
  o[3] = v % 0x100000001;
  o[4] = v / 0x8000000000000001;
  o[5] = (unsigned long long)(s / 7);
  o[6] = (unsigned long long)(s % -10);
  o[7] = (unsigned long long)(s / 0x100000000);
  o[8] = (unsigned long long)(s % 4096);
  asm("div.u64 %0, %1, 1000000007;" : "=l"(o[9]) : "l"(v));
  asm("rem.s64 %0, %1, 60000;" : "=l"(o[10]) : "l"(v));
}

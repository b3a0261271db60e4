// 64-bit compares of all kinds, their results as numbers, and selects of 64-bit values.
extern "C" __global__ void compare_select_64(const unsigned long long* x, const unsigned long long* y, const unsigned long long* z, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 8;
  unsigned long long a = x[i], b = y[i], c = z[i], d;
  long long s = (long long)a, t = (long long)b;
  o[0] = (a < b) | (a <= b) << 1 | (a == b) << 2 | (s < t) << 3 | (s <= t) << 4 | (s > 0) << 5 | (s >= -1) << 6 | (a > 0xffffffff) << 7;
  o[1] = a < b ? c : a - b;
  o[2] = (unsigned long long)(s < t ? -1 : s > t);
  o[3] = s > t ? a : s == (long long)c ? ~b : c;
  o[4] = (a >> 32) == (b >> 32) ? (unsigned)a < (unsigned)b : (a >> 32) < (b >> 32);
  asm("{\n\t.reg .pred p, q;\n\tsetp.lt.u64 p, %1, %2;\n\tsetp.ge.and.s64 q, %2, %3, p;\n\tselp.b64 %0, %1, %3, q;\n\t}"
      : "=l"(d) : "l"(a), "l"(b), "l"(c));
  o[5] = d;
  asm("slct.u64.s32 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "l"(b), "r"((int)(c >> 32)));
  o[6] = d;
  unsigned m;
  asm("set.ne.u32.u64 %0, %1, %2;" : "=r"(m) : "l"(a ^ c), "l"(b));
  o[7] = m;
}

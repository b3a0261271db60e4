// min after max with bounds that are equal, crossed, or at the end of the range, signed and unsigned mixed.
#define BINARY(NAME, OP, TYPE, REG)                             \
  __device__ TYPE NAME(TYPE a, TYPE b) {                        \
    TYPE r;                                                     \
    asm(OP " %0, %1, %2;" : "=" REG(r) : REG(a), REG(b));       \
    return r;                                                   \
  }
BINARY(mins, "min.s32", int, "r")
BINARY(maxs, "max.s32", int, "r")
BINARY(minu, "min.u32", unsigned, "r")
BINARY(maxu, "max.u32", unsigned, "r")
BINARY(minh, "min.s16", short, "h")
BINARY(maxh, "max.s16", short, "h")
BINARY(minw, "min.u16", unsigned short, "h")
BINARY(maxw, "max.u16", unsigned short, "h")
BINARY(minl, "min.s64", long long, "l")
BINARY(maxl, "max.s64", long long, "l")

extern "C" __global__ void clamp_equal_bounds(const int* x, const int* y, const long long* z, int* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int* o = out + i * 12;
  int v = x[i], b = y[i];
  short h = (short)v, c = (short)b;
  long long w = z[i];
  o[0] = mins(maxs(v, b), b);
  o[1] = maxs(mins(v, 127), 127) + mins(maxs(b, -1), -1);
  o[2] = (int)minu((unsigned)maxs(v, -1), 0x80000000u); // signed, then unsigned
  o[3] = maxs((int)minu(v, 0x80000000u), -5);
  o[4] = (int)maxu(minu(v, 0xffffffffu), 0xfffffffeu);
  o[5] = minh(maxh(h, c), c) + minh(maxh(h, 7), 6);
  o[6] = maxw((unsigned short)minh(h, 0), 0xff80);
  o[7] = maxh((short)minw((unsigned short)h, 0x8000), -2);
  o[8] = (int)minl(maxl(w, 0x7fffffff), 0x7fffffff);
  o[9] = (int)(maxl(minl(w, (long long)0x8000000000000000), -1) >> 32);
  o[10] = mins(maxs(mins(maxs(v, -100), 100), 50), b) > 49 ? 1 : 2;
  o[11] = (signed char)maxs(mins(v, 127), -128) == maxs(mins(v, 127), -128) ? 1 : 2;
}

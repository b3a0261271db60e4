// Values live across calls, narrow arguments that must be extended, and more arguments than fit in a few
// registers.
struct Result {
  unsigned long long wide;
  short half;
  unsigned char byte;
};

__device__ __noinline__ Result gather(signed char a, unsigned char b, short c, unsigned short d, int e,
                                      unsigned f, long long g, unsigned long long h, bool i, unsigned j,
                                      unsigned k, unsigned l) {
  Result r;
  r.wide = static_cast<unsigned long long>(static_cast<long long>(a) + b + c + d + e + f) + g - h +
           (i ? j : k) + l;
  r.half = static_cast<short>(c ^ a);
  r.byte = static_cast<unsigned char>(d + b);
  return r;
}

__device__ __noinline__ bool halve(unsigned long long& value, unsigned& steps) {
  steps += static_cast<unsigned>(value & 3);
  value >>= 1;
  return value != 0;
}

extern "C" __global__ void callManyArgs(const unsigned long long* in, unsigned long long* out) {
  unsigned t = threadIdx.x, steps = t;
  unsigned long long x = in[t], y = x * 0x9e3779b97f4a7c15ull, rest = x;
  Result r = gather(static_cast<signed char>(x), static_cast<unsigned char>(x >> 8),
                    static_cast<short>(x >> 16), static_cast<unsigned short>(x >> 32), static_cast<int>(x),
                    static_cast<unsigned>(x >> 32), static_cast<long long>(y), x, x & 0x10, t, t + 1, t * t);
  while (halve(rest, steps)) {
  }
  Result s = gather(static_cast<signed char>(r.half), r.byte, static_cast<short>(r.wide),
                    static_cast<unsigned short>(steps), static_cast<int>(steps),
                    static_cast<unsigned>(r.wide), static_cast<long long>(x), y, r.half < 0, 1, 2, 3);
  out[t * 3] = r.wide ^ y;
  out[t * 3 + 1] = s.wide;
  out[t * 3 + 2] =
      static_cast<unsigned short>(s.half) | s.byte << 16 | static_cast<unsigned long long>(steps) << 32;
}

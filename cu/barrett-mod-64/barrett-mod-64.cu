// With k the bits of n, floor(4^k / n) by long division, then products of 128 bits shifted by k - 1 and k
// + 1. out[0] = a * b mod n, out[1] = that squared, times a, mod n.
namespace {

using u64 = unsigned long long;

struct Barrett {
  u64 n, reciprocal;
  int bits;
};

/// (high * 2^64 + low) >> by, 0 < by < 64, of a value that then fits.
__device__ u64 shifted(u64 high, u64 low, int by) {
  return high << (64 - by) | low >> by;
}

__device__ Barrett madeBarrett(u64 n) {
  Barrett r = {n, 0, 64 - __clzll(static_cast<long long>(n))};
  u64 rest = 1;
  for (int i = 0; i < 2 * r.bits; ++i) {
    rest *= 2;
    r.reciprocal *= 2;
    if (rest >= n) {
      rest -= n;
      r.reciprocal |= 1;
    }
  }
  return r;
}

__device__ u64 product(u64 a, u64 b, const Barrett& by) {
  u64 low = a * b, high = __umul64hi(a, b);
  u64 top = shifted(high, low, by.bits - 1);
  u64 quotient = shifted(__umul64hi(top, by.reciprocal), top * by.reciprocal, by.bits + 1);
  u64 r = low - quotient * by.n;
  if (r >= by.n) r -= by.n; // the quotient is at most two too small
  if (r >= by.n) r -= by.n;
  return r;
}

} // namespace

extern "C" __global__ void barrett_mod_64(const u64* a, const u64* b, const u64* modulus, ulonglong2* out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  Barrett by = madeBarrett(modulus[t]);
  u64 x = a[t] % by.n, r = product(x, b[t] % by.n, by);
  out[t] = make_ulonglong2(r, product(product(r, r, by), x, by));
}

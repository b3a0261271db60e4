// out[0] = base^exponent mod n, out[1] = base^2 mod n, R = 2^64. n may be above 2^63: sums are watched for
// carries.
namespace {

using u64 = unsigned long long;

/// a * b / R mod n, `inverse` of n modulo R.
__device__ u64 product(u64 a, u64 b, u64 n, u64 inverse) {
  u64 high = __umul64hi(a, b), multiple = __umul64hi(a * b * inverse, n);
  u64 difference = high - multiple;
  return high < multiple ? difference + n : difference;
}

__device__ u64 doubled(u64 a, u64 n) {
  u64 r = a + a;
  return r < a || r >= n ? r - n : r;
}

} // namespace

extern "C" __global__ void montgomery_mul_64(const u64* base, const u64* modulus, const unsigned* exponent,
                                             ulonglong2* out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  u64 n = modulus[t], inverse = n * 3 ^ 2; // right in five bits
#pragma unroll
  for (int i = 0; i < 4; ++i)
    inverse *= 2 - n * inverse;
  u64 one = (0 - n) % n, square = one; // R, then R^2
  for (int i = 0; i < 64; ++i)
    square = doubled(square, n);
  u64 a = product(base[t] % n, square, n, inverse), power = one;
  u64 second = product(product(a, a, n, inverse), 1, n, inverse);
  for (unsigned e = exponent[t]; e; e >>= 1) {
    if (e & 1) power = product(power, a, n, inverse);
    a = product(a, a, n, inverse);
  }
  out[t] = make_ulonglong2(product(power, 1, n, inverse), second);
}

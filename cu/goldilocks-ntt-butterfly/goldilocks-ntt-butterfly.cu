// Decimation in time: loaded in bit-reversed order, seven stages, one butterfly a thread in each.
namespace {

using u64 = unsigned long long;

constexpr u64 kPrime = 0xffffffff00000001ull, kRest = 0xffffffffull; // 2^64 = kRest modulo the prime
constexpr unsigned kSize = 128, kBits = 7;

__device__ u64 sum(u64 a, u64 b) { // of canonical values
  u64 r = a + b;
  return r < a || r >= kPrime ? r - kPrime : r;
}

__device__ u64 difference(u64 a, u64 b) {
  return a >= b ? a - b : a - b + kPrime;
}

__device__ u64 product(u64 a, u64 b) {
  u64 low = a * b, high = __umul64hi(a, b);
  u64 r = low - (high >> 32); // 2^96 = -1
  if (low < high >> 32) r -= kRest;
  u64 middle = (high & 0xffffffffu) * kRest;
  r += middle;
  if (r < middle) r += kRest;
  return r >= kPrime ? r - kPrime : r;
}

__device__ u64 power(u64 base, unsigned exponent) {
  u64 r = 1;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1) r = product(r, base);
    base = product(base, base);
  }
  return r;
}

} // namespace

extern "C" __global__ void goldilocks_ntt(const u64* __restrict__ x, const u64* __restrict__ root,
                                          u64* __restrict__ out) {
  __shared__ u64 value[kSize], twiddle[kSize / 2];
  unsigned t = threadIdx.x, from = blockIdx.x * kSize;
  twiddle[t] = power(*root, t);
#pragma unroll
  for (unsigned i = t; i < kSize; i += kSize / 2) {
    u64 v = x[from + i];
    value[__brev(i) >> (32 - kBits)] = v >= kPrime ? v - kPrime : v;
  }
  __syncthreads();
  for (unsigned half = 1; half < kSize; half *= 2) {
    unsigned within = t % half, at = t / half * 2 * half + within;
    u64 left = value[at], right = product(value[at + half], twiddle[within * (kSize / 2 / half)]);
    value[at] = sum(left, right);
    value[at + half] = difference(left, right);
    __syncthreads();
  }
#pragma unroll
  for (unsigned i = t; i < kSize; i += kSize / 2)
    out[from + i] = value[i];
}

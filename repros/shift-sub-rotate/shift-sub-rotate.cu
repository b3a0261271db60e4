// A left and a right shift by K and 64 - K, combined by -, + and |; only some of these are rotates.
using u64 = unsigned long long;
using i64 = long long;

template <int K>
__device__ void combine(u64 a, u64* o) {
   o[0] = (a << K) - (a >> (64 - K));
  o[1] = (a << K) - (u64)((i64)a >> (64 - K));
  o[2] = (a >> (64 - K)) - (a << K);
  o[3] = (u64)((i64)a >> (64 - K)) - (a << K);
  o[4] = (a << K) + (u64)((i64)a >> (64 - K));
  o[5] = (a << K) | (a >> (64 - K));
  o[6] = (a << K) + (a >> (64 - K));
}

extern "C" __global__ void shift_sub_rotate(const unsigned long long* x, const unsigned long long* y, const unsigned long long* m, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 35;
  u64 a = x[i] ^ (y[i] & m[i]);
  combine<1>(a, o);
  combine<13>(a, o + 7);
  combine<32>(a, o + 14);
  combine<40>(a, o + 21);
  combine<63>(a, o + 28);
}

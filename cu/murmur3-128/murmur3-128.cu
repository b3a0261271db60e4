// Thread t hashes t % 64 bytes from 16 t on: whole 16-byte blocks by one load, the tail by a switch that
// falls through.
namespace {

using u64 = unsigned long long;

constexpr u64 kC1 = 0x87c37b91114253d5ull, kC2 = 0x4cf5ad432745937full;

__device__ u64 rotated(u64 value, int by) {
  return value << by | value >> (64 - by);
}

__device__ u64 mixed(u64 value) {
  value = (value ^ value >> 33) * 0xff51afd7ed558ccdull;
  value = (value ^ value >> 33) * 0xc4ceb9fe1a85ec53ull;
  return value ^ value >> 33;
}

__device__ u64 first(u64 k) {
  return rotated(k * kC1, 31) * kC2;
}

__device__ u64 second(u64 k) {
  return rotated(k * kC2, 33) * kC1;
}

} // namespace

extern "C" __global__ void murmur3_128(const unsigned char* bytes, ulonglong2* out, unsigned seed) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, length = t % 64;
  const unsigned char* at = bytes + 16 * t;
  u64 h1 = seed, h2 = seed;
  for (unsigned i = 0; i < length / 16; ++i, at += 16) {
    ulonglong2 block = *reinterpret_cast<const ulonglong2*>(at);
    h1 ^= first(block.x);
    h1 = (rotated(h1, 27) + h2) * 5 + 0x52dce729;
    h2 ^= second(block.y);
    h2 = (rotated(h2, 31) + h1) * 5 + 0x38495ab5;
  }
  u64 k1 = 0, k2 = 0;
  switch (length & 15) {
  case 15: k2 ^= static_cast<u64>(at[14]) << 48;
  case 14: k2 ^= static_cast<u64>(at[13]) << 40;
  case 13: k2 ^= static_cast<u64>(at[12]) << 32;
  case 12: k2 ^= static_cast<u64>(at[11]) << 24;
  case 11: k2 ^= static_cast<u64>(at[10]) << 16;
  case 10: k2 ^= static_cast<u64>(at[9]) << 8;
  case 9: k2 ^= at[8]; h2 ^= second(k2);
  case 8: k1 ^= static_cast<u64>(at[7]) << 56;
  case 7: k1 ^= static_cast<u64>(at[6]) << 48;
  case 6: k1 ^= static_cast<u64>(at[5]) << 40;
  case 5: k1 ^= static_cast<u64>(at[4]) << 32;
  case 4: k1 ^= static_cast<u64>(at[3]) << 24;
  case 3: k1 ^= static_cast<u64>(at[2]) << 16;
  case 2: k1 ^= static_cast<u64>(at[1]) << 8;
  case 1: k1 ^= at[0]; h1 ^= first(k1);
  }
  h1 ^= length;
  h2 ^= length;
  h1 += h2;
  h2 += h1;
  h1 = mixed(h1);
  h2 = mixed(h2);
  h1 += h2;
  out[t] = make_ulonglong2(h1, h2 + h1);
}

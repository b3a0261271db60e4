// out32 holds the hash and the 64-bit hash folded to 24 bits; the pool's end ends a string too.
extern "C" __global__ void fnv1a_strings(const char* pool, const unsigned* offsets, unsigned long long* out64,
                                         uint2* out32, unsigned size) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned hash = 2166136261u;
  unsigned long long wide = 14695981039346656037ull;
  for (unsigned i = offsets[t]; i < size && pool[i] != 0; ++i) {
    unsigned char byte = static_cast<unsigned char>(pool[i]);
    hash = (hash ^ byte) * 16777619u;
    wide = (wide ^ byte) * 1099511628211ull;
  }
  unsigned folded = static_cast<unsigned>(wide >> 24 ^ wide) & 0xffffff;
  out64[t] = wide;
  out32[t] = make_uint2(hash, folded);
}

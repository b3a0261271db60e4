// The 64-bit keys of lanes n and n + 16 differ in their high words only, unless x is 6.
extern "C" __global__ void matchAnyAll(const unsigned* in, unsigned* out) {
  unsigned t = threadIdx.x, lane = t & 31, x = in[t];
  unsigned long long wide = x == 6 ? 0x600000006ull : static_cast<unsigned long long>(lane >> 4) << 32 | x;
  int all32, all64, allPart;
  out[t * 5] = __match_any_sync(0xffffffffu, x);
  out[t * 5 + 1] = __match_any_sync(0xffffffffu, wide);
  unsigned mask32 = __match_all_sync(0xffffffffu, x, &all32);
  unsigned mask64 = __match_all_sync(0xffffffffu, wide, &all64);
  unsigned part;
  if (lane % 2 == 0) {
    part = __match_all_sync(0x55555555u, x, &allPart);
  } else {
    part = __match_any_sync(0xaaaaaaaau, x);
    allPart = 0;
  }
  out[t * 5 + 2] = mask32 ^ mask64;
  out[t * 5 + 3] = all32 + 2 * all64 + 4 * allPart;
  out[t * 5 + 4] = part;
}

// kinds: 0 for a byte that continues a character, its length for one that begins one, 255 for any other.
// counts: of a block's characters and of its errors.
namespace {

/// The length of the character that begins at `at`, 0 if none does. The second byte's range tells overlong
/// forms, surrogates and values beyond U+10FFFF.
__device__ unsigned lengthAt(const unsigned char* text, unsigned n, unsigned at) {
  unsigned first = text[at];
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  unsigned length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (at + length > n) return 0;
  unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  unsigned second = text[at + 1];
  if (second < low || second > high) return 0;
  for (unsigned i = 2; i < length; ++i)
    if ((text[at + i] & 0xc0) != 0x80) return 0;
  return length;
}

} // namespace

extern "C" __global__ void utf8_validate(const unsigned char* __restrict__ text,
                                         unsigned char* __restrict__ kinds, uint2* __restrict__ counts,
                                         unsigned n) {
  __shared__ unsigned characters[4], errors[4];
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / 32;
  unsigned kind = 0;
  if (t < n) {
    kind = lengthAt(text, n, t);
    if (kind == 0) {
      bool covered = false;
      for (unsigned back = 1; back < 4 && back <= t && !covered; ++back)
        covered = lengthAt(text, n, t - back) > back;
      kind = covered ? 0 : 255;
    }
    kinds[t] = static_cast<unsigned char>(kind);
  }
  unsigned begins = __ballot_sync(0xffffffffu, kind - 1 < 4), wrong = __ballot_sync(0xffffffffu, kind == 255);
  if (threadIdx.x % 32 == 0) {
    characters[warp] = __popc(begins);
    errors[warp] = __popc(wrong);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    counts[blockIdx.x] = make_uint2(characters[0] + characters[1] + characters[2] + characters[3],
                                    errors[0] + errors[1] + errors[2] + errors[3]);
}

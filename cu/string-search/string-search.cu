// The text is cut into equal stretches; a thread finds what begins in its own. Stored for both ways: how
// many, and a hash of where.
namespace {

constexpr unsigned kLength = 6;

__constant__ unsigned char kPattern[kLength + 1] = {'a', 'b', 'b', 'a', 'b', 'a', 0};

struct Shifts {
  unsigned char by[256];
};

/// How far the pattern may move when its last place stands on a byte.
__host__ __device__ constexpr Shifts madeShifts() {
  Shifts shifts{};
  for (unsigned i = 0; i < 256; ++i)
    shifts.by[i] = kLength;
  const unsigned char pattern[kLength + 1] = {'a', 'b', 'b', 'a', 'b', 'a', 0};
  for (unsigned i = 0; i + 1 < kLength; ++i)
    shifts.by[pattern[i]] = static_cast<unsigned char>(kLength - 1 - i);
  return shifts;
}

__constant__ Shifts kShifts = madeShifts();

struct Found {
  unsigned count = 0, hash = 0;

  __device__ void add(unsigned at) {
    ++count;
    hash = hash * 31 + at;
  }
};

} // namespace

extern "C" __global__ void string_search(const unsigned char* __restrict__ text, uint4* __restrict__ out,
                                         unsigned size) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  unsigned stretch = (size + threads - 1) / threads, from = t * stretch;
  unsigned last = size - kLength + 1, end = from + stretch < last ? from + stretch : last;
  Found naive, horspool;
  for (unsigned at = from; at < end; ++at) {
    unsigned same = 0;
    while (same < kLength && text[at + same] == kPattern[same])
      ++same;
    if (same == kLength) naive.add(at);
  }
  for (unsigned at = from; at < end;) {
    int i = kLength - 1;
    while (i >= 0 && text[at + i] == kPattern[i])
      --i;
    if (i < 0) horspool.add(at);
    at += kShifts.by[text[at + kLength - 1]];
  }
  out[t] = make_uint4(naive.count, naive.hash, horspool.count, horspool.hash);
}

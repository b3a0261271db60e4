// Top-k of a router: a warp a row of up to 128 scores without NaN, four a lane in registers. k times: each
// lane's best, a butterfly of (score, index), the lower index on ties; the winner's lane strikes it out.
// Zeros of both signs are equal.
namespace {

constexpr unsigned kSlots = 4;

} // namespace

extern "C" __global__ void top_k_warp(const float* __restrict__ x, float* __restrict__ weights,
                                      long long* __restrict__ indices, unsigned rows, unsigned n,
                                      unsigned k) {
  unsigned lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows) return;
  float score[kSlots];
  unsigned open = 0; // slots that still compete
#pragma unroll
  for (unsigned s = 0; s < kSlots; ++s) {
    unsigned i = s * 32 + lane;
    score[s] = i < n ? x[row * n + i] : 0.0f;
    if (i < n) open |= 1u << s;
  }
  for (unsigned place = 0; place < k; ++place) {
    float best = 0.0f;
    unsigned index = 0xffffffffu; // nothing
#pragma unroll
    for (unsigned s = 0; s < kSlots; ++s) {
      if ((open >> s & 1) && (index == 0xffffffffu || score[s] > best)) {
        best = score[s];
        index = s * 32 + lane;
      }
    }
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
      float other = __shfl_xor_sync(0xffffffffu, best, distance);
      unsigned otherIndex = __shfl_xor_sync(0xffffffffu, index, distance);
      bool better = other > best || (other == best && otherIndex < index);
      if (otherIndex != 0xffffffffu && (index == 0xffffffffu || better)) {
        best = other;
        index = otherIndex;
      }
    }
    if (index % 32 == lane) open &= ~(1u << index / 32);
    if (lane == 0) {
      weights[row * k + place] = best;
      indices[row * k + place] = static_cast<long long>(index);
    }
  }
}

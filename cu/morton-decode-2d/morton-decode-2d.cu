// Bits drawn together by shifts and masks. The wide code is the product of both inputs, the narrow ones are
// its halves.
namespace {

using u64 = unsigned long long;

__device__ unsigned even(u64 v) {
  v &= 0x5555555555555555ull;
  v = (v | v >> 1) & 0x3333333333333333ull;
  v = (v | v >> 2) & 0x0f0f0f0f0f0f0f0full;
  v = (v | v >> 4) & 0x00ff00ff00ff00ffull;
  v = (v | v >> 8) & 0x0000ffff0000ffffull;
  return static_cast<unsigned>(v | v >> 16);
}

__device__ unsigned short evenNarrow(unsigned v) {
  v &= 0x55555555u;
  v = (v ^ v >> 1) & 0x33333333u;
  v = (v ^ v >> 2) & 0x0f0f0f0fu;
  v = (v ^ v >> 4) & 0x00ff00ffu;
  return static_cast<unsigned short>(v ^ v >> 8);
}

} // namespace

extern "C" __global__ void morton_decode_2d(const u64* codes, const u64* more, uint2* wide, ushort4* narrow) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  u64 code = codes[t] * (more[t] | 1);
  unsigned low = static_cast<unsigned>(code), high = static_cast<unsigned>(code >> 32);
  wide[t] = make_uint2(even(code), even(code >> 1));
  narrow[t] = make_ushort4(evenNarrow(low), evenNarrow(low >> 1), evenNarrow(high), evenNarrow(high >> 1));
}

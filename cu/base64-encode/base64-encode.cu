// The alphabet by table; what stands for missing bytes is '='.
namespace {

__constant__ char kAlphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

extern "C" __global__ void base64_encode(const unsigned char* __restrict__ bytes, uchar4* __restrict__ text,
                                         unsigned n) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, from = 3 * t;
  if (from >= n) return;
  unsigned left = n - from, group = 0;
#pragma unroll
  for (unsigned i = 0; i < 3; ++i)
    group = group << 8 | (i < left ? bytes[from + i] : 0);
  uchar4 four;
  four.x = kAlphabet[group >> 18];
  four.y = kAlphabet[group >> 12 & 63];
  four.z = left > 1 ? kAlphabet[group >> 6 & 63] : '=';
  four.w = left > 2 ? kAlphabet[group & 63] : '=';
  text[t] = four;
}

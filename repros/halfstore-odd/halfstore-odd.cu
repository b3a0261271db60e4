// Records of a tag, a half at an odd address as two bytes, and their sum.
#include <cuda_fp16.h>

extern "C" __global__ void halfstoreOdd(const float* scale, unsigned char* out) {
  int t = threadIdx.x;
  unsigned char* record = out + 4 * t;
  unsigned short bits = __half_as_ushort(__float2half_rn(scale[t]));
  record[0] = static_cast<unsigned char>(t);
  record[1] = static_cast<unsigned char>(bits & 0xff);
  record[2] = static_cast<unsigned char>(bits >> 8);
  record[3] = static_cast<unsigned char>(bits + (bits >> 8));
}

// One 34-byte record a block: a half's bits as two bytes, written by lane 0, then a byte by every lane.
#include <cuda_fp16.h>

extern "C" __global__ void halfstore(const float* scale, unsigned char* out, int records) {
  int record = blockIdx.x;
  int lane = threadIdx.x;
  if (record >= records) return;
  unsigned char* bytes = out + record * 34;
  if (lane == 0) {
    unsigned short bits = __half_as_ushort(__float2half_rn(scale[record]));
    bytes[0] = static_cast<unsigned char>(bits & 0xff);
    bytes[1] = static_cast<unsigned char>(bits >> 8);
  }
  bytes[2 + lane] = static_cast<unsigned char>(record * 32 + lane);
}

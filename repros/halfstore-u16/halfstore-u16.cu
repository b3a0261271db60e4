// One 34-byte record a block: a half, written by lane 0 with one aligned store, then a byte by every lane.
#include <cuda_fp16.h>

extern "C" __global__ void halfstore_u16(const float* scale, unsigned char* out, int records) {
  int record = blockIdx.x;
  int lane = threadIdx.x;
  if (record >= records) return;
  unsigned char* bytes = out + record * 34;
  if (lane == 0) {
    unsigned short bits = __half_as_ushort(__float2half_rn(scale[record]));
    *reinterpret_cast<unsigned short*>(bytes) = bits; // records are 34 bytes: always aligned
  }
  bytes[2 + lane] = static_cast<unsigned char>(record * 32 + lane);
}

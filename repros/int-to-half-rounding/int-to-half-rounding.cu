#include <cuda_fp16.h>

// Most integers do not fit: what they become depends on the rounding and the sign.
extern "C" __global__ void intToHalfRounding(const unsigned long long* in, unsigned short* out) {
  int t = threadIdx.x;
  unsigned long long x = in[t];
  unsigned short* row = out + t * 24;
  row[0] = __half_as_ushort(__short2half_rn(static_cast<short>(x)));
  row[1] = __half_as_ushort(__short2half_rz(static_cast<short>(x)));
  row[2] = __half_as_ushort(__short2half_ru(static_cast<short>(x)));
  row[3] = __half_as_ushort(__short2half_rd(static_cast<short>(x)));
  row[4] = __half_as_ushort(__ushort2half_rn(static_cast<unsigned short>(x)));
  row[5] = __half_as_ushort(__ushort2half_rz(static_cast<unsigned short>(x)));
  row[6] = __half_as_ushort(__ushort2half_ru(static_cast<unsigned short>(x)));
  row[7] = __half_as_ushort(__ushort2half_rd(static_cast<unsigned short>(x)));
  row[8] = __half_as_ushort(__int2half_rn(static_cast<int>(x)));
  row[9] = __half_as_ushort(__int2half_rz(static_cast<int>(x)));
  row[10] = __half_as_ushort(__int2half_ru(static_cast<int>(x)));
  row[11] = __half_as_ushort(__int2half_rd(static_cast<int>(x)));
  row[12] = __half_as_ushort(__uint2half_rn(static_cast<unsigned>(x)));
  row[13] = __half_as_ushort(__uint2half_rz(static_cast<unsigned>(x)));
  row[14] = __half_as_ushort(__uint2half_ru(static_cast<unsigned>(x)));
  row[15] = __half_as_ushort(__uint2half_rd(static_cast<unsigned>(x)));
  row[16] = __half_as_ushort(__ll2half_rn(static_cast<long long>(x)));
  row[17] = __half_as_ushort(__ll2half_rz(static_cast<long long>(x)));
  row[18] = __half_as_ushort(__ll2half_ru(static_cast<long long>(x)));
  row[19] = __half_as_ushort(__ll2half_rd(static_cast<long long>(x)));
  row[20] = __half_as_ushort(__ull2half_rn(x));
  row[21] = __half_as_ushort(__ull2half_rz(x));
  row[22] = __half_as_ushort(__ull2half_ru(x));
  row[23] = __half_as_ushort(__ull2half_rd(x));
}

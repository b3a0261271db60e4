// Only infinities and NaNs leave the range of 32 bits; 16 bits saturate at +-32768 and, unsigned, at 0.
#include <cuda_fp16.h>

extern "C" __global__ void halfToIntRounding(const unsigned short* in, unsigned long long* out) {
  __half x = __ushort_as_half(in[threadIdx.x]);
  unsigned long long* row = out + threadIdx.x * 24;
  row[0] = static_cast<unsigned short>(__half2short_rn(x));
  row[1] = static_cast<unsigned short>(__half2short_rz(x));
  row[2] = static_cast<unsigned short>(__half2short_ru(x));
  row[3] = static_cast<unsigned short>(__half2short_rd(x));
  row[4] = __half2ushort_rn(x);
  row[5] = __half2ushort_rz(x);
  row[6] = __half2ushort_ru(x);
  row[7] = __half2ushort_rd(x);
  row[8] = static_cast<unsigned>(__half2int_rn(x));
  row[9] = static_cast<unsigned>(__half2int_rz(x));
  row[10] = static_cast<unsigned>(__half2int_ru(x));
  row[11] = static_cast<unsigned>(__half2int_rd(x));
  row[12] = __half2uint_rn(x);
  row[13] = __half2uint_rz(x);
  row[14] = __half2uint_ru(x);
  row[15] = __half2uint_rd(x);
  row[16] = static_cast<unsigned long long>(__half2ll_rn(x));
  row[17] = static_cast<unsigned long long>(__half2ll_rz(x));
  row[18] = static_cast<unsigned long long>(__half2ll_ru(x));
  row[19] = static_cast<unsigned long long>(__half2ll_rd(x));
  row[20] = __half2ull_rn(x);
  row[21] = __half2ull_rz(x);
  row[22] = __half2ull_ru(x);
  row[23] = __half2ull_rd(x);
}

// Out of range saturates; a NaN gives 0 in 32 bits and the top bit in 64 (PTX manual, cvt).
extern "C" __global__ void floatToIntRounding(const float* in, unsigned long long* out) {
  int t = threadIdx.x;
  float x = in[t];
  unsigned long long* row = out + t * 16;
  row[0] = static_cast<unsigned>(__float2int_rn(x));
  row[1] = static_cast<unsigned>(__float2int_rz(x));
  row[2] = static_cast<unsigned>(__float2int_ru(x));
  row[3] = static_cast<unsigned>(__float2int_rd(x));
  row[4] = __float2uint_rn(x);
  row[5] = __float2uint_rz(x);
  row[6] = __float2uint_ru(x);
  row[7] = __float2uint_rd(x);
  row[8] = static_cast<unsigned long long>(__float2ll_rn(x));
  row[9] = static_cast<unsigned long long>(__float2ll_rz(x));
  row[10] = static_cast<unsigned long long>(__float2ll_ru(x));
  row[11] = static_cast<unsigned long long>(__float2ll_rd(x));
  row[12] = __float2ull_rn(x);
  row[13] = __float2ull_rz(x);
  row[14] = __float2ull_ru(x);
  row[15] = __float2ull_rd(x);
}

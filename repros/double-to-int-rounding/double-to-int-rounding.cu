// Out of range saturates; a NaN gives the top bit (PTX manual, cvt).
extern "C" __global__ void doubleToIntRounding(const double* in, unsigned long long* out) {
  int t = threadIdx.x;
  double x = in[t];
  unsigned long long* row = out + t * 16;
  row[0] = static_cast<unsigned>(__double2int_rn(x));
  row[1] = static_cast<unsigned>(__double2int_rz(x));
  row[2] = static_cast<unsigned>(__double2int_ru(x));
  row[3] = static_cast<unsigned>(__double2int_rd(x));
  row[4] = __double2uint_rn(x);
  row[5] = __double2uint_rz(x);
  row[6] = __double2uint_ru(x);
  row[7] = __double2uint_rd(x);
  row[8] = static_cast<unsigned long long>(__double2ll_rn(x));
  row[9] = static_cast<unsigned long long>(__double2ll_rz(x));
  row[10] = static_cast<unsigned long long>(__double2ll_ru(x));
  row[11] = static_cast<unsigned long long>(__double2ll_rd(x));
  row[12] = __double2ull_rn(x);
  row[13] = __double2ull_rz(x);
  row[14] = __double2ull_ru(x);
  row[15] = __double2ull_rd(x);
}

struct Flags {
  unsigned low : 1;
  int sign : 1;
};

// To bool: whether it differs from zero. To one bit of an integer: the lowest bit of the integer.
extern "C" __global__ void floatToBool(const float* in, const double* wide, unsigned* out) {
  int t = threadIdx.x;
  float x = in[t];
  double y = wide[t];
  Flags flags;
  flags.low = __float2int_rz(x);
  flags.sign = __float2int_rz(x);
  bool single = static_cast<bool>(x), twice = static_cast<bool>(y);
  unsigned* row = out + t * 8;
  row[0] = single;
  row[1] = twice;
  row[2] = flags.low;
  row[3] = static_cast<unsigned>(flags.sign);
  row[4] = __float2uint_rz(x) & 1u;
  row[5] = static_cast<unsigned>(__double2int_rz(y)) << 31 >> 31;
  row[6] = single != twice;
  row[7] = !x + 2u * !y;
}

// The high half has other operands than the low one. NaNs are made one and the same; where a clamp may leave
// either zero, so are zeros.
#define PACKED2(instruction, a, b)                                                                           \
  [](unsigned x, unsigned y) {                                                                               \
    unsigned r;                                                                                              \
    asm(instruction ".f16x2 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));                                        \
    return r;                                                                                                \
  }(a, b)
#define PACKED3(instruction, a, b, c)                                                                        \
  [](unsigned x, unsigned y, unsigned z) {                                                                   \
    unsigned r;                                                                                              \
    asm(instruction ".f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));                            \
    return r;                                                                                                \
  }(a, b, c)

__device__ unsigned canonical(unsigned half, bool clamped) {
  if ((half & 0x7fff) > 0x7c00) return 0x7e00;
  return clamped && half == 0x8000 ? 0 : half;
}

__device__ unsigned both(unsigned pair, bool clamped) {
  return canonical(pair >> 16, clamped) << 16 | canonical(pair & 0xffff, clamped);
}

__device__ unsigned relu(unsigned half) {
  return half >> 15 && (half & 0x7fff) <= 0x7c00 ? 0 : half;
}

extern "C" __global__ void half2Arith(const unsigned short* in, unsigned* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = in[t & 31] | in[t >> 5] << 16, b = in[t >> 5] | in[(t + 5) & 31] << 16;
  unsigned c = in[(t * 7 + (t >> 5)) & 31] | in[t >> 3 & 31] << 16;
  unsigned* row = out + t * 9;
  row[0] = both(PACKED2("add.rn", a, b), false);
  row[1] = both(PACKED2("sub.rn", a, b), false);
  row[2] = both(PACKED2("mul.rn", a, b), false);
  row[3] = both(PACKED3("fma.rn", a, b, c), false);
  row[4] = both(PACKED2("add.rn.sat", a, b), true);
  row[5] = both(PACKED2("mul.rn.sat", a, b), true);
  row[6] = both(PACKED3("fma.rn.sat", a, b, c), true);
#if __CUDA_ARCH__ >= 800
  row[7] = both(PACKED3("fma.rn.relu", a, b, c), true);
#else
  unsigned sum = PACKED3("fma.rn", a, b, c);
  row[7] = both(relu(sum >> 16) << 16 | relu(sum & 0xffff), true);
#endif
  row[8] = both(PACKED2("add.rn.ftz", a, b), false);
}

// Structs of 3, 5, 6 and 12 bytes copied, chosen between, kept in local and shared arrays and returned by value.
struct Three {
  unsigned char a, b, c;
};
struct __align__(1) Five {
  unsigned char tag, word[4];
};
struct Six {
  unsigned short a, b, c;
};
struct Twelve {
  int a;
  short b;
  signed char c;
  int d;
};

__device__ __noinline__ Six turned(Six s, unsigned by) {
  if (by & 1) return Six{s.b, s.c, s.a};
  s.a = (unsigned short)(s.a + by);
  return s;
}

extern "C" __global__ void struct_copy_small(const Three* x, const Five* y, const Six* z, const Twelve* w, const unsigned* n,
                                             Three* ox, Five* oy, Six* oz, Twelve* ow) {
  __shared__ Three threes[64];
  __shared__ Five fives[64];
  unsigned t = threadIdx.x, k = n[t];
  threes[t] = x[t];
  fives[63 - t] = y[t];
  Six sixes[4] = {z[t], z[t ^ 1], turned(z[t], k), Six{1, 2, 3}};
  sixes[k & 3].b ^= 0x8001;
  Twelve twelve = w[t];
  twelve.d = 77; // padding goes with neither: it is not written
  __syncthreads();
  Three three = k & 4 ? threes[k & 63] : threes[t];
  three.b = threes[(t + 1) & 63].c;
  ox[t] = three;
  oy[t] = fives[k & 63];
  oz[t] = turned(sixes[k >> 2 & 3], k >> 4);
  ow[t].a = k & 8 ? twelve.b : twelve.a;
  ow[t].b = (short)(twelve.c * 256);
  ow[t].c = (signed char)(twelve.b >> 4);
  ow[t].d = twelve.d + twelve.c;
}

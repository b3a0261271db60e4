// The copy that the callee takes the address of must be placed and aligned as its type says.
struct Three {
  unsigned char byte[3];
};
struct Twelve {
  unsigned word[3];
};
struct Mixed {
  unsigned char byte[5];
  unsigned short half[3];
  unsigned long long wide;
};

__device__ __noinline__ unsigned readThree(Three s, int i) {
  return (&s)->byte[i % 3];
}

__device__ __noinline__ unsigned readTwelve(int i, Twelve s) {
  const unsigned* words = s.word;
  s.word[(i + 1) % 3] += 5;
  return words[i % 3] ^ words[(i + 1) % 3];
}

__device__ __noinline__ unsigned readMixed(Mixed s, int i, Three t) {
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(&s.wide);
  unsigned half = s.half[i % 3];
  return bytes[i % 8] | s.byte[i % 5] << 8 | (half << 16 ^ t.byte[(i + 2) % 3]);
}

extern "C" __global__ void byvalStructAddress(const unsigned* in, unsigned* out) {
  int t = threadIdx.x;
  unsigned x = in[t];
  unsigned char a = x, b = x >> 8, c = x >> 16, d = x >> 24;
  Three three = {{a, b, c}};
  Twelve twelve = {{x, ~x, x * 3}};
  Mixed mixed = {{d, c, b, a, 9},
                 {static_cast<unsigned short>(x), static_cast<unsigned short>(x >> 16), 7},
                 static_cast<unsigned long long>(x) * 0x100000001ull + 0x0123456789abcdefull};
  out[t * 4] = readThree(three, t);
  out[t * 4 + 1] = readTwelve(t, twelve);
  out[t * 4 + 2] = readMixed(mixed, t, three);
  out[t * 4 + 3] = readThree(three, t + 1) + twelve.word[1] + mixed.byte[2];
}

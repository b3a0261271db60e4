// Padding lies after every member but one: copies may skip it or not, the members must come along.
struct Inner {
  unsigned short half;
  unsigned char byte;
};
struct Padded {
  signed char first;
  int word;
  Inner inner[2];
  unsigned char flag;
  unsigned long long wide;
  bool odd;
};

__device__ __noinline__ void stir(Padded& a, Padded& b, unsigned i) {
  Padded keep = a;
  a.inner[i % 2] = b.inner[(i + 1) % 2];
  a.wide += keep.word;
  b.first = static_cast<signed char>(b.first ^ keep.flag);
  b.odd = !keep.odd;
  b.word = static_cast<int>(static_cast<unsigned>(keep.word) * 3u);
}

extern "C" __global__ void structLocalPadding(const unsigned* in, unsigned rounds, unsigned long long* out) {
  unsigned t = threadIdx.x, x = in[t];
  Padded item[6];
  for (unsigned i = 0; i < 6; ++i) {
    unsigned v = x * (2 * i + 1);
    item[i] = {static_cast<signed char>(v),
               static_cast<int>(v >> 3),
               {{static_cast<unsigned short>(v >> 5), static_cast<unsigned char>(v >> 7)},
                {static_cast<unsigned short>(v >> 11), static_cast<unsigned char>(v >> 13)}},
               static_cast<unsigned char>(v >> 17),
               v * 0x100000001ull,
               (v & 0x100) != 0};
  }
  for (unsigned r = 0; r < rounds; ++r) {
    unsigned a = (x >> r) % 6, b = (a + 1 + (x >> (r + 3)) % 5) % 6;
    Padded keep = item[a];
    item[a] = item[b];
    item[b] = keep;
    stir(item[a], item[(b + r) % 6 == a ? b : (b + r) % 6], r);
  }
  const Padded& p = item[x % 6];
  out[t * 5] = static_cast<unsigned long long>(static_cast<long long>(p.first));
  out[t * 5 + 1] = static_cast<unsigned>(p.word);
  out[t * 5 + 2] = p.inner[0].half | p.inner[0].byte << 16 |
                   static_cast<unsigned long long>(p.inner[1].half | p.inner[1].byte << 16) << 32;
  out[t * 5 + 3] = p.wide;
  out[t * 5 + 4] = p.flag * 2u + p.odd;
}

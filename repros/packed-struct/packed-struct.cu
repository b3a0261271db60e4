// 18 bytes without padding: every member's access is made of bytes, which the compiler may join only if it
// can prove the alignment.
struct __attribute__((packed)) Packed {
  signed char small;
  unsigned long long wide;
  unsigned short bits : 11;
  unsigned short rest : 5;
  int word;
  unsigned char tail[3];
};

extern "C" __global__ void packedStruct(const unsigned char* in, unsigned char* out) {
  int t = threadIdx.x;
  Packed p = *reinterpret_cast<const Packed*>(in + t % 16);
  const Packed& next = *reinterpret_cast<const Packed*>(in + t % 16 + 1);
  p.small = static_cast<signed char>(p.small + next.small);
  p.wide ^= next.wide >> 1;
  p.bits = p.bits + next.rest;
  p.rest = next.bits >> 3;
  p.word = p.word < 0 ? next.word : ~p.word;
  unsigned char first = p.tail[0];
  p.tail[0] = p.tail[2];
  p.tail[2] = first;
  *reinterpret_cast<Packed*>(out + t * 32 + t / 16) = p;
}

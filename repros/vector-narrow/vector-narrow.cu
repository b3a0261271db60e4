// Elements of wide vectors become elements of narrow ones, so a store may take a part of a register that is
// live whole.
extern "C" __global__ void vectorNarrow(const unsigned* in, unsigned char* out) {
  int t = threadIdx.x;
  uint4 v = reinterpret_cast<const uint4*>(in)[t];
  ulonglong2 w = reinterpret_cast<const ulonglong2*>(in)[t];
  ushort4 h = reinterpret_cast<const ushort4*>(in)[t * 2];
  char4 c = reinterpret_cast<const char4*>(in)[t * 4 + 3];
  unsigned char* row = out + t * 48;
  *reinterpret_cast<ulonglong2*>(row) = make_ulonglong2(w.y + v.x, w.x - v.w);
  *reinterpret_cast<ushort4*>(row + 16) =
      make_ushort4(static_cast<unsigned short>(v.y), h.w, static_cast<unsigned short>(w.y >> 48), h.x + 1);
  *reinterpret_cast<char4*>(row + 24) =
      make_char4(static_cast<signed char>(v.x), c.z, static_cast<signed char>(h.y >> 8), c.x);
  *reinterpret_cast<uchar2*>(row + 28) =
      make_uchar2(static_cast<unsigned char>(v.z), static_cast<unsigned char>(w.x >> 32));
  *reinterpret_cast<short*>(row + 30) = static_cast<short>(c.y * c.w);
  *reinterpret_cast<uint2*>(row + 32) = make_uint2(v.z ^ c.w, h.z);
  *reinterpret_cast<ushort2*>(row + 40) = make_ushort2(static_cast<unsigned short>(v.x + v.y), h.y ^ h.z);
  row[44] = c.x;
  row[45] = static_cast<unsigned char>(h.x);
  row[46] = static_cast<unsigned char>(v.y);
  row[47] = static_cast<unsigned char>(v.y >> 8);
}

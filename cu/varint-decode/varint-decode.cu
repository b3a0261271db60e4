// A thread decodes up to six integers from its own 40 bytes: odd ones are zigzag. An integer that ends
// neither within ten bytes nor within the 40 stops the thread. used: bytes read by whole integers, and how
// many those were.
extern "C" __global__ void varint_decode(const unsigned char* __restrict__ stream,
                                         unsigned long long* __restrict__ out, uint2* __restrict__ used) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned char *begin = stream + 40 * t, *end = begin + 40, *at = begin;
  unsigned count = 0;
  while (count < 6) {
    unsigned long long value = 0;
    const unsigned char* next = at;
    bool whole = false;
    for (int shift = 0; shift < 70 && next < end; shift += 7) {
      unsigned char byte = *next++;
      value |= static_cast<unsigned long long>(byte & 0x7f) << shift;
      if (byte < 0x80) {
        whole = true;
        break;
      }
    }
    if (!whole) break;
    if (count % 2) value = value >> 1 ^ (0 - (value & 1));
    out[6 * t + count++] = value;
    at = next;
  }
  used[t] = make_uint2(static_cast<unsigned>(at - begin), count);
}

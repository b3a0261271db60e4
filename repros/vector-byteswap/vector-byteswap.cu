// The slot is four 64-bit words; its lower half is seen as a uint4. Every change of view goes through memcpy.
struct Slot {
  unsigned long long word[4];
};

__device__ uint4 view(const Slot& slot) {
  uint4 v;
  memcpy(&v, &slot, sizeof v);
  return v;
}

__device__ unsigned swapped(unsigned v) {
  return __byte_perm(v, 0, 0x0123);
}

extern "C" __global__ void vectorByteswap(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) Slot slots[32];
  int t = threadIdx.x;
  Slot& slot = slots[t];
  uint4 first = reinterpret_cast<const uint4*>(in)[t];
  memcpy(&slot, &first, sizeof first);
  slot.word[2] = slot.word[0] + t;
  slot.word[3] = slot.word[1] ^ slot.word[2];
  uint4 v = view(slot);
  v.x = swapped(v.x);
  v.y = swapped(v.y);
  v.z = swapped(v.z);
  v.w = swapped(v.w);
  memcpy(&slot, &v, sizeof v);
  __syncwarp();
  const Slot& other = slots[t ^ 1];
  for (int i = 0; i < 4; ++i) {
    out[t * 8 + 2 * i] = static_cast<unsigned>(other.word[i]);
    out[t * 8 + 2 * i + 1] = static_cast<unsigned>(other.word[i] >> 32);
  }
}

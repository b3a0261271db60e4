// A slot of 64-bit words in shared memory, swapped in place through a pointer to another vector type; with
// COPY, through a copy.
__device__ unsigned swapped(unsigned v) {
  return __byte_perm(v, 0, 0x0123);
}

extern "C" __global__ void vectorByteswapAlias(const unsigned long long* in, unsigned long long* out) {
  __shared__ ulonglong4 slots[32];
  int t = threadIdx.x;
  ulonglong4* slot = &slots[t];
  slot->x = in[2 * t];
  slot->y = in[2 * t + 1];
#ifdef COPY
  uint4 copy;
  memcpy(&copy, slot, sizeof copy);
  uint4* words = &copy;
#else
  uint4* words = reinterpret_cast<uint4*>(slot);
#endif
  words->x = swapped(words->x);
  words->y = swapped(words->y);
  words->z = swapped(words->z);
  words->w = swapped(words->w);
#ifdef COPY
  memcpy(slot, &copy, sizeof copy);
#endif
  out[2 * t] = slot->x;
  out[2 * t + 1] = slot->y;
}

// Eight shorts from an odd index on are read as one 16-byte vector, which must be aligned to 16 bytes.
extern "C" __global__ void misalignedVector(const short* in, short* out) {
  int t = threadIdx.x;
  const short* from = in + 8 * t + 1;
  *reinterpret_cast<uint4*>(out + 8 * t) = *reinterpret_cast<const uint4*>(from);
}

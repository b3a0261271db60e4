// A shared array of shorts, written singly, read as 16-byte vectors from an index that the caller gives.
extern "C" __global__ void misalignedShared(const short* in, short* out, int first) {
  __shared__ short row[264];
  int t = threadIdx.x;
  for (int i = t; i < 264; i += 32)
    row[i] = in[i];
  __syncwarp();
  *reinterpret_cast<uint4*>(out + 8 * t) = *reinterpret_cast<const uint4*>(row + first + 8 * t);
}

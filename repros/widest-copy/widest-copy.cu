// Thread t copies 33 + t % 5 bytes from offset t % 16 to offset (t / 16) of its own 64 bytes.
template <typename T>
__device__ int copyWhile(unsigned char* to, const unsigned char* from, int done, int length) {
  int size = sizeof(T);
  for (; done + size <= length; done += size)
    *reinterpret_cast<T*>(to + done) = *reinterpret_cast<const T*>(from + done);
  return done;
}

extern "C" __global__ void widestCopy(const unsigned char* in, unsigned char* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, length = 33 + t % 5, done = 0;
  const unsigned char* from = in + t % 16;
  unsigned char* to = out + t * 64 + t / 16;
  unsigned skew = static_cast<unsigned>(reinterpret_cast<unsigned long long>(from) ^
                                        reinterpret_cast<unsigned long long>(to));
  while (done < length && (reinterpret_cast<unsigned long long>(to + done) & 15) != 0) {
    to[done] = from[done];
    ++done;
  }
  if ((skew & 15) == 0) done = copyWhile<uint4>(to, from, done, length);
  if ((skew & 7) == 0) done = copyWhile<unsigned long long>(to, from, done, length);
  if ((skew & 3) == 0) done = copyWhile<unsigned>(to, from, done, length);
  if ((skew & 1) == 0) done = copyWhile<unsigned short>(to, from, done, length);
  copyWhile<unsigned char>(to, from, done, length);
}

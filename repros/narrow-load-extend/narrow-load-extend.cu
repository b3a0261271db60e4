// Thread t loads at offset t rounded down to the width's alignment.
template <typename T> __device__ long long at(const unsigned char* base, int offset) {
  const int kSize = sizeof(T);
  T value;
  memcpy(&value, __builtin_assume_aligned(base + offset / kSize * kSize, kSize), kSize);
  return static_cast<long long>(value);
}

extern "C" __global__ void narrowLoadExtend(const unsigned char* in, long long* out) {
  __shared__ __align__(16) unsigned char shared[72];
  __align__(16) unsigned char local[72];
  int t = threadIdx.x;
  shared[t] = in[t];
  if (t < 8) shared[64 + t] = in[64 + t];
  __syncthreads();
  for (int i = 0; i < 72; ++i)
    local[i] = in[(i + t) % 72];
  long long* row = out + t * 9;
  row[0] = at<signed char>(in, t);
  row[1] = at<unsigned char>(in, t + 1);
  row[2] = at<short>(in, t + 2);
  row[3] = at<unsigned short>(shared, t + 3);
  row[4] = at<int>(shared, t + 4);
  row[5] = at<unsigned>(in, t + 5);
  row[6] = at<long long>(in, t + 6);
  row[7] = at<signed char>(shared, t + 7) ^ at<short>(shared, t) * 1048576;
  row[8] = at<short>(local, static_cast<int>(in[t]) % 64) + at<int>(local, t) + at<signed char>(local, t + 8);
}

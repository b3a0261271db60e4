// What tensor libraries launch for a copy between layouts: the sizes and strides are a structure by value, indexed in a
// loop whose length is only known at run time.
struct StridedCopy {
  const unsigned short* in;
  unsigned short* out;
  unsigned char dims;
  int size[4];
  long long inStride[4];
  int outStride[4];
};

extern "C" __global__ void strided_copy(StridedCopy copy, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long from = 0;
  int to = 0;
  for (int d = copy.dims - 1; d >= 0; --d) {
    int at = i % copy.size[d];
    i /= copy.size[d];
    from += at * copy.inStride[d];
    to += at * copy.outStride[d];
  }
  copy.out[to] = copy.in[from];
}

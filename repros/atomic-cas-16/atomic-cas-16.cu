// 16-bit compare-and-swap on halves and bytes of words that neighbours change at the same time: loops until it
// succeeds, so that the end does not depend on the order.
__device__ unsigned short cas16(unsigned short* p, unsigned short expected, unsigned short wanted) {
  return atomicCAS(p, expected, wanted);
}

__device__ void add8(unsigned char* base, unsigned at, unsigned char v) { // one byte of a half
  unsigned short* half = reinterpret_cast<unsigned short*>(base) + at / 2;
  unsigned shift = at % 2 * 8;
  unsigned short old = *reinterpret_cast<volatile unsigned short*>(half), seen;
  do {
    seen = old;
    unsigned short byte = (unsigned short)(((seen >> shift) + v) & 0xff);
    old = cas16(half, seen, (unsigned short)((seen & ~(0xff << shift)) | byte << shift));
  } while (old != seen);
}

extern "C" __global__ void atomic_cas_16(const unsigned short* x, unsigned short* cells, unsigned char* sums, unsigned short* out) {
  __shared__ unsigned short block[8];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  unsigned short v = x[i];
  if (t < 8) block[t] = 0x7ff8;
  __syncthreads();
  unsigned short before = cas16(cells + i, 0x8000, v); // each its own; neighbours share a word
  out[i * 2] = before;
  out[i * 2 + 1] = cas16(cells + i, v, (unsigned short)(v + before));
  add8(sums, v % 6, (unsigned char)(v >> 3));
  unsigned short seen, old = block[v & 7];
  do { // largest, as signed
    seen = old;
    short most = (short)seen > (short)v ? (short)seen : (short)v;
    old = cas16(&block[v & 7], seen, (unsigned short)most);
  } while (old != seen);
  __syncthreads();
  if (t < 8) cells[gridDim.x * blockDim.x + blockIdx.x * 8 + t] = block[t];
}

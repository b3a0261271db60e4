// Eleven cells a block, in shared memory or (without SPACE) in the output. Additions carry from the low word
// to the high.
using Wide = unsigned long long;

extern "C" __global__ void atomicU64(const Wide* in, Wide* out) {
  unsigned t = threadIdx.x;
  Wide x = in[blockIdx.x * 128 + t];
#ifdef SPACE
  SPACE Wide cell[11];
#else
  Wide* cell = out + blockIdx.x * 11;
#endif
  if (t < 11) cell[t] = t == 1 || t == 3 ? ~0ull : t == 5 ? ~0ull >> 1 : t == 9 ? 1 : 0;
  __syncthreads();
  atomicAdd(&cell[0], x);
  atomicAnd(&cell[1], x | 0xff00ff00ff00ff00ull);
  atomicOr(&cell[2], x & 0x55550000f0f0ull);
  atomicMin(&cell[3], x | 4);
  atomicMax(&cell[4], x & ~1ull);
  atomicMin(reinterpret_cast<long long*>(&cell[5]), static_cast<long long>(x ^ 2));
  atomicMax(reinterpret_cast<long long*>(&cell[6]), static_cast<long long>(x - 3));
  atomicXor(&cell[7], x * 5);
  atomicAdd(&cell[10], atomicExch(&cell[8], x));
  for (Wide old = cell[9], seen; (seen = atomicCAS(&cell[9], old, old * (2 * x + 1))) != old;)
    old = seen;
  __syncthreads();
  if (t == 0) {
    cell[10] += cell[8];
    cell[8] = 0;
  }
  __syncthreads();
  if (t < 11) out[blockIdx.x * 11 + t] = cell[t];
}

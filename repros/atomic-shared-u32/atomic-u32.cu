// Sixteen cells a block, in shared memory or (without SPACE) in the output. What depends on the order is
// summed, or is a ticket that exactly one lane gets.
extern "C" __global__ void atomicU32(const unsigned* in, unsigned* out, unsigned* tickets) {
  unsigned t = threadIdx.x, x = in[blockIdx.x * 128 + t];
#ifdef SPACE
  SPACE unsigned cell[16];
#else
  unsigned* cell = out + blockIdx.x * 16;
#endif
  if (t < 16) cell[t] = t == 2 || t == 4 || t == 6 ? ~0u >> (t == 4) : t == 12 || t == 13 ? 1 : 0;
  __syncthreads();
  atomicAdd(&cell[0], x);
  atomicSub(&cell[1], x * 3);
  atomicAnd(&cell[2], x | 0xff00ff00u);
  atomicOr(&cell[3], x & 0x5555f0f0u);
  atomicMin(reinterpret_cast<int*>(&cell[4]), static_cast<int>(x ^ 2));
  atomicMax(reinterpret_cast<int*>(&cell[5]), static_cast<int>(x - 3));
  atomicMin(&cell[6], x | 4);
  atomicMax(&cell[7], x & ~1u);
  atomicXor(&cell[8], x * 5);
  atomicInc(&cell[9], 36);
  atomicDec(&cell[10], 20);
  atomicAdd(&cell[15], atomicExch(&cell[11], x));
  for (unsigned old = cell[12], seen; (seen = atomicCAS(&cell[12], old, old * (2 * x + 1))) != old;)
    old = seen;
  unsigned ticket = x & 8 ? atomicAdd(&cell[14], 1) : atomicInc(&cell[14], 1000);
  tickets[blockIdx.x * 128 + ticket] = ticket ^ 0x1234;
  atomicAdd(&cell[13], atomicOr(&cell[13], 0) == 0);
  __syncthreads();
  if (t == 0) {
    cell[15] += cell[11];
    cell[11] = 0;
  }
  __syncthreads();
  if (t < 16) out[blockIdx.x * 16 + t] = cell[t];
}

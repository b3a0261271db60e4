// Device functions through tables in constant memory: indexed by lanes, by the block, and one that calls another table.
typedef unsigned (*Step)(unsigned, unsigned);

__device__ unsigned plus(unsigned a, unsigned b) { return a + b; }
__device__ unsigned times(unsigned a, unsigned b) { return a * b + 1; }
__device__ unsigned turned(unsigned a, unsigned b) { return a << (b & 31) | a >> (-b & 31); }
__device__ unsigned deep(unsigned a, unsigned b);

struct Entry {
  Step step;
  unsigned char bias;
};

__constant__ Step steps[4] = {plus, times, turned, deep};
__constant__ Entry entries[3] = {{turned, 7}, {plus, 255}, {times, 0}};

__device__ __noinline__ unsigned deep(unsigned a, unsigned b) {
  unsigned scratch[4] = {a, b, a ^ b, 9};
  if (b == 0) return scratch[a & 3];
  const Entry& e = entries[b % 3];
  return e.step(scratch[b & 3], e.bias) + steps[b & 3](a, b >> 4); // ends: b shrinks
}

extern "C" __global__ void call_constant_table(const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 3;
  unsigned a = x[i], b = y[i] & 0xffff;
  o[0] = steps[i & 3](a, b);
  o[1] = entries[(a >> 3) % 3].step(b, entries[blockIdx.x].bias);
  Step chosen = a & 1 ? steps[blockIdx.x] : entries[b % 3].step;
  o[2] = chosen(a, b) ^ steps[3](a, b & 0xff);
}

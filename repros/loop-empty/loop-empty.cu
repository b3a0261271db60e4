// Counted loops without a body, with a body that is dead, and with bounds that let them run zero times.
extern "C" __global__ void loop_empty(const int* n, const unsigned* x, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 7;
  int count = n[i], left = count & 15, k = 0;
  unsigned v = x[i], dead = v, sum = 0;
  for (k = 0; k < count; ++k)
    dead = dead * 3 + 1;
  o[0] = k;
  for (k = count; k > 0; --k)
    asm volatile("");
  o[1] = k;
  while (left != 0) {
    --left;
    if (left == 1000) sum += dead;
  }
  o[2] = left + sum;
  for (k = 5; k < count; k += 2)
    sum += v;
  o[3] = sum;
  o[4] = k;
  unsigned steps = 0;
  for (unsigned j = v & 7; j != 0 && j < 100; j *= 2)
    ++steps;
  o[5] = steps;
  do
    ++steps;
  while ((int)steps < count);
  o[6] = steps;
}

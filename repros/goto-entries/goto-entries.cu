// A loop with three entrances, nested into a loop whose back edge leads into its middle: none of the headers
// dominates its loop.
extern "C" __global__ void goto_entries(const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 4;
  unsigned v = x[i], turns = y[i] & 15, a = v, b = 1, c = 0, rounds = 0;
  if ((v & 3) == 1) goto second;
  if ((v & 3) == 2) goto third;
first:
  a = a * 5 + b;
  if (turns == 0) goto done;
  --turns;
second:
  b ^= a >> 3;
  if (b & 1) goto first;
third:
  c += b + turns;
  if (turns == 0) goto done;
  --turns;
  if (c & 2) goto second;
  if (a & 4) goto first;
  goto third;
done:
  if (++rounds < (v >> 30) + 1) {
    turns = (a ^ b) & 7;
    if (rounds & 1) goto third;
    goto second;
  }
  o[0] = a;
  o[1] = b;
  o[2] = c;
  o[3] = rounds * 256 + turns;
}

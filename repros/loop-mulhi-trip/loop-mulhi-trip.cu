// Trip counts by division by a constant (a multiply-high) and by mul.hi itself, loops with strides.
extern "C" __global__ void loop_mulhi_trip(const unsigned* n, const unsigned* x, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 5;
  unsigned count = n[i], v = x[i], a = 0, b = v, c = 0, trips = __umulhi(count << 24, 0x24924925);
  for (unsigned k = 0; k < count / 7; ++k)
    a = a * 5 + k;
  for (unsigned k = 0; k < trips % 8; ++k)
    b = b << 1 | b >> 31;
  for (unsigned k = 0; k + 3 <= count; k += 3)
    c += k ^ v;
  int d = 0, s = (int)count - 100;
  for (int k = s / 10; k < 0; ++k)
    d -= k;
  o[0] = a;
  o[1] = b;
  o[2] = c;
  o[3] = (unsigned)d;
  o[4] = trips;
}

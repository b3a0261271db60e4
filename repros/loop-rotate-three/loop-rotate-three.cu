// Three values change places in every turn of loops unrolled by 5, 2 and 3: the phases do not line up.
extern "C" __global__ void loop_rotate_three(const unsigned* n, const unsigned* x, const unsigned* y, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 9;
  unsigned count = n[i] & 31, a = x[i], b = y[i], c = a ^ ~b;
#pragma unroll 5
  for (unsigned k = 0; k < count; ++k) {
    unsigned t = a;
    a = b;
    b = c;
    c = t;
  }
  o[0] = a;
  o[1] = b;
  o[2] = c;
  bool odd = false;
#pragma unroll 2
  for (unsigned k = 0; k < count; ++k) { // every third place, and only in odd turns
    unsigned t = a + k;
    if (odd) {
      a = c;
      c = b - t;
    }
    b = odd ? t : b;
    odd = !odd;
  }
  o[3] = a;
  o[4] = b;
  o[5] = c;
  unsigned before = 0, older = 1;
#pragma unroll 3
  for (unsigned k = count; k != 0; --k) { // the value of two turns before lives on
    unsigned now = before ^ (older << 3 | older >> 29);
    older = before;
    before = now + (k & a);
    if (now == 8 * k) break;
  }
  o[6] = before;
  o[7] = older;
  o[8] = odd;
}

// Constant memory through 8- and 16-bit indices that wrap, run backwards, come from shifts, and are the same in all lanes.
__constant__ unsigned short squares[256 + 16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
__constant__ unsigned char bytes[19] = {1, 2, 4, 8, 16, 32, 64, 128, 0xff, 0x7f, 0x80, 9, 99, 199, 200, 201, 202, 203, 204};
__constant__ uint4 quads[5] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {~0u, 0, ~0u, 0}, {0x80000000u, 1, 2, 3}, {9, 9, 9, 10}};
__constant__ double reals[3] = {1.5, -2.25, 1e300};

extern "C" __global__ void constant_index_byte(const unsigned char* x, const signed char* y, unsigned uniform, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* o = out + i * 7;
  unsigned char a = x[i], sum = (unsigned char)(a + 7); // wraps at 256
  signed char b = y[i];
  o[0] = squares[sum] + squares[(unsigned char)(a << 1)] + squares[a & 15];
  o[1] = bytes[9 + (b >> 4)] | bytes[(unsigned char)b >> 4] << 8; // 1 … 16 and 0 … 15
  uint4 q = quads[a % 5];
  o[2] = q.x + q.y * 3 + q.z * 5 + q.w * 7;
  const unsigned* words = &quads[0].x;
  o[3] = words[a % 20] - words[19 - a % 20];
  o[4] = (unsigned)__double2hiint(reals[a % 3]);
  o[5] = bytes[uniform + blockIdx.x] + squares[uniform * 2] * 256 + words[uniform];
  unsigned walk = 0;
  for (unsigned char k = a; k != (unsigned char)(a + 5); ++k) // through 255 to 0
    walk = walk * 3 + squares[k & 31] + bytes[k % 19];
  o[6] = walk;
}

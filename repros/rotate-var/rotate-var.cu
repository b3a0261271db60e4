// Rotates written with shifts and masks, which the compiler may recognise, next to shapes that only look like
// one.
extern "C" __global__ void rotate_var(const unsigned long long* x, const unsigned long long* y, const unsigned* n, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 8;
  unsigned long long v = x[i] ^ y[i], w = y[i];
  unsigned s = n[i] & 63, a = (unsigned)v, b = (unsigned)w;
  o[0] = v << s | v >> (64 - s & 63);
  o[1] = v >> s | w << (64 - s & 63); // two values; one, or-ed with itself, at 0
  o[2] = a << (s & 31) | a >> (32 - s & 31);
  o[3] = (a << (s & 31)) + (a >> (32 - s & 31)); // at 0 no rotate: twice the value
  o[4] = (a << (s & 31)) - (b >> (32 - s & 31));
  unsigned short h = (unsigned short)v;
  unsigned char c = (unsigned char)w;
  o[5] = (unsigned short)(h << (s & 15) | h >> (16 - (s & 15)));
  o[6] = (unsigned char)(c >> (s & 7) | c << (8 - (s & 7)));
  o[7] = (unsigned)((int)a >> (s & 31)) | a << (32 - s & 31); // an arithmetic shift
}

// sad of 16, 32 and 64 bits, signed and unsigned, and the absolute differences in C.
extern "C" __global__ void sad(const unsigned long long* x, const unsigned long long* y, const unsigned long long* z, unsigned long long* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* o = out + i * 7;
  unsigned long long a = x[i], b = y[i], c = z[i], d;
  unsigned a32 = (unsigned)(a ^ a >> 32), b32 = (unsigned)(b ^ b >> 32), r;
  unsigned short h;
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a32), "r"(b32), "r"((unsigned)c));
  o[0] = r;
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a32), "r"(b32), "r"((unsigned)c));
  o[1] = r;
  asm("sad.u16 %0, %1, %2, %3;" : "=h"(h) : "h"((unsigned short)a32), "h"((unsigned short)b32), "h"((unsigned short)c));
  o[2] = h;
  asm("sad.s16 %0, %1, %2, %3;" : "=h"(h) : "h"((unsigned short)a32), "h"((unsigned short)b32), "h"((unsigned short)c));
  o[3] = h;
  asm("sad.u64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "l"(b), "l"(c));
  o[4] = d;
  asm("sad.s64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "l"(b), "l"(c));
  o[5] = d;
  o[6] = (a32 > b32 ? a32 - b32 : b32 - a32) + ((int)a32 > (int)b32 ? a32 - b32 : b32 - a32);
}

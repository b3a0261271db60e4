// cvt between integers of all widths, saturating, from registers that are wider than their type.
extern "C" __global__ void ptxIntegerConvert(const unsigned long long* in, unsigned long long* out) {
  unsigned t = threadIdx.x;
  unsigned long long v = in[t];
  unsigned w = static_cast<unsigned>(v);
  unsigned short h = static_cast<unsigned short>(v);
  unsigned long long* o = out + t * 16;
  asm("cvt.s64.s8 %0, %1;" : "=l"(o[0]) : "r"(w));
  asm("cvt.u64.u8 %0, %1;" : "=l"(o[1]) : "r"(w));
  asm("cvt.s64.s16 %0, %1;" : "=l"(o[2]) : "r"(w));
  asm("cvt.u64.u16 %0, %1;" : "=l"(o[3]) : "l"(v));
  asm("{ .reg .s32 r; cvt.sat.s8.s32 r, %1; cvt.s64.s32 %0, r; }" : "=l"(o[4]) : "r"(w));
  asm("{ .reg .u32 r; cvt.sat.u8.s32 r, %1; cvt.u64.u32 %0, r; }" : "=l"(o[5]) : "r"(w));
  asm("{ .reg .s32 r; cvt.sat.s16.u32 r, %1; cvt.s64.s32 %0, r; }" : "=l"(o[6]) : "r"(w));
  asm("{ .reg .u16 r; cvt.sat.u16.s64 r, %1; cvt.u64.u16 %0, r; }" : "=l"(o[7]) : "l"(v));
  asm("{ .reg .s32 r; cvt.sat.s32.s64 r, %1; cvt.s64.s32 %0, r; }" : "=l"(o[8]) : "l"(v));
  asm("{ .reg .u32 r; cvt.sat.u32.s64 r, %1; cvt.u64.u32 %0, r; }" : "=l"(o[9]) : "l"(v));
  asm("cvt.sat.s64.u64 %0, %1;" : "=l"(o[10]) : "l"(v));
  asm("cvt.sat.u64.s16 %0, %1;" : "=l"(o[11]) : "h"(h));
  asm("{ .reg .u32 r; cvt.u8.u32 r, %1; cvt.u64.u32 %0, r; }" : "=l"(o[12]) : "r"(w));
  asm("{ .reg .s32 r; cvt.s8.s64 r, %1; cvt.s64.s32 %0, r; }" : "=l"(o[13]) : "l"(v));
  asm("{ .reg .s16 r; cvt.sat.s8.u16 r, %1; cvt.s64.s16 %0, r; }" : "=l"(o[14]) : "h"(h));
  asm("{ .reg .u32 r; cvt.sat.u16.s8 r, %1; cvt.u64.u32 %0, r; }" : "=l"(o[15]) : "r"(w));
}

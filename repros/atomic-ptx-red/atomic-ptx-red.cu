// Reductions have no result, so nothing but memory shows whether each lane's was made once, with the right
// operand.
extern "C" __global__ void atomicPtxRed(const unsigned* in, unsigned* cells) {
  unsigned x = in[threadIdx.x];
  asm volatile("{ .reg .pred odd; .reg .u32 low, seen; .reg .u64 wide; .reg .b16 old, new, was;\n"
               "and.b32 low, %1, 1; setp.ne.u32 odd, low, 0;\n"
               "@odd red.global.add.u32 [%0], %1;\n"
               "@!odd red.relaxed.gpu.global.add.s32 [%0+4], -3;\n"
               "@odd red.relaxed.sys.global.and.b32 [%0+8], %1;\n"
               "red.relaxed.cta.global.xor.b32 [%0+12], %1;\n"
               "@!odd red.global.min.s32 [%0+16], %1;\n"
               "red.global.max.s32 [%0+20], %1;\n"
               "@odd red.global.inc.u32 [%0+24], 9;\n"
               "mov.b64 wide, {%1, low};\n"
               "red.global.add.u64 [%0+40], wide;\n"
               "again: ld.volatile.global.u16 old, [%0+34];\n"
               "mad.lo.u16 new, old, 3, 7;\n"
               "atom.global.cas.b16 was, [%0+34], old, new;\n"
               "setp.ne.u16 odd, was, old;\n"
               "@odd bra again;\n"
               "atom.global.or.b32 seen, [%0+28], %1; }" ::"l"(cells),
               "r"(x)
               : "memory");
}

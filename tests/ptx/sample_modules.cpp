#include "tests/ptx/sample_modules.h"

namespace harness::ptx::test {
namespace {

constexpr std::string_view kOld = R"(.version 1.4
.target sm_13, map_f64_to_f32
.target sm_20
.tex .u32 texture;
.global .texref sampled = { channel_order = 3 };
.func (.reg .u32 result) twice (.reg .u32 a, .reg .pred p) { @!p add.u32 result, a, a; ret; }
.extern .func list (.param .b32 n, .param .align 8 .b8 rest[]);
.entry bare { .param .b32 x; exit; }
)";

constexpr std::string_view kData = R"(//
// line comment, then a block /* in it */
/* block
   comment */
.version 9.0
.target sm_100a, debug
.address_size 64
.file 1 "a.cu"
.file 2 "C:\b\", 1700000000, 1234
.pragma "nounroll", "other";
.extern .shared .align 16 .b8 tile[];
.extern .global .b32 elsewhere;
.global .align 4 .u32 matrix[2][3] = { {1, 2}, {4, 5, 6} };
.global .align 4 .u32 sparse[3][2][2] = {{}, {{7}, {8, 9}}};
.visible .global .align 8 .u64 pointers[3] = {generic(matrix)+4, matrix-8, last};
.global .u8 bytes[8] = {0xff(matrix), 0xFF00(generic(matrix)+12), 0xff0000(last), 0, 255U, 1 };
.global .attribute(.managed) .align 4 .u32 managed = WARP_SZ * (2 + 1);
.global .v4 .f32 vector = {1.0, 0f40000000, -.5, 4.0e0};
.global .v2 .u32 pairs[2] = { {1,2}, {3,4} };
.global .f64 third = 1.0 / 3.0;
.const .align 4 .s32 constants[WARP_SZ/8] = { 1 << 3 | 2, -5 % 3, (.s64)7U, 3 > 2 ? 10 : 20 };
.global .b64 extremes[4] = {0x8000000000000000, (.s64)0x8000000000000000, 18446744073709551615, -1};
.weak .global .align 4 .u32 first, second = 5, third_[3];
.common .align 8 .global .u32 common;
.global .texref texture;
.global .surfref surface;
.global .samplerref sampler = { addr_mode_0 = clamp_to_border, filter_mode = nearest };
.func last () { ret; }
.section .debug_info
{
.b8 1, 2 // a comment
.b32 .debug_abbrev
.b64 $L__func_begin0
label: .b32 label+3
}
)";

constexpr std::string_view kCode = R"(.version 8.7
.target sm_90a
.address_size 64
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 vprintf_param_0, .param .b64 vprintf_param_1) ;
.weak .func .attribute(.unified(19,95)) (.param .b32 r) unified (.param .b32 a) .abi_preserve 4;
.visible .func () never (.param .b32 p0, .param .align 8 .b8 p1[16]) .noreturn { trap; }
.func plain;
.func plain { ret; }
.alias alias, plain;
.visible .entry kernel(
  .param .u64 .ptr .global .align 16 out,
  .param .u64 .ptr .align 1 in,
  .param .u64 .ptr .shared tile,
  .param .align 8 .b8 structure[24],
  .param .texref texture
)
.maxntid 32, 2, 1
.minnctapersm 2
.explicitcluster
{
  .reg .pred p, q, %p<10>;
  .reg .b32 %r<10>, a, $b, _c;
  .reg .b64 %rd<10>;
  .reg .v2 .b32 v;
  .shared .align 8 .b64 mbar;
  .pragma "nounroll";
L0: L1:
  .loc 1 5 3
  .loc 1 6 3, function_name $L__info0, inlined_at 1 5 3
  .loc 1 6 3, function_name $L__info0+10, inlined_at 1 5 3
  mov.u32 %r1, %tid.x;
  mov.u64 %rd1, mbar+4;
  ld.global.L1::no_allocate.L2::128B.v2.u32 {%r3, _}, [%rd4+-4];
  ld .global .u32 %r3, [structure+(2*4)]; st.shared.u32 [64], WARP_SZ;
  setp.lt.and.s32 p|q, %r1, -2, !%p1;
  vadd.u32.u32.u32.sat %r1.b0, %r1.b0, %r2.h1, %r3;
  vmad.s32.s32.s32 %r1, -%r1.b0, %r2.h1, %r3;
  mov.u32 v.x, 1; mov.b64 {%r1, %r2}, %rd6;
  // begin inline asm
  { .reg .b32 %r<3>; { mov.u32 %r1, 0b101; mov.u32 %r2, 0777U; } }
  // end inline asm
  @!p bra L0; @q bra.uni L1;
  {
    .param .b32 param0; .param .align 8 .b8 param1[16]; .param .b32 retval0;
    st.param.b32 [param0+0], %r1;
    call.uni (retval0), unified, (param0, param1);
    call (retval0), %rd2, (param0, 5), prototype;
    call plain; call.uni plain, ();
  }
  prototype: .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[16]) .noreturn;
  other : .callprototype ()_ (.param .b64 _);
  branches: .branchtargets L0, L1;
  calls: .calltargets plain, alias;
  brx.idx %r1, branches;
  cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [mbar];
  tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}|p, [texture, {%f1,%f2}];
  elect.sync _|p, -1;
  mov.f32 %f1, 0f3f800000; mov.f64 %fd1, 0d0000000000000000; mov.f64 %fd1, 1.5;
  exit;
}
)";

} // namespace

std::span<const std::string_view> sampleModules() {
  static constexpr std::string_view kAll[] = {kOld, kData, kCode};
  return kAll;
}

} // namespace harness::ptx::test

#include "tests/ptx/fuzz_kernels.h"

namespace harness::ptx::test {
namespace {

constexpr std::string_view kHead = R"(.version 9.0
.target sm_100a
.address_size 64
.extern .shared .align 16 .b8 dyn[];
.shared .align 16 .b8 tile[2048];
.shared .align 8 .b64 bars[4];
.global .align 16 .b32 table[16] = {1, -2, 3, 0x7fffffff, 5, 6, 7, 8};
.global .align 8 .u64 pointers[4] = {generic(table)+8, leaf, recurse, 0xff(table)};
.const .align 8 .f64 numbers[4] = {1.5, -2.0, 0d7FF0000000000000, 1.0 / 3.0};
.func (.param .b32 r) leaf (.param .b32 x)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [x];
  mad.lo.u32 %r2, %r1, 3, 1;
  st.param.u32 [r], %r2;
  ret;
}
.func (.param .b32 r) recurse (.param .b32 x)
{
  .local .align 8 .b32 depot[6];
  .reg .b32 %r<6>;
  .reg .pred %p;
  ld.param.u32 %r1, [x];
  st.local.u32 [depot+4], %r1;
  mov.u32 %r3, 0;
  setp.eq.u32 %p, %r1, 0;
  @%p bra DONE;
  { .param .b32 arg; .param .b32 res;
    sub.u32 %r2, %r1, 1;
    st.param.u32 [arg], %r2;
    call.uni (res), recurse, (arg);
    ld.param.u32 %r3, [res]; }
  ld.local.u32 %r4, [depot+4];
  add.u32 %r3, %r3, %r4;
DONE:
  st.param.u32 [r], %r3;
  ret;
}
.func (.reg .b32 r) registers (.reg .b32 x, .reg .b64 y)
{
  cvt.u32.u64 r, y;
  add.u32 r, r, x;
  ret;
}
.func (.param .align 16 .b8 r[16]) large (.param .align 16 .b8 x[16])
{
  .reg .b32 %r<4>;
  ld.param.v4.b32 {%r0, %r1, %r2, %r3}, [x];
  st.param.v4.b32 [r], {%r3, %r2, %r1, %r0};
  ret;
}
.visible .entry k (.param .u64 a, .param .u64 b, .param .u32 n)
{
  .reg .pred %p<6>;
  .reg .b16 %rs<8>;
  .reg .b32 %r<14>;
  .reg .b64 %rd<10>;
  .reg .b128 %q<2>;
  .reg .f32 %f<6>;
  .reg .f64 %fd<6>;
  .local .align 16 .b8 depot[64];
  ld.param.u64 %rd0, [a];
  ld.param.u64 %rd1, [b];
  ld.param.u32 %r1, [n];
  mov.u32 %r0, %tid.x;
  mad.wide.u32 %rd2, %r0, 16, %rd0;
  mad.wide.u32 %rd3, %r0, 16, %rd1;
  ld.global.v4.b32 {%r2, %r3, %r4, %r5}, [%rd2];
  mov.u64 %rd4, tile; cvta.shared.u64 %rd5, %rd4;
  mov.b64 %rd6, {%r2, %r3}; mov.b64 %rd7, {%r4, %r5}; mov.b128 %q0, {%rd6, %rd7}; mov.b128 %q1, %q0;
  mov.u64 %rd8, 3; mov.u64 %rd9, 5;
  mov.b32 {%rs0, %rs1}, %r2; mov.b32 {%rs2, %rs3}, %r3; mov.b32 {%rs4, %rs5}, %r4; mov.b32 {%rs6, %rs7}, %r5;
  mov.b32 %f0, %r2; mov.b32 %f1, %r3; cvt.rn.f32.s32 %f2, %r4; cvt.rn.f32.u32 %f3, %r0; mov.f32 %f4, 0f3f800000;
  mov.f32 %f5, 0fff800000;
  mov.b64 %fd0, %rd6; cvt.f64.f32 %fd1, %f2; mov.f64 %fd2, 1.5; mov.f64 %fd3, 0d7ff8000000000000;
  mov.f64 %fd4, -0.0; mov.f64 %fd5, 1e300;
  setp.lt.u32 %p0, %r0, 7; setp.ne.s32 %p1, %r2, %r3; setp.gt.f32 %p2, %f2, %f3; setp.eq.u32 %p3, %r0, 0;
  not.pred %p4, %p0; and.pred %p5, %p0, %p1;
  mov.u32 %r6, 6; mov.u32 %r7, -7; mov.u32 %r8, 8; mov.u32 %r9, 9; mov.u32 %r10, 10; mov.u32 %r11, 0x80000000;
  mov.u32 %r12, 31; mov.u32 %r13, tile; mad.lo.u32 %r13, %r0, 16, %r13;
  st.shared.v4.b32 [%r13], {%r2, %r3, %r4, %r5};
  st.shared.v4.b32 [%r13+1024], {%r5, %r4, %r3, %r2};
  st.local.v4.b32 [depot], {%r2, %r3, %r4, %r5};
  st.local.v4.b32 [depot+16], {%r6, %r7, %r8, %r9};
  bar.sync 0;
)";

constexpr std::string_view kTail = R"(
  st.global.v4.b32 [%rd3], {%r6, %r7, %r8, %r9};
  st.global.f32 [%rd3+4], %f5;
  ret;
}
)";

constexpr std::string_view kPieces[] = {
    "add.u32 %r6, %r2, %r3; sub.s32 %r7, %r3, %r4; mul.lo.s32 %r8, %r2, %r5; mul.hi.u32 %r9, %r2, %r5;\n"
    "mul.wide.s32 %rd6, %r2, %r3; mad.hi.s32 %r6, %r2, %r3, %r4; mad.lo.u64 %rd7, %rd6, %rd8, %rd9;\n",
    "div.s32 %r6, %r2, %r3; rem.s32 %r7, %r2, %r3; div.u64 %rd6, %rd7, %rd8; rem.s64 %rd7, %rd6, %rd9;\n"
    "div.s32 %r8, %r11, %r7; div.u16 %rs0, %rs1, %rs2; rem.s16 %rs1, %rs2, %rs3;\n",
    "shl.b32 %r6, %r2, %r3; shr.s32 %r7, %r2, %r3; shr.u64 %rd6, %rd7, %r4; shl.b16 %rs0, %rs1, %r2;\n"
    "shf.l.wrap.b32 %r8, %r2, %r3, %r4; shf.r.clamp.b32 %r9, %r2, %r3, %r4; shl.b64 %rd7, %rd6, "
    "4294967295;\n",
    "bfe.u32 %r6, %r2, %r3, %r4; bfe.s64 %rd6, %rd7, %r3, %r4; bfi.b32 %r7, %r2, %r3, %r4, %r5;\n"
    "prmt.b32 %r8, %r2, %r3, %r4; prmt.b32.f4e %r9, %r2, %r3, %r4; lop3.b32 %r6, %r2, %r3, %r4, 0xe8;\n"
    "popc.b64 %r7, %rd6; clz.b32 %r8, %r2; brev.b32 %r9, %r3; bfind.s32 %r6, %r2; bfind.shiftamt.u64 %r7, "
    "%rd6;\n"
    "szext.wrap.s32 %r8, %r2, %r3; bmsk.clamp.b32 %r9, %r2, %r3; fns.b32 %r6, %r2, %r12, %r7;\n",
    "add.cc.u32 %r6, %r2, %r3; addc.cc.u32 %r7, %r4, %r5; addc.u32 %r8, 0, 0; sub.cc.u32 %r6, %r2, %r3;\n"
    "subc.u32 %r7, %r4, %r5; mad.lo.cc.u32 %r8, %r2, %r3, %r4; madc.hi.u32 %r9, %r2, %r3, %r5;\n",
    "dp4a.s32.u32 %r6, %r2, %r3, %r4; dp2a.lo.s32.s32 %r7, %r2, %r3, %r4; sad.s32 %r8, %r2, %r3, %r4;\n"
    "abs.s32 %r9, %r11; neg.s64 %rd6, %rd7; min.s32 %r6, %r2, %r3; max.u16x2 %r7, %r2, %r3; cnot.b32 %r8, "
    "%r2;\n"
    "mul24.lo.s32 %r9, %r2, %r3; mad24.hi.u32 %r6, %r2, %r3, %r4; min.s16x2.relu %r7, %r2, %r3;\n",
    "vadd.s32.u32.s32.sat %r6, %r2.b1, %r3.h0; vmad.s32.s32.s32 %r7, %r2.h0, %r3.b2, %r4;\n"
    "vabsdiff.s32.s32.s32.sat.min %r8, %r2, %r3, %r4; vshl.u32.u32.u32.clamp %r9, %r2, %r3;\n"
    "vset.u32.u32.lt %r6, %r2, %r3; vmin.s32.s32.s32 %r7.b3, %r2, %r3, %r4;\n"
    "vadd2.s32.s32.s32.sat %r8, %r2, %r3, %r4; vabsdiff4.u32.s32.s32.add %r9, %r2, %r3, %r4;\n"
    "vset4.u32.u32.ge %r6, %r2, %r3, %r4; vavrg4.u32.u32.u32 %r7, %r2, %r3, %r4;\n",
    "setp.lt.and.s32 %p1|%p2, %r2, %r3, !%p0; set.gt.u32.f32 %r6, %f0, %f1; selp.b32 %r7, %r2, %r3, %p1;\n"
    "slct.s32.f32 %r8, %r2, %r3, %f0; setp.nan.f64 %p3, %fd0, %fd3; set.le.f32.u32 %f5, %r2, %r3;\n"
    "setp.equ.f16x2 %p4|%p5, %r2, %r3; set.ne.xor.s32.u64 %r9, %rd6, %rd7, %p1;\n",
    "cvt.rni.s32.f32 %r6, %f0; cvt.rzi.u64.f64 %rd6, %fd0; cvt.sat.u8.s32 %rs0, %r2; cvt.rn.f16.f32 %rs1, "
    "%f1;\n"
    "cvt.f32.f16 %f5, %rs2; cvt.rn.bf16x2.f32 %r7, %f0, %f1; cvt.rna.tf32.f32 %r8, %f1; cvt.s8.s64 %rs3, "
    "%rd6;\n"
    "cvt.rn.satfinite.e4m3x2.f32 %rs4, %f2, %f3; cvt.rn.f16x2.e5m2x2 %r9, %rs4; cvt.rmi.ftz.f32.f32 %f5, "
    "%f2;\n"
    "cvt.rn.f32.s64 %f4, %rd6; cvt.rp.f64.u64 %fd0, %rd7; cvt.rzi.s16.f32 %rs5, %f0; cvt.pack.sat.s8.s32.b32 "
    "%r6,"
    " %r2, %r3, %r4;\n",
    "fma.rn.f32 %f5, %f0, %f1, %f2; add.rz.ftz.sat.f32 %f4, %f0, %f1; mul.rm.f64 %fd1, %fd0, %fd2;\n"
    "fma.rp.f64 %fd2, %fd0, %fd1, %fd5; div.rn.f32 %f5, %f1, %f2; div.full.f32 %f4, %f2, %f3; sqrt.rn.f64 "
    "%fd3,"
    " %fd1; rcp.rn.f32 %f5, %f3; min.NaN.f32 %f4, %f0, %f1; max.xorsign.abs.f32 %f5, %f0, %f1;\n"
    "copysign.f32 %f4, %f0, %f1; testp.subnormal.f32 %p1, %f0; abs.ftz.f32 %f5, %f0; neg.f64 %fd1, %fd4;\n",
    "sin.approx.f32 %f5, %f2; ex2.approx.ftz.f32 %f4, %f2; lg2.approx.f32 %f5, %f3; rsqrt.approx.f32 %f4, "
    "%f3;\n"
    "tanh.approx.f32 %f5, %f0; rcp.approx.ftz.f64 %fd1, %fd2; div.approx.f32 %f4, %f0, %f1; cos.approx.f32 "
    "%f5,"
    " %f0; ex2.approx.f16x2 %r6, %r2; tanh.approx.bf16 %rs0, %rs1;\n",
    "fma.rn.f16x2 %r6, %r2, %r3, %r4; add.sat.f16 %rs0, %rs1, %rs2; mul.rn.bf16x2 %r7, %r2, %r3;\n"
    "fma.rn.relu.bf16 %rs3, %rs4, %rs5, %rs6; max.NaN.f16x2 %r8, %r2, %r3; neg.f16x2 %r9, %r2; abs.bf16 "
    "%rs7, %rs0;\n"
    "add.rn.f32x2 %rd6, %rd7, %rd8; fma.rz.f32x2 %rd7, %rd6, %rd8, %rd9;\n",
    "ld.global.v2.u64 {%rd6, %rd7}, [%rd2]; ld.global.nc.L1::no_allocate.s8 %rs0, [%rd2+3]; ld.const.f64 "
    "%fd1,"
    " [numbers+8]; ld.global.v8.b32 {%r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9}, [%rd0]; ldu.global.u16 %rs1, "
    "[%rd2];\n"
    "st.global.v2.f64 [%rd3], {%fd1, %fd2}; st.global.cs.u8 [%rd3+15], %r6; ld.volatile.global.u32 %r6, "
    "[table+4];\n"
    "ld.global.b128 %q0, [%rd2]; st.global.b128 [%rd3], %q0; prefetch.global.L2 [%rd2];\n",
    "st.local.u16 [depot+2], %rs0; ld.local.v2.u32 {%r6, %r7}, [depot]; mov.u64 %rd6, depot; cvta.local.u64 "
    "%rd7,"
    " %rd6; ld.u8 %rs1, [%rd7+3]; st.u64 [%rd7+8], %rd8; ld.local.u64 %rd8, [depot+8];\n",
    "ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%r13]; st.shared.u16 [%r13+2], %rs0; ld.u32 %r6, [%rd5+16];\n"
    "isspacep.shared %p1, %rd5; isspacep.global %p2, %rd2; cvta.to.shared.u64 %rd6, %rd5; ld.shared.b8 %rs1, "
    "[tile+7];\n"
    "mov.u32 %r7, dyn; st.shared.u32 [dyn], %r6; ld.shared.u32 %r8, [%r7];\n",
    "atom.global.add.u32 %r6, [%rd1], %r2; atom.global.cas.b64 %rd6, [%rd1+8], %rd7, %rd8; "
    "atom.global.exch.b32 %r7,"
    " [%rd1+16], %r3; red.global.max.s32 [%rd1+20], %r4; atom.shared.inc.u32 %r8, [tile], %r5;\n"
    "red.shared.xor.b32 [tile+4], %r2; atom.global.add.f32 %f5, [%rd1+24], %f2; red.global.add.noftz.f16x2 "
    "[%rd1+28],"
    " %r3; atom.add.u32 %r9, [%rd5], 1; atom.global.min.u64 %rd6, [%rd1+32], %rd7; atom.global.cas.b16 %rs0,"
    " [%rd1+40], %rs1, %rs2; red.global.add.f64 [%rd1+48], %fd2; atom.global.exch.b128 %q0, [%rd1+64], "
    "%q1;\n",
    "shfl.sync.down.b32 %r6|%p1, %r2, 3, 31, -1; shfl.sync.idx.b32 %r7, %r3, %r0, 0x181f, 0xffffffff;\n"
    "vote.sync.ballot.b32 %r8, %p0, -1; vote.sync.any.pred %p2, %p1, -1; match.any.sync.b32 %r9, %r2, -1;\n"
    "match.all.sync.b64 %r6|%p3, %rd6, -1; redux.sync.add.u32 %r7, %r2, -1; redux.sync.min.s32 %r8, %r3, "
    "-1;\n"
    "activemask.b32 %r9; elect.sync %r6|%p4, -1; bar.warp.sync -1; shfl.sync.bfly.b32 %r6, %r2, 16, 31, "
    "-1;\n",
    "bar.sync 0; barrier.sync 1, 64; bar.red.popc.u32 %r6, 0, %p0; barrier.cta.red.and.pred %p1, 2, %p0;\n"
    "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; membar.gl; fence.acq_rel.cta; bar.sync "
    "3;\n",
    "@%p0 bar.warp.sync 0x7f; bar.arrive 5, 64; bar.sync 6, 64;\n",
    "cp.async.ca.shared.global [%r13], [%rd2], 4; cp.async.commit_group; cp.async.cg.shared.global [%r13], "
    "[%rd2], 16;\n"
    "cp.async.commit_group; cp.async.wait_group 1; cp.async.wait_all; bar.sync 0;\n",
    "@%p3 mbarrier.init.shared.b64 [bars], 64; bar.sync 0; mbarrier.arrive.shared.b64 %rd6, [bars];\n"
    "WAIT@: mbarrier.test_wait.shared.b64 %p1, [bars], %rd6; @!%p1 bra WAIT@; bar.sync 0;\n"
    "@%p3 mbarrier.inval.shared.b64 [bars];\n",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r6, %r7, %r8, %r9}, [%r13]; "
    "movmatrix.sync.aligned.m8n8.trans.b16 %r6,"
    " %r2; stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r13], {%r2, %r3}; bar.sync 0;\n",
    "@%p0 bra LEFT@; add.u32 %r6, %r6, 1; @%p1 bra JOIN@; mul.lo.u32 %r7, %r7, 3; bra JOIN@;\n"
    "LEFT@: @%p1 bra.uni JOIN@; sub.u32 %r8, %r8, 1; JOIN@: add.u32 %r9, %r9, %r6;\n",
    "and.b32 %r6, %r0, 7; LOOP@: add.u32 %r7, %r7, %r6; sub.u32 %r6, %r6, 1; setp.ge.s32 %p1, %r6, 0;\n"
    "@%p1 bra LOOP@;\n",
    "and.b32 %r6, %r0, 3; T@: .branchtargets A@, B@, C@, A@; brx.idx %r6, T@; A@: add.u32 %r7, %r7, 1; bra "
    "C@;\n"
    "B@: add.u32 %r8, %r8, 1; C@: add.u32 %r9, %r9, 1;\n",
    "{ .param .b32 arg; .param .b32 res; and.b32 %r6, %r0, 7; st.param.b32 [arg], %r6;\n"
    "call.uni (res), leaf, (arg); ld.param.b32 %r7, [res]; @%p0 call (res), recurse, (arg);\n"
    "@%p0 ld.param.b32 %r8, [res]; call (%r9), registers, (%r2, %rd6); call (res), leaf, (5); }\n",
    "{ .param .b32 arg; .param .b32 res; st.param.b32 [arg], 3; and.b32 %r6, %r0, 1; mad.wide.u32 %rd6, %r6, "
    "8,"
    " pointers; ld.global.u64 %rd7, [%rd6+8]; P@: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
    "call (res), %rd7, (arg), P@; ld.param.b32 %r8, [res]; mov.u64 %rd6, leaf; call (res), %rd6, (arg), P@; "
    "}\n",
    "{ .param .align 16 .b8 arg[16]; .param .align 16 .b8 res[16]; st.param.v4.b32 [arg], {%r2, %r3, %r4, "
    "%r5};\n"
    "call.uni (res), large, (arg); ld.param.v2.b64 {%rd6, %rd7}, [res]; mov.b64 {%r6, _}, %rd6; }\n",
    "mov.u32 %r6, 0; SPIN@: nanosleep.u32 20; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 3; @%p1 bra "
    "SPIN@;\n",
    "mov.u32 %r6, %laneid; mov.u32 %r7, %ctaid.x; mov.u32 %r8, %nctaid.y; mov.u64 %rd6, %clock64; mov.u32 "
    "%r9,"
    " %lanemask_lt; mov.b64 {%r6, %r7}, %rd7; mov.b32 {%rs0, %rs1}, %r2; mov.u64 %rd7, table+4; mov.u64 "
    "%rd6, leaf;\n",
    "@%p4 bra E@; @%p1 exit; E@: add.u32 %r6, %r6, 1;\n",
};

} // namespace

std::span<const std::string_view> fuzzPieces() {
  return kPieces;
}

std::string kernelOf(std::string_view instructions) {
  return std::string(kHead) + std::string(instructions) + std::string(kTail);
}

} // namespace harness::ptx::test

#pragma once

#include <string>

namespace harness::test {

/// PTX of World's kernel `fill` that the PTX executor takes; it writes `outside` bytes after the beginning of
/// `out`. In place of the comment `flip` a script may put what changes %r2, the byte to be written; %r3 is
/// free.
inline std::string fillPtx(unsigned outside = 0) {
  return R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry fill(.param .u64 in, .param .u64 out, .param .u32 n)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd0, [in];
  ld.param.u64 %rd1, [out];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd2, %r0, 4;
  add.s64 %rd3, %rd0, %rd2;
  ld.global.u32 %r1, [%rd3];
  add.s32 %r2, %r1, 1;
  //flip
  cvt.u64.u32 %rd4, %r0;
  add.s64 %rd5, %rd1, %rd4;
  st.global.u8 [%rd5+)" +
         std::to_string(outside) + "], %r2;\n  ret;\n}\n";
}

} // namespace harness::test

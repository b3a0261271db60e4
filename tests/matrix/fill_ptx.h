#pragma once

#include <string>

namespace harness::test {

/// PTX of World's kernel `fill` that the PTX executor takes; it writes `outside` bytes after the beginning of
/// `out`.
inline std::string fillPtx(unsigned outside = 0) {
  return R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry fill(.param .u64 in, .param .u64 out, .param .u32 count)
{
  .reg .u64 %rd<7>;
  .reg .u32 %r<4>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd1, %rd3;
  ld.global.u32 %r2, [%rd4];
  add.u32 %r3, %r2, 1;
  cvt.u64.u32 %rd5, %r1;
  add.u64 %rd6, %rd2, %rd5;
  st.global.u8 [%rd6+)" +
         std::to_string(outside) + "], %r3;\n  ret;\n}\n";
}

} // namespace harness::test

#include "harness/ptx/syntax.h"

#include <gtest/gtest.h>

namespace harness::ptx {
namespace {

constexpr std::string_view kHead = ".version 8.7\n.target sm_90a\n.address_size 64\n";

std::string printed(const std::string& items) {
  std::string all = print(parseModule(std::string(kHead) + items, "t.ptx"));
  EXPECT_EQ(print(parseModule(all, "printed")), all);
  return all.substr(kHead.size());
}

TEST(PtxPrint, Declarations) {
  for (const std::string line :
       {".visible .global .align 8 .u64 p[2] = {generic(a)+4, b-8};", ".global .attribute(.managed) .b32 m;",
        ".global .u8 b[2] = {0xff(a), 0xff00(generic(a)+4)};",
        ".global .v4 .f32 v = {0d3FF0000000000000, 0f00000000};", ".extern .shared .align 16 .b8 tile[];",
        ".global .u32 s[3][2] = {{}, {1}, {2, 3}};", ".global .u64 z[2] = {};",
        ".global .samplerref s = { filter_mode = nearest };", ".alias a, b;", ".pragma \"x\", \"y\";",
        ".file 1 \"a\", 1, 2", ".global .s64 m = (-9223372036854775807-1);",
        ".global .u64 m = 9223372036854775808U;", ".section .debug_x\n{\n.b8 1 // c\n}"})
    EXPECT_EQ(printed(line), line + "\n");
}

TEST(PtxPrint, Functions) {
  std::string text =
      R"(.visible .func .attribute(.unified(1, 2)) (.param .b32 r) f(.param .u64 .ptr .global .align 16 a,
	.param .b8 b[4])
.noreturn
{
	.reg .pred %p<3>;
L:
	.loc 1 2 3, function_name x, inlined_at 1 2 3
	@!%p1 vmad.s32.s32.s32 %r1, -%r2.b0, v.x, [a-4];
	call (r), f, (1, 2U), proto;
	setp.ne.s32 p|q, %tid.x, !p;
	{
		mov.f32 %f1, 0f0000ABCD;
	}
proto: .callprototype (.param .b32 _) _ (.param .b32 _) .noreturn;
t: .branchtargets L, M;
}
)";
  EXPECT_EQ(printed(text), text);
}

TEST(PtxPrint, OneInstruction) {
  Module module =
      parseModule(std::string(kHead) + ".func f () { @p st.global .u8 [%rd4 + 1] , %rs1 ; }", "t.ptx");
  const Scope& body = *std::get<Function>(module.items[0]).body;
  EXPECT_EQ(print(std::get<Instruction>(body.statements[0])), "@p st.global.u8 [%rd4+1], %rs1");
}

} // namespace
} // namespace harness::ptx

#include "harness/ptx/undefined.h"

#include <gmock/gmock.h>

#include <cstring>

namespace harness::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// What is undefined about a kernel of 32 threads with this body, which may store to [%rd2].
std::vector<std::string> undefinedOf(const std::string& body) {
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 out)\n{\n"
                     ".reg .pred %p<4>;\n.reg .b16 %h<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n"
                     "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmad.wide.u32 %rd2, %r1, 4, %rd1;\n" +
                     body + "ret;\n}\n";
  Program program(parseModule(text, "t"), "t");
  auto fresh = [] {
    auto memory = std::make_unique<GlobalMemory>();
    memory->allocate("out", 128, std::byte{0});
    return memory;
  };
  Launch launch;
  launch.block = {32, 1, 1};
  std::vector<std::byte> address(8);
  std::memcpy(address.data(), &fresh()->allocations()[0].address, 8);
  launch.args = {address};
  return findUndefined(program, "k", launch, fresh, {});
}

TEST(PtxUndefined, AValueThatNobodyWroteInAnOutput) {
  EXPECT_THAT(
      undefinedOf("add.u32 %r3, %r1, %r2;\nst.global.u32 [%rd2], %r3;\n"),
      ElementsAre(HasSubstr("line 14 'st.global.u32 [%rd2], %r3': stores a value that nobody wrote")));
}

TEST(PtxUndefined, NotWhereOnlyItsOtherPartIsUsed) {
  EXPECT_THAT(undefinedOf("cvt.u16.u32 %h1, %r1;\nmov.b32 %r3, {%h1, %h2};\nand.b32 %r4, %r3, 0xffff;\n"
                          "st.global.u32 [%rd2], %r4;\n"),
              IsEmpty());
}

TEST(PtxUndefined, ABranchThatOnlySomeValuesTake) {
  EXPECT_THAT(undefinedOf("setp.eq.u32 %p1, %r2, 0;\n@%p1 bra L;\nst.global.u32 [%rd2], %r1;\nL:\n"),
              ElementsAre(HasSubstr("its predicate is a value that nobody wrote")));
}

TEST(PtxUndefined, LocalMemoryAndSharedMemory) {
  EXPECT_THAT(undefinedOf(".local .b32 spot[2];\nst.local.u32 [spot], %r1;\nld.local.u32 %r3, [spot+4];\n"
                          "st.global.u32 [%rd2], %r3;\n"),
              ElementsAre(HasSubstr("stores a value")));
  EXPECT_THAT(undefinedOf(".shared .b32 spot[2];\nst.shared.u32 [spot], 7;\nld.shared.u32 %r3, [spot];\n"
                          "st.global.u32 [%rd2], %r3;\n"),
              IsEmpty());
}

TEST(PtxUndefined, WhatTheManualLeavesUndefinedNeedsNoTrial) {
  EXPECT_THAT(undefinedOf("div.u32 %r3, %r1, 0;\nmul.lo.u32 %r3, %r3, 0;\nst.global.u32 [%rd2], %r3;\n"),
              ElementsAre(HasSubstr("divides by zero")));
}

} // namespace
} // namespace harness::ptx

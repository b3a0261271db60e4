#include "harness/ptx/contraction.h"

#include <gtest/gtest.h>

namespace harness::ptx {
namespace {

std::vector<Contraction> contractionsOf(const std::string& body) {
  std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n.reg .f32 %f<9>;\n" + body + "ret;\n}\n";
  return findContractions(parseModule(text, "t"), "k");
}

TEST(PtxContraction, AProductAndASumThatLeaveTheirRoundingOpen) {
  auto found = contractionsOf("mul.f32 %f1, %f2, %f3;\nsub.ftz.f32 %f4, %f5, %f1;\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].product, 7u);
  EXPECT_EQ(found[0].sum, 8u);
}

TEST(PtxContraction, NotWhereOneOfThemSaysHow) {
  EXPECT_TRUE(contractionsOf("mul.rn.f32 %f1, %f2, %f3;\nadd.f32 %f4, %f5, %f1;\n").empty());
  EXPECT_TRUE(contractionsOf("mul.f32 %f1, %f2, %f3;\nadd.rn.f32 %f4, %f5, %f1;\n").empty());
  EXPECT_TRUE(contractionsOf("mul.f32 %f1, %f2, %f3;\nadd.f32 %f4, %f5, %f6;\n").empty());
}

} // namespace
} // namespace harness::ptx

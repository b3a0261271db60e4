// `harness vectors check` of files that are wrong: refused before anything is compiled.
#include "tests/matrix/world.h"
#include <gtest/gtest.h>

namespace harness::test {
namespace {

class VectorsCheckTest : public testing::Test {
protected:
  void expectRefused(const std::string& text, const std::string& says) {
    ProcessResult result = world_.run({"vectors", "check", world_.write("v.tsv", text).string()});
    EXPECT_CODE(result, 2);
    EXPECT_HAS(result.err, says);
    EXPECT_EQ(result.out, "");
  }

  World world_;
  const std::string head_ = "# device\t{}\n# arch\tsm_80\n";
  const std::string one_ = "add.rn.f32\t3f800000\t3f800000\t40000000\n";
};

TEST_F(VectorsCheckTest, AFileWithoutResults) {
  expectRefused("", "no result in '" + world_.path("v.tsv").string() + "'");
  expectRefused(head_, "no result in");
  expectRefused(head_ + "# results\t0\n", "no result in");
}

TEST_F(VectorsCheckTest, AFileThatWasCutOff) {
  expectRefused(head_ + one_, "v.tsv' is not complete");
  expectRefused(head_ + one_ + "add.rn.f32\t3f800000\n",
                "v.tsv:4: expected add.rn.f32, then 2 operands and the result");
  expectRefused(head_ + one_ + "# results\t2\n", "v.tsv:4: there are 1 results before this line, not '2'");
  expectRefused(head_ + one_ + "# results\t1\n" + one_, "v.tsv:5: nothing may follow");
}

TEST_F(VectorsCheckTest, ValuesThatDoNotFit) {
  expectRefused(head_ + "add.rn.f32\t13f800000\t3f800000\t40000000\n# results\t1\n",
                "v.tsv:3: '13f800000' is no number of 32 bits");
  expectRefused(head_ + "add.rn.f32\t3f800000\t3f800000\t140000000\n# results\t1\n",
                "v.tsv:3: '140000000' is no number of 32 bits");
  expectRefused(head_ + "cvt.rn.f16.f32\t3f800000\t13c00\n# results\t1\n",
                "v.tsv:3: '13c00' is no number of 16 bits");
  expectRefused(head_ + "cvt.f64.f32\t3f800000\t13ff0000000000000\n# results\t1\n",
                "v.tsv:3: '13ff0000000000000' is no number of 64 bits");
  expectRefused(head_ + "add.rn.f32\t3f800000\tone\t40000000\n",
                "v.tsv:3: 'one' is no number of 32 bits in hex");
}

TEST_F(VectorsCheckTest, NamesThatNobodyKnows) {
  expectRefused(head_ + "add\t1\t2\t3\n", "v.tsv:3: expected the name of an instruction");
  expectRefused(one_ + "# results\t1\n", "does not say which architecture");
  for (const char* arch : {"sm_80\r", "sm_8", "sm_80x", "sm_90af", "compute_80", "", "sm_\x1b[31m"})
    expectRefused("# arch\t" + std::string(arch) + "\n" + one_ + "# results\t1\n", "v.tsv:1: '");
}

} // namespace
} // namespace harness::test

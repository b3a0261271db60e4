// `harness mma`: its commands need no checkout, no compiler and no database.
#include "harness/base/text.h"

#include "tests/matrix/world.h"
#include <gtest/gtest.h>

namespace harness::test {
namespace {

using Json = World::Json;

class Mma : public testing::Test {
protected:
  ProcessResult mma(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "mma");
    return world_.run(std::move(arguments));
  }
  std::string out(std::vector<std::string> arguments, int code = 0) {
    ProcessResult result = mma(std::move(arguments));
    EXPECT_CODE(result, code);
    return result.out;
  }
  void expectRefused(std::vector<std::string> arguments, const std::string& says) {
    ProcessResult result = mma(std::move(arguments));
    EXPECT_CODE(result, 2);
    EXPECT_HAS(result.err, says);
    EXPECT_EQ(result.out, "");
  }
  std::string file(const std::string& name, const std::string& text) {
    return world_.write(name, text).string();
  }

  World world_;
  const std::string header_ = "a\tb\tc\td_f32\td_f16\n";
};

TEST_F(Mma, Models) {
  std::string text = out({"models", "--arch", "hopper"});
  EXPECT_HAS(text, "16 products, 25 bits, floor -133, RZ to 23");
  EXPECT_HAS(text, "not known, and what would settle it");
  Json rows = Json::parse(out({"models", "--format", "json"}));
  ASSERT_GT(rows.size(), 50u);
  bool unverified = false;
  for (const Json& row : rows) {
    unverified |= row["status"] == "unverified";
    EXPECT_TRUE(row["status"] != "unverified" || row["open"].is_string());
  }
  EXPECT_TRUE(unverified);
  expectRefused({"models", "--arch", "sm_60"}, "sm_60");
}

TEST_F(Mma, Check) {
  std::string good =
      file("good.tsv", header_ + "3f800000 40000000\t3f800000 3f800000\t3f800000\t40800000\t-\n");
  EXPECT_EQ(out({"check", good, "--arch", "sm_90", "--format", "fp16"}), "1 compared, 0 wrong\n");
  EXPECT_EQ(
      out({"check", good, "--arch", "sm_90", "--format", "f16", "--c", "ignore", "--shape", "m16n8k8"}, 1),
      "1 compared, 1 wrong\n  line 2: expected 40800000, got 40400000\n");
  expectRefused({"check", good, "--arch", "sm_90", "--format", "f16", "--accumulate", "f16"},
                "no record has a result");
  expectRefused({"check", good, "--arch", "sm_90", "--format", "e4m3"}, "mma.sync-expanded");
  expectRefused({"check", good, "--arch", "sm_90", "--format", "f16", "--shape", "m16n8k4"}, "m16n8k16");
  expectRefused({"check", good, "--arch", "sm_90", "--format", "f16", "--c", "f64"}, "ignore, f16, f32");
  expectRefused({"check", file("bad.tsv", header_ + "3f8\n"), "--arch", "sm_90", "--format", "f16"},
                "bad.tsv, line 2");
  expectRefused({"check", "missing.tsv", "--arch", "sm_90", "--format", "f16"}, "missing.tsv");
}

TEST_F(Mma, EvalOfFiles) {
  std::string a = file("a.txt", "1 2 # a row\n0x3c00, -1\n"), b = file("b.txt", "3 0.5\n1 inf\n"),
              c = file("c.txt", "1 0\n0 0\n");
  EXPECT_EQ(out({"eval", "--arch", "sm_80", "--format", "f16", "--a", a, "--b", b, "--c", c}),
            "6 inf\n2 -inf\n");
  EXPECT_EQ(out({"eval", "--arch", "sm_80", "--format", "f16", "--accumulate", "f16", "--a", a, "--b", b,
                 "--bits"}),
            "0x4500 0x7c00\n0x4000 0xfc00\n");
  Json json = Json::parse(out({"eval", "--arch", "sm_80", "--format", "f16", "--a", a, "--b", b, "--json"}));
  EXPECT_EQ(json["model"], "sm_80/mma.sync/f16");
  EXPECT_EQ(json["d"], Json::parse(R"([[5.0, "inf"], [2.0, "-inf"]])"));
  std::string d = file("d.txt", "5 inf\n2 0x7f800000\n");
  EXPECT_EQ(out({"eval", "--arch", "sm_80", "--format", "f16", "--a", a, "--b", b, "--expected", d}, 1),
            "row 1, column 1: expected 0x7f800000 (inf), sm_80/mma.sync/f16 0xff800000 (-inf)\n1 of 4 "
            "elements differ\n");
  expectRefused({"eval", "--arch", "sm_80", "--format", "f16", "--a", a}, "--b");
  expectRefused({"eval", "--arch", "sm_80", "--format", "f16", "--a", a, "--b", file("x", "1 2 3\n")},
                "2x3 is needed");
  expectRefused({"eval", "--arch", "sm_80", "--format", "f16", "--a", a, "--b", file("y", "1\n1 2\n")},
                "line 2: 2 numbers");
  expectRefused({"eval", "--arch", "sm_80", "--format", "f16", "--a", a, "--b", file("z", "1\n0x12345\n")},
                "'0x12345'");
}

TEST_F(Mma, EvalOfASeedIsTheSameAgain) {
  std::vector<std::string> arguments = {"eval",   "--format", "bf16",      "--seed",     "7",
                                        "--size", "16x8x64",  "--compare", "sm_80,sm_90"};
  std::string first = out(arguments);
  EXPECT_EQ(out(arguments), first);
  EXPECT_HAS(first, " of 128 elements differ\n");
  EXPECT_EQ(first.find("\n0 of"), std::string::npos);
  EXPECT_EQ(out({"eval", "--format", "bf16", "--seed", "7", "--compare", "sm_90,sm_100/tcgen05"}),
            "0 of 128 elements differ\n");
  expectRefused({"eval", "--format", "bf16", "--seed", "7", "--compare", "sm_80"}, "--compare takes two");
  expectRefused({"eval", "--arch", "80", "--format", "bf16", "--seed", "7", "--size", "1x2x99999"},
                "no size");
  for (const char* format : {"nvf4", "mxf4", "mx-e2m3", "e4m3", "s4", "f64"})
    EXPECT_NE(out({"eval", "--arch", "sm_120", "--format", format == std::string("f64") ? "f64" : format,
                   "--seed", "1"}),
              "");
}

TEST_F(Mma, Probe) {
  std::string text = out({"probe", "--model", "sm_80/mma.sync/bf16"});
  EXPECT_HAS(text, "k 0-7, then k 8-15; C with the first");
  EXPECT_HAS(text, "sm_89/mma.sync/bf16");
  Json json = Json::parse(out({"probe", "--model", "sm_70/mma.sync/f16/f16", "--shape", "m8n8k4", "--json"}));
  EXPECT_EQ(json["products"], 4);
  EXPECT_EQ(json["fraction"], 23);
  EXPECT_EQ(json["floor"], -19);
  expectRefused({"probe", "--model", "sm_80"}, "no model like");
  expectRefused({"probe", "--model", "sm_80/mma.sync/s8"}, "a probe is of");
}

} // namespace
} // namespace harness::test

// `harness guard` on compilers that are scripts.
#include "tests/matrix/world.h"
#include <gtest/gtest.h>

namespace harness::test {
namespace {

using Json = World::Json;

class GuardCommandTest : public testing::Test {
protected:
  GuardCommandTest() {
    world_.writeCase("bad", "//ptxas case $build in 13.0.88) emit wrong;; *) emit right;; esac");
    world_.writeCase("odd", "//ptxas emit unknown");
    world_.write("matrix/toolchains/13.0.99.txt", "");
    world_.runMatrix();
    world_.writeCase("new", "//ptxas emit right");
  }
  World world_;
};

TEST_F(GuardCommandTest, AllForms) {
  ProcessResult result = world_.run({"guard", "bad"});
  EXPECT_CODE(result, 0);
  EXPECT_HAS(result.out, "// bad is miscompiled, as measured on 2 toolchains, 13.0.88 … 13.1.80:\n");
  EXPECT_HAS(result.out, "(HARNESS_CUDA_BUILD >= 130000088 && HARNESS_CUDA_BUILD < 130100080)");
  EXPECT_HAS(result.out, "VERSION_LESS 13.1.80)");
  EXPECT_HAS(result.out, "def bad_is_miscompiled(version, arch):");
  EXPECT_HAS(result.out, "Not measured, but guarded: 13.0.99.");
  EXPECT_EQ(world_.run({"guard", world_.path("repros/bad/case.json")}).out, result.out);
}

TEST_F(GuardCommandTest, OneForm) {
  std::string all = world_.run({"guard", "bad"}).out, together;
  for (const char* form : {"preprocessor", "cmake", "python"}) {
    ProcessResult result = world_.run({"guard", "bad", "--form", form});
    EXPECT_CODE(result, 0);
    together += (together.empty() ? "" : "\n") + result.out;
  }
  EXPECT_EQ(together, all);
}

TEST_F(GuardCommandTest, Json) {
  ProcessResult result = world_.run({"guard", "bad", "--format", "json"});
  EXPECT_CODE(result, 0);
  nlohmann::ordered_json json = Json::parse(result.out);
  EXPECT_EQ(json["guarded"], true);
  EXPECT_EQ(json["rules"][0]["archs"], Json({"sm_80"}));
  EXPECT_EQ(json["rules"][0]["ranges"][0]["from"], "13.0.88");
  EXPECT_EQ(json["rules"][0]["ranges"][0]["end"], "13.1.80");
  EXPECT_EQ(json["bad_levels"], Json({"O2", "O3"}));
}

TEST_F(GuardCommandTest, NothingToGuard) {
  ProcessResult result = world_.run({"guard", "fill"});
  EXPECT_CODE(result, 0);
  EXPECT_EQ(
      result.out,
      "fill: nothing is to be guarded, no compiler was found at fault, as measured on 13.0.88, 13.1.80\n");
}

TEST_F(GuardCommandTest, BadUsage) {
  for (const char* id : {"new", "odd"}) {
    ProcessResult result = world_.run({"guard", id});
    EXPECT_CODE(result, 2);
    EXPECT_HAS(result.err, "harness run --matrix FILE --case " + std::string(id) + " --db ");
  }
  ProcessResult nobody = world_.run({"guard", "bat"});
  EXPECT_CODE(nobody, 2);
  EXPECT_HAS(nobody.err, "did you mean 'bad'?");
  EXPECT_CODE(world_.run({"guard", "bad", "--format", "yaml"}), 2);
  EXPECT_CODE(world_.run({"guard", "bad", "--form", "make"}), 2);
  EXPECT_CODE(world_.run({"guard", "bad", "--db", "nowhere.db"}), 2);
  EXPECT_CODE(world_.run({"guard"}), 2);
}

} // namespace
} // namespace harness::test

// `harness case new` and `harness case validate` on compilers that are scripts.
#include "tests/matrix/fill_ptx.h"
#include "tests/matrix/world.h"
#include <gtest/gtest.h>

namespace harness::test {
namespace {

namespace fs = std::filesystem;
using Json = World::Json;

/// A source whose PTX has these entries.
std::string source(const std::string& entries, const std::string& code) {
  return "//nvcc trap 'printf \"%s\\n\" \".version 8.0\" \".target sm_80\" \".address_size 64\" " + entries +
         " >$out' EXIT\n" + code + "\n";
}

const std::string kFill = "\".visible .entry fill(.param .u64 a, .param .u64 b, .param .u32 c) { ret; }\"";
const std::string kOther = "\".visible .entry _Z5otherPf(.param .u64 a) { ret; }\"";
const std::string kCode =
    "extern \"C\" __global__ void fill(const unsigned* in, unsigned char* out, int n) {}";

TEST(CaseNew, MakesACaseThatIsOne) {
  World world;
  world.write("src/My_Fill.cu", source(kFill, kCode));
  ProcessResult result = world.run({"case", "new", world.path("src/My_Fill.cu")});
  EXPECT_CODE(result, 0);
  EXPECT_HAS(result.out, "repros/my-fill, a case of kernel fill with 3 parameters; to be decided:\n");
  EXPECT_HAS(result.out, "then: harness case validate " + world.path("repros/my-fill").string());
  for (const char* file : {"case.json", "reference.cpp", "notes.md", "My_Fill.cu"})
    EXPECT_TRUE(fs::exists(world.path("repros/my-fill") / file)) << file;
  Json manifest = Json::parse(readFile(world.path("repros/my-fill/case.json")));
  EXPECT_EQ(manifest["kernel"], "fill");
  EXPECT_EQ(manifest["buffers"]["in"]["type"], "u32");
  EXPECT_EQ(manifest["buffers"]["out"]["output"], true);
  EXPECT_EQ(manifest["args"], Json::parse(R"(["in", "out", {"i32": "n"}])"));
  EXPECT_CODE(world.run({"case", "list"}), 0);
}

TEST(CaseNew, OverwritesNothing) {
  World world;
  EXPECT_HAS(world.run({"case", "new", "--help"}).out, "The parent folder, in which");
  world.write("src/fill.cu", source(kFill, kCode));
  std::string before = readFile(world.path("repros/fill/case.json"));
  ProcessResult result = world.run({"case", "new", world.path("src/fill.cu")});
  EXPECT_CODE(result, 2);
  EXPECT_HAS(result.err, "is there already");
  EXPECT_EQ(readFile(world.path("repros/fill/case.json")), before);
  EXPECT_CODE(world.run({"case", "new", world.path("src/fill.cu"), "-o", world.path("mine")}), 2)
      << "a case of that name is in the checkout";
  EXPECT_CODE(world.run({"case", "new", world.path("src/fill.cu"), "--id", "a-b", "-o", world.path("mine")}),
              0);
  EXPECT_TRUE(fs::exists(world.path("mine/a-b/case.json")));
}

TEST(CaseNew, SeveralKernels) {
  World world;
  world.write("src/two.cu", source(kFill + " " + kOther, kCode + "\n__global__ void other(float* o) {}"));
  ProcessResult result = world.run({"case", "new", world.path("src/two.cu")});
  EXPECT_CODE(result, 2);
  EXPECT_HAS(result.err, "choose one with --kernel: fill, other (_Z5otherPf)");
  EXPECT_FALSE(fs::exists(world.path("repros/two")));
  EXPECT_CODE(world.run({"case", "new", world.path("src/two.cu"), "--kernel", "other"}), 0);
  EXPECT_EQ(Json::parse(readFile(world.path("repros/two/case.json")))["kernel"], "_Z5otherPf");
}

TEST(CaseNew, AKernelThatTakesAStructure) {
  World world;
  const std::string plain = "\".visible .entry plain(.param .u64 a, .param .align 8 .b8 b[16]) { ret; }\"";
  world.write("src/two.cu", source(kFill + " " + plain, kCode));
  EXPECT_CODE(world.run({"case", "new", world.path("src/two.cu"), "--kernel", "fill"}), 0);
  ProcessResult unknown =
      world.run({"case", "new", world.path("src/two.cu"), "--id", "b", "--kernel", "noargs"});
  EXPECT_CODE(unknown, 2);
  EXPECT_HAS(unknown.err, "there is no kernel 'noargs'; there are: fill, plain");
  ProcessResult asked =
      world.run({"case", "new", world.path("src/two.cu"), "--id", "b", "--kernel", "plain"});
  EXPECT_CODE(asked, 0);
  EXPECT_HAS(asked.out, "a structure of 16 bytes");
  EXPECT_EQ(Json::parse(readFile(world.path("repros/b/case.json")))["args"][1],
            Json::parse(R"({"struct": ["arg1.out", {"zero": 8}]})"));
}

TEST(CaseNew, AnInstantiation) {
  World world;
  const std::string entries = "\".visible .entry _Z2upIfEvPT_(.param .u64 a) { ret; }\" "
                              "\".visible .entry _Z2upIdEvPT_(.param .u64 a) { ret; }\"";
  world.write("src/up.cu", source(entries, "template <class T> __global__ void up(T* out) {}"));
  ProcessResult both = world.run({"case", "new", world.path("src/up.cu")});
  EXPECT_CODE(both, 2);
  EXPECT_HAS(both.err, "up<float> (_Z2upIfEvPT_), up<double> (_Z2upIdEvPT_)");
  EXPECT_CODE(world.run({"case", "new", world.path("src/up.cu"), "--kernel", "up<double>"}), 0);
  Json manifest = Json::parse(readFile(world.path("repros/up/case.json")));
  EXPECT_EQ(manifest["kernel"], "_Z2upIdEvPT_");
  EXPECT_EQ(manifest["buffers"]["out"]["type"], "f64");
}

TEST(CaseNew, ASourceOfSeveralFilesStaysWhereItIs) {
  World world;
  world.write("src/help.h", "");
  world.write("src/fill.cu", source(kFill, "#include \"help.h\"\n" + kCode));
  EXPECT_CODE(world.run({"case", "new", world.path("src/fill.cu"), "--id", "one"}), 0);
  EXPECT_EQ(Json::parse(readFile(world.path("repros/one/case.json")))["source"], "../../src/fill.cu");
}

TEST(CaseNew, BadUsage) {
  World world;
  world.write("src/none.cu", source("", ""));
  world.write("src/broken.cu", "//nvcc echo \"error: no such type\"; exit 1\n");
  world.write("src/fill.cu", source(kFill, kCode));
  EXPECT_CODE(world.run({"case", "new"}), 2);
  EXPECT_CODE(world.run({"case", "new", world.path("src/nothing.cu")}), 2);
  ProcessResult none = world.run({"case", "new", world.path("src/none.cu")});
  EXPECT_CODE(none, 2);
  EXPECT_HAS(none.err, "there is no kernel");
  ProcessResult broken = world.run({"case", "new", world.path("src/broken.cu")});
  EXPECT_CODE(broken, 2);
  EXPECT_HAS(broken.err, "error: no such type");
  EXPECT_CODE(world.run({"case", "new", world.path("src/fill.cu"), "--id", "../x"}), 2);
  EXPECT_CODE(world.run({"case", "new", world.path("src/fill.cu"), "--id", "A B"}), 2);
  for (const auto& entry : fs::directory_iterator(world.path("repros")))
    EXPECT_EQ(entry.path().filename(), "fill") << "nothing is left behind";
}

/// How `case validate` ends, and what it says of the checks.
struct Example {
  const char *script, *key, *value;
  int exitCode;
  const char* says;
};

class CaseValidateTest : public testing::TestWithParam<Example> {};

TEST_P(CaseValidateTest, ExitCodeAndLine) {
  World world;
  const Example& example = GetParam();
  world.writeCase("it", example.script, [&](Json& manifest) {
    if (*example.key) manifest[Json::json_pointer(example.key)] = Json::parse(example.value);
  });
  ProcessResult result = world.run({"case", "validate", "it", "--nvcc", "13.0.88"});
  EXPECT_CODE(result, example.exitCode);
  EXPECT_HAS(result.out + result.err, example.says);
}

const char* const kExpected =
    R"([{"nvcc": "13.0", "verdict": "mismatch", "blame": "ptxas", "why": "known"}])";

INSTANTIATE_TEST_SUITE_P(
    , CaseValidateTest,
    testing::Values(
        Example{"//ptxas emit right", "", "", 0,
                "ok      run           it@13.0.88/sm_80/O3: pass (ok), 32 bytes"},
        Example{"//ptxas emit right", "", "", 0,
                "ok      reference     twice the same 32 bytes of output, all written"},
        Example{"//ptxas emit right", "", "", 0,
                "ok      kernel        'fill' compiles with 13.0.88 for sm_80 at O3"},
        Example{"//ptxas emit wrong", "", "", 1,
                "FAILED  run           it@13.0.88/sm_80/O3: mismatch (regressed)"},
        Example{"//ptxas emit wrong", "/expect", kExpected, 0, "mismatch (expected)"},
        Example{"//ptxas emit right", "/expect", kExpected, 0,
                "note    run           it@13.0.88/sm_80/O3: pass (fixed)"},
        Example{"//ptxas emit unknown", "", "", 4, "FROB.X"},
        Example{"//ptxas emit right", "/expect", R"([{"nvcc": "9.1", "verdict": "mismatch"}])", 2,
                "FAILED  expectations  /expect/0 matches nothing: no known toolchain is in its 'nvcc'"},
        Example{"//ptxas emit right", "/kernel", "\"full\"", 2, "FAILED  kernel"},
        Example{"//ptxas emit right", "/args/2", R"({"u16": 32})", 2,
                "argument 2 of kernel 'fill' has 4 bytes, and the manifest gives 2 (a value)"},
        Example{"//nvcc exit 1", "", "", 2, "FAILED  kernel        compile-error of fill.cu"},
        Example{"//ptxas emit right", "/buffers/out/type", "\"u7\"", 2, "harness: "}));

TEST(CaseValidate, CountsTheBytesOfAllShapes) {
  World world;
  world.writeCase("it", "//ptxas emit right", [](Json& manifest) {
    manifest["shapes"] = {{{"name", "one"}, {"n", 32}}, {{"name", "other"}, {"n", 32}}};
  });
  EXPECT_HAS(world.run({"case", "validate", "it"}).out, "pass (ok), 64 bytes compared");
}

TEST(CaseValidate, SaysThatThePtxWasTheJudge) {
  World world;
  world.writeCase("it", "//ptxas emit right\n" + fillPtx(),
                  [](Json& manifest) { manifest.erase("reference"); });
  EXPECT_HAS(world.run({"case", "validate", "it"}).out, "pass (ok), 32 bytes compared, judged by its PTX");
}

TEST(CaseValidate, TakesAPathAndOptions) {
  World world;
  EXPECT_CODE(world.run({"case", "validate", world.path("repros/fill/case.json")}), 0);
  ProcessResult result =
      world.run({"case", "validate", world.path("repros/fill"), "--arch", "sm_90", "--opt", "O2"});
  EXPECT_CODE(result, 0);
  EXPECT_HAS(result.out, "fill@13.1.80/sm_90/O2: pass");
  EXPECT_FALSE(fs::exists(world.path("harness.db"))) << "it keeps no database";
  EXPECT_CODE(world.run({"case", "validate", "fill", "--opt", "O9"}), 2);
  EXPECT_CODE(world.run({"case", "validate", "fill", "--nvcc", "12.0.76"}), 2) << "there is none";
  world.write("matrix/toolchains/12.0.76.txt", "");
  EXPECT_CODE(world.run({"case", "validate", "fill", "--nvcc", "12.0.76"}), 3) << "it is not installed";
  EXPECT_CODE(world.run({"case", "validate", "fell"}), 2);
}

TEST(CaseValidate, SharedFiles) {
  World world;
  world.writeCase("it", "//ptxas emit right");
  world.write("repros/it/reference.cpp", "#include \"fill.cu\"\n");
  ProcessResult result = world.run({"case", "validate", "it"});
  EXPECT_CODE(result, 2);
  EXPECT_HAS(result.out, "FAILED  independence  the reference includes 'fill.cu'");
  EXPECT_HAS(result.err, "the case was not run");
}

} // namespace
} // namespace harness::test

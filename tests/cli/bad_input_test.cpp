// Whatever is wrong, one clear error or a recorded verdict, and nothing recorded is lost.
#include "tests/matrix/world.h"
#include <gtest/gtest.h>

namespace harness::test {
namespace {

namespace fs = std::filesystem;
using Json = World::Json;

/// A world in which something is recorded already.
class BadInput : public testing::Test {
protected:
  BadInput() { world_.runMatrix(); }

  void TearDown() override {
    Json rows = world_.query({"--case", "fill"});
    EXPECT_EQ(rows.size(), 4u) << "what was recorded is lost";
    for (const Json& row : rows)
      EXPECT_EQ(row["verdict"], "pass");
  }

  /// The run is refused, before anything is done, with one line that has all of `parts`.
  void expectRefused(const std::vector<std::string>& arguments, int code,
                     const std::vector<std::string>& parts) {
    ProcessResult result = world_.runMatrix(arguments);
    EXPECT_CODE(result, code);
    EXPECT_TRUE(result.err.starts_with("harness: ")) << result.err;
    for (const std::string& part : parts)
      EXPECT_HAS(result.err, part);
    EXPECT_EQ(result.out, "");
  }

  /// The run goes on, and records this verdict, whose details say `says`.
  void expectRecorded(const std::string& script, const char* verdict, const std::string& says, int code,
                      const std::vector<std::string>& arguments = {}) {
    world_.writeCase("it", script);
    ProcessResult result = world_.runMatrix(arguments);
    EXPECT_CODE(result, code);
    EXPECT_HAS(result.out, ", run 2\n") << "it ended as runs end";
    Json rows = world_.query({"--case", "it"});
    ASSERT_FALSE(rows.empty());
    for (const Json& row : rows) {
      EXPECT_EQ(row["verdict"], verdict) << row.dump(2);
      EXPECT_HAS(row["executors"][0]["details"]["message"].get<std::string>(), says);
    }
  }

  World world_;
};

TEST_F(BadInput, ManifestWithAnUnknownKey) {
  world_.writeCase("it", "//ptxas emit right", [](Json& manifest) { manifest["grids"] = {1}; });
  expectRefused({}, 2, {"it/case.json", "grids", "grid"});
}

TEST_F(BadInput, ManifestThatIsNoJson) {
  world_.writeCase("it", "");
  world_.write("repros/it/case.json", "{\n\"title\": \"x\",\n}");
  expectRefused({}, 2, {"it/case.json", "3"});
}

TEST_F(BadInput, MatrixWithAnUnknownKey) {
  world_.writeMatrix([](Json& matrix) { matrix["arch"] = {"sm_80"}; });
  expectRefused({}, 2, {"all.json", "arch", "did you mean 'archs'?"});
}

TEST_F(BadInput, NumberThatIsTooLarge) {
  world_.write("matrix/all.json", "{\n\"note\": \"1e99999\",\n \"cases\": -1e99999 }");
  expectRefused({}, 2, {"all.json:3:11: the number -1e99999 is too large\n"});
  world_.write("matrix/all.json", "1e99999");
  expectRefused({}, 2, {"all.json:1:1: the number 1e99999 is too large\n"});
}

TEST_F(BadInput, NamesThatATerminalWouldObey) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"check", "half\x1b[31m"}, {"query", "--case", "half\x1b[31m"}, {"show", "half\x1b[31m@1/2/3"}}) {
    ProcessResult result = world_.run(words);
    EXPECT_HAS(result.err, "half\\x1b[31m");
    EXPECT_EQ(result.err.find('\x1b'), std::string::npos) << result.err;
  }
  world_.writeMatrix([](Json& matrix) { matrix["cases"] = {"half\x1b[31m"}; });
  expectRefused({}, 2, {"half\\x1b[31m"});
}

TEST_F(BadInput, MatrixThatIsNotThere) {
  ProcessResult result = world_.run({"run", "--matrix", "nowhere.json"});
  EXPECT_CODE(result, 2);
  EXPECT_HAS(result.err, "nowhere.json");
}

TEST_F(BadInput, VersionThatIsNone) {
  expectRefused({"--nvcc", "13.x"}, 2, {"13.x"});
  ProcessResult result = world_.run({"query", "--nvcc", ">=new"});
  EXPECT_CODE(result, 2);
  EXPECT_HAS(result.err, ">=new");
}

TEST_F(BadInput, SelectionThatLeavesNothing) {
  expectRefused({"--nvcc", "12.9"}, 2, {"nothing of", "no toolchain matches", "; it has 13.0.88, 13.1.80\n"});
  expectRefused({"--case", "nothing"}, 2, {"no case of ", "matches 'nothing'; it has fill\n"});
  expectRefused({"--arch", "sm_80", "--arch", "sm_91"}, 2,
                {"no arch of ", "matches 'sm_91'; it has sm_80\n"});
  expectRefused({"--opt", "O9"}, 2, {"matches 'O9'; it has O2, O3\n"});
}

TEST_F(BadInput, ShardThatIsNone) {
  for (const char* shard : {"0/3", "4/3", "1", "1/", "a/b", "1/3/5"})
    expectRefused({"--shard", shard}, 2, {shard, "I/N"});
}

TEST_F(BadInput, CellThatIsNone) {
  for (const char* cell :
       {"fill", "fill@13.0.88", "fill@13.0.88/sm_80", "@13.0.88/sm_80/O3", "a@b@c/sm_80/O3"}) {
    for (const char* command : {"show", "bundle"}) {
      std::vector<std::string> arguments = {command, cell};
      if (command == std::string("bundle")) arguments.insert(arguments.end(), {"-o", "bundle.tar"});
      ProcessResult result = world_.run(arguments);
      EXPECT_CODE(result, 2);
      EXPECT_HAS(result.err, cell);
    }
  }
}

TEST_F(BadInput, CellThatWasNeverJudged) {
  ProcessResult result = world_.run({"show", "fill@13.0.88/sm_90/O3"});
  EXPECT_CODE(result, 2);
  EXPECT_HAS(result.err, "'harness query --case fill'");
}

TEST_F(BadInput, ToolchainThatIsNotInstalled) {
  for (const char* name : {"13.2.51", "13.5.37"})
    world_.write(std::string("matrix/toolchains/") + name + ".txt", "");
  world_.writeMatrix([](Json& matrix) { matrix["toolchains"].push_back("13.5.37"); });
  expectRefused({}, 3, {"13.5.37", "harness toolchain install 13.5.37"});
  world_.writeMatrix([](Json& matrix) { matrix["toolchains"].push_back("13.2.51"); });
  expectRefused({}, 3, {"harness toolchain install 13.2.51 13.5.37"});
}

TEST_F(BadInput, ToolchainThatNothingInstalls) {
  for (const char* name : {"13.2.51", "13.5.37", "nvdisasm"})
    world_.write(std::string("matrix/toolchains/") + name + ".txt", "");
  struct Example {
    const char* toolchain;
    int code;
    const char* says;
  };
  for (const Example& example : {
           Example{"99.9.9", 2, "there is no toolchain '99.9.9' (the nearest is '13.5.37')"},
           {"13.2.5", 2, "(the nearest is '13.2.51')"},
           {"13.0.88+13.2.5", 2, "there is no toolchain '13.2.5' ("},
           {"nvdisasm", 2, "there is no toolchain 'nvdisasm'"},
           {"13.5.37", 3, "'13.5.37' is not installed; install it with: harness toolchain install 13.5.37\n"},
           {"13.5.37+13.0.88", 3, "harness toolchain install 13.5.37\n"},
       }) {
    ProcessResult result = world_.run({"explain", std::string("fill@") + example.toolchain + "/sm_80/O3"});
    EXPECT_CODE(result, example.code);
    EXPECT_HAS(result.err, example.says);
    EXPECT_EQ(result.err.find("installed:"), std::string::npos) << result.err;
  }
  world_.writeMatrix([](Json& matrix) { matrix["toolchains"].push_back("99.9.9"); });
  expectRefused({}, 2, {"there is no toolchain '99.9.9'"});
}

TEST_F(BadInput, ArchitectureThatNoCompilerKnows) {
  world_.write("fill.cu", "");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"check", "fill@13.0.88/sm_91/O3"},
                                             {"check", "fill", "--arch", "sm_91"},
                                             {"explain", "fill@13.0.88/sm_91/O3"},
                                             {"bisect", "fill", "--arch", "sm_91"},
                                             {"case", "validate", "fill", "--arch", "sm_91"},
                                             {"case", "new", world_.path("fill.cu"), "--arch", "sm_91"}}) {
    ProcessResult result = world_.run(words);
    EXPECT_CODE(result, words[0] == "check" ? 125 : 2);
    EXPECT_HAS(result.err, " an architecture 'sm_91'; the nearest ");
    EXPECT_HAS(result.err, "sm_90");
    EXPECT_EQ(result.out, "");
  }
  world_.writeMatrix([](Json& matrix) { matrix["archs"].push_back("sm_120q"); });
  expectRefused({}, 2, {"all.json: /archs/1: ", "'sm_120q'; the nearest are sm_120, sm_120a, sm_120f"});
}

TEST_F(BadInput, NoNvdisasm) {
  fs::remove_all(world_.path("toolchains/nvdisasm-13.5.37"));
  expectRefused({}, 3, {"harness toolchain install nvdisasm"});
}

TEST_F(BadInput, DirectoryThatIsNoToolkit) {
  ProcessResult result = world_.run({"toolchain", "add", world_.path("repros")});
  EXPECT_CODE(result, 2);
  EXPECT_HAS(result.err, "bin/ptxas");
}

TEST_F(BadInput, CacheThatCannotBeWritten) {
  world_.write("occupied", "a file");
  expectRefused({"--cache-dir", world_.path("occupied")}, 3, {"occupied"});
}

TEST_F(BadInput, CheckoutThatIsNone) {
  ProcessResult result = world_.run({"case", "list", "--root", "/usr"});
  EXPECT_CODE(result, 2);
  EXPECT_HAS(result.err, "/usr");
}

TEST_F(BadInput, CommandThatIsNone) {
  struct Example {
    std::vector<std::string> words;
    const char* error;
  };
  for (const Example& example :
       {Example{{}, "a command is missing; 'harness --help' shows what there is"},
        {{"frobnicate"}, "there is no command 'frobnicate'; 'harness --help' shows what there is"},
        {{"querry", "--all"}, "there is no command 'querry' (did you mean 'query'?); 'harness --help'"},
        {{"--nvcc", "13.0", "query"}, "'--nvcc' must stand behind 'query'"},
        {{"querry"},
         "there is no command 'querry' (did you mean 'query'?); 'harness --help' shows what there is"},
        {{"case"}, "a command is missing; 'harness case --help' shows what there is"},
        {{"case", "lisst"},
         "there is no command 'lisst' (did you mean 'list'?); 'harness case --help' shows"},
        {{"query", "--nvc", "13.0"},
         "there is no option '--nvc' (did you mean '--nvcc'?); 'harness query --help'"},
        {{"query", "--tools=13.0"}, "there is no option '--tools'; 'harness query --help' shows"},
        {{"--root"}, "--root: 1 required"},
        {{"run", "--matrx", "x"},
         "there is no option '--matrx' (did you mean '--matrix'?); 'harness run --help'"},
        {{"report", "--htm"}, "there is no option '--htm' (did you mean '--html'?); 'harness report --help'"},
        {{"query", "--limit", "-3"},
         "--limit: Value -3 not in range 1 to 1000000000; 'harness query --help'"},
        {{"query", "--limit", "0"}, "--limit: Value 0 not in range 1 to 1000000000"},
        {{"run", "--matrix", "x", "--cache-limit", "nan"}, "--cache-limit: 'nan' is no number"},
        {{"qu\x1b[31mery"}, "there is no command 'qu\\x1b[31mery'"},
        {{"report"}, "Exactly 1 option from [--html,--junit,--markdown] is required;"},
        {{"query", "--history", "--changed"}, "--history excludes --changed;"},
        {{"query", "fill"}, "nothing takes 'fill' here; 'harness query --help' shows what there is"}}) {
    ProcessResult result = world_.run(example.words);
    EXPECT_CODE(result, 2);
    EXPECT_EQ(result.err.find("harness: " + std::string(example.error)), 0u) << result.err;
  }
  EXPECT_CODE(world_.run({"query", "--format", "xml"}), 2);
  EXPECT_CODE(world_.run({"query", "--verdict", "good"}), 2);
  for (const char* command : {"report", "query"}) {
    std::vector<std::string> words = {command, "--run", "99"};
    if (words[0] == "report") words.push_back("--junit");
    ProcessResult result = world_.run(words);
    EXPECT_CODE(result, 2);
    EXPECT_HAS(result.err, "no run 99; its newest is 1");
  }
}

// ---- recorded verdicts

TEST_F(BadInput, SourceThatDoesNotCompile) {
  expectRecorded("//nvcc echo 'fill.cu(1): error: no such thing' >&2; exit 2", "compile-error",
                 "no such thing", 1);
}

TEST_F(BadInput, CompilerThatCrashes) {
  expectRecorded("//ptxas kill -SEGV $$", "ice", "killed by signal 11", 1);
}

TEST_F(BadInput, CompilerThatLoopsForEver) {
  expectRecorded("//ptxas while :; do :; done", "timeout", "timed out: more than 1 s of processor time", 1,
                 {"--compile-limit", "1", "--nvcc", "13.0", "--opt", "O3"});
}

TEST_F(BadInput, CompilerThatPrintsWithoutEnd) {
  expectRecorded("//nvcc exec yes", "infra-error", "printed more than its limit", 4, {"--nvcc", "13.0"});
}

TEST_F(BadInput, KernelThatIsNotInTheCubin) {
  world_.writeCase("it", "//ptxas emit right", [](Json& manifest) { manifest["kernel"] = "fell"; });
  EXPECT_CODE(world_.runMatrix(), 4);
  Json rows = world_.query({"--case", "it"});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0]["verdict"], "infra-error");
  EXPECT_HAS(rows[0]["executors"][0]["details"]["message"].get<std::string>(),
             "no kernel 'fell' in the cubin, which has fill; did you mean 'fill'?");
}

TEST_F(BadInput, TruncatedCubin) {
  expectRecorded("//ptxas emit right; truncate -s 1500 \"$out\"", "infra-error", "truncated", 4);
}

TEST_F(BadInput, CubinOfAnotherMachine) {
  expectRecorded("//ptxas cp /bin/true \"$out\"", "infra-error", "another machine", 4);
}

TEST_F(BadInput, CubinOfAnotherArch) {
  expectRecorded("//ptxas arch=sm_90; emit right", "infra-error", "the cubin is for sm_90", 4);
}

} // namespace
} // namespace harness::test

// harness-nvrtc and the NVRTC route, with a made-up libnvrtc.

#include "tests/compile/fakes.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

using test::Fakes;
using testing::HasSubstr;

const std::string kHelper = HARNESS_NVRTC_PROGRAM;
const std::string kLibrary = FAKE_NVRTC_LIBRARY;

ProcessResult runHelper(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), kHelper);
  ProcessSpec spec;
  spec.argv = std::move(arguments);
  return runProcess(spec);
}

class NvrtcTest : public testing::Test {
protected:
  NvrtcTest() {
    fakes_.toolchain.frontEnd.kind = FrontEndKind::Nvrtc;
    fakes_.toolchain.frontEnd.program = kLibrary;
    fakes_.toolchain.frontEnd.includeDirs = {fakes_.toolchain.root / "include"};
    Compiler::Options options = Fakes::quick();
    options.nvrtcProgram = kHelper;
    compiler_.emplace(fakes_.cache, options);
  }
  StageResult toPtx(const char* opt = "O3", std::string_view arch = "sm_90a") {
    return compiler_->toPtx(fakes_.source, fakes_.toolchain, arch, OptPoint::parse(opt));
  }
  std::string path(const char* name) { return (fakes_.directory.path() / name).string(); }

  Fakes fakes_;
  std::optional<Compiler> compiler_;
};

TEST_F(NvrtcTest, HelperCompilesAndLowersNames) {
  std::string source = fakes_.write("k.cu", "body").string();
  ProcessResult result =
      runHelper({"--lib", kLibrary, "--out", path("k.ptx"), "--log", path("k.log"), "--name-expression",
                 "f<1>", "--name-expression", "g", source, "--", "-arch=compute_90", "-G"});
  EXPECT_TRUE(result.ok()) << result.err;
  EXPECT_EQ(result.out, "f<1>\t_Zf<1>\ng\t_Zg\n");
  EXPECT_EQ(readFile(path("k.ptx")), "-arch=compute_90\n-G\n" + source + "\nbody");
  EXPECT_EQ(readFile(path("k.log")), "");
}

TEST_F(NvrtcTest, HelperTellsErrorsApart) {
  std::string bad = fakes_.write("bad.cu", "BAD").string();
  ProcessResult refused =
      runHelper({"--lib", kLibrary, "--out", path("k.ptx"), "--log", path("k.log"), bad, "--"});
  EXPECT_EQ(refused.exitCode, 1);
  EXPECT_THAT(refused.err, HasSubstr("NVRTC_ERROR_COMPILATION"));
  EXPECT_THAT(readFile(path("k.log")), HasSubstr("identifier \"BAD\""));
  EXPECT_FALSE(std::filesystem::exists(path("k.ptx")));

  std::string absent = path("absent.so");
  EXPECT_EQ(runHelper({"--lib", absent, "--version"}).exitCode, 2);
  EXPECT_EQ(runHelper({"--lib", "libm.so.6", "--version"}).exitCode, 2);
  EXPECT_EQ(runHelper({"--lib", kLibrary}).exitCode, 2);
  EXPECT_EQ(
      runHelper({"--lib", kLibrary, "--out", path("o"), "--log", path("l"), path("absent.cu")}).exitCode, 2);
  EXPECT_EQ(runHelper({}).exitCode, 2);
  EXPECT_EQ(runHelper({"--frobnicate"}).exitCode, 2);
}

TEST_F(NvrtcTest, HelperPrintsTheVersion) {
  ProcessResult result = runHelper({"--lib", kLibrary, "--version"});
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(result.out, "12.9\n");
}

TEST_F(NvrtcTest, CompilerGivesTheVirtualArchAndTheOptionsInNvccSpelling) {
  fakes_.source.defines = {"N=3"};
  fakes_.source.include = {fakes_.write("inc/x.h", "").parent_path()};
  StageResult ptx = toPtx("O1+fmad=false");
  ASSERT_EQ(ptx.status, CompileStatus::Ok) << ptx.log;
  EXPECT_EQ(fakes_.ptx(ptx), "-arch=compute_90a\n-std=c++17\n-fmad=false\n-DN=3\n-I/proc/self/cwd/inc0\n-I" +
                                 fakes_.toolchain.frontEnd.includeDirs[0].string() +
                                 "\n/proc/self/cwd/src/kernel.cu\n// kernel\n");
  EXPECT_EQ(ptx.command,
            "harness-nvrtc --lib libfake_nvrtc.so --out kernel.ptx --log kernel.log kernel.cu -- "
            "-arch=compute_90a -std=c++17 -fmad=false -DN=3 -I../inc -Iinclude");
  auto before = processesStarted("harness-nvrtc");
  EXPECT_TRUE(toPtx("O0+fmad=false").cached);
  EXPECT_EQ(processesStarted("harness-nvrtc"), before);
}

TEST_F(NvrtcTest, CompilerJudgesHowItEnded) {
  auto statusOf = [&](const char* text, std::string_view arch = "sm_90") {
    fakes_.source.file = fakes_.write("case/kernel.cu", text);
    return toPtx("O3", arch);
  };
  StageResult bad = statusOf("BAD");
  EXPECT_EQ(bad.status, CompileStatus::CompileError);
  EXPECT_THAT(bad.log, HasSubstr("src/kernel.cu(1): error: identifier \"BAD\" is undefined"));
  EXPECT_EQ(statusOf("INTERNAL").status, CompileStatus::Ice);
  EXPECT_EQ(statusOf("CRASH").status, CompileStatus::Ice);
  StageResult unknown = statusOf("fine", "sm_99");
  EXPECT_EQ(unknown.status, CompileStatus::Skipped);
  EXPECT_THAT(unknown.log, HasSubstr("invalid value for --gpu-architecture"));
}

TEST_F(NvrtcTest, BrokenLibraryIsAnInfraError) {
  fakes_.toolchain.frontEnd.program = path("absent.so");
  StageResult ptx = toPtx();
  EXPECT_EQ(ptx.status, CompileStatus::InfraError);
  EXPECT_THAT(ptx.log, HasSubstr("cannot load"));
}

} // namespace
} // namespace harness

#include "harness/base/error.h"
#include "harness/base/parallel.h"
#include "harness/compile/compile.h"

#include "tests/compile/fakes.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <functional>
#include <set>

namespace harness {
namespace {

namespace fs = std::filesystem;
using test::Fakes;
using testing::HasSubstr;
using testing::Not;

const OptPoint kO3 = OptPoint::parse("O3");

class CompileTest : public testing::Test {
protected:
  StageResult toPtx(const char* opt = "O3", std::string_view arch = "sm_90") {
    return compiler_.toPtx(fakes_.source, fakes_.toolchain, arch, OptPoint::parse(opt));
  }
  StageResult toCubin(const std::string& ptx, const char* opt = "O3", std::string_view arch = "sm_90") {
    return compiler_.toCubin(ptx, fakes_.toolchain, arch, OptPoint::parse(opt));
  }
  Fakes fakes_;
  Compiler compiler_{fakes_.cache, Fakes::quick()};
};

TEST_F(CompileTest, StagesFollowEachOther) {
  StageResult ptx = toPtx();
  ASSERT_EQ(ptx.status, CompileStatus::Ok) << ptx.log;
  EXPECT_EQ(fakes_.ptx(ptx), "// kernel\n");
  EXPECT_FALSE(ptx.cached);
  EXPECT_GT(ptx.seconds, 0);
  StageResult cubin = toCubin(ptx.hash);
  ASSERT_EQ(cubin.status, CompileStatus::Ok) << cubin.log;
  EXPECT_EQ(cubin.hash, ptx.hash);
}

TEST_F(CompileTest, SecondCallStartsNoProcess) {
  fakes_.writeNvcc("echo noisy >&2" + std::string(Fakes::kCopy));
  StageResult ptx = toPtx();
  StageResult cubin = toCubin(ptx.hash);
  auto started = [] {
    return std::vector{processesStarted("nvcc"), processesStarted("ptxas"), processesStarted("gcc")};
  };
  auto before = started();
  StageResult ptxAgain = toPtx("O0"); // the level is of ptxas: the PTX is the same
  StageResult cubinAgain = toCubin(ptx.hash);
  EXPECT_EQ(started(), before);
  EXPECT_TRUE(ptxAgain.cached);
  EXPECT_TRUE(cubinAgain.cached);
  EXPECT_EQ(ptxAgain.log, "noisy\n");
  EXPECT_EQ(ptxAgain.log, ptx.log);
  EXPECT_EQ(ptxAgain.hash, ptx.hash);
  EXPECT_EQ(ptxAgain.command, ptx.command);
  EXPECT_EQ(ptxAgain.seconds, ptx.seconds);
}

TEST_F(CompileTest, CommandsCanBePastedAndNameNoPrivatePath) {
  fakes_.write("common/x.h", "");
  fakes_.source.include = {fakes_.directory.path() / "common"};
  fakes_.source.defines = {"N=1 + 2"};
  StageResult ptx = toPtx("G");
  EXPECT_EQ(ptx.command,
            "bin/nvcc -ptx -arch=sm_90 -std=c++17 -G '-DN=1 + 2' -I../common kernel.cu -o kernel.ptx");
  EXPECT_EQ(toCubin(ptx.hash, "O0+maxrregcount=32").command,
            "bin/ptxas -arch=sm_90 -m64 -O0 -maxrregcount=32 kernel.ptx -o kernel.cubin");
}

TEST_F(CompileTest, MessagesNameNoPrivatePath) {
  fakes_.writeNvcc(
      R"(echo "$PWD/src/kernel.cu(1): error: bad"; echo "$(pwd -P)/tmp/x.ii"; dirname $0; exit 1)");
  StageResult ptx = toPtx();
  EXPECT_EQ(ptx.status, CompileStatus::CompileError);
  EXPECT_THAT(ptx.log, HasSubstr("src/kernel.cu(1): error: bad\ntmp/x.ii\n"));
}

TEST_F(CompileTest, SourceThatDoesNotCompileIsRememberedWithItsLog) {
  fakes_.writeNvcc("echo 'kernel.cu(1): error: identifier \"x\" is undefined' >&2; exit 2");
  StageResult ptx = toPtx();
  EXPECT_EQ(ptx.status, CompileStatus::CompileError);
  EXPECT_EQ(ptx.hash, "");
  EXPECT_THAT(ptx.log, HasSubstr("identifier \"x\" is undefined"));
  StageResult again = toPtx();
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.status, CompileStatus::CompileError);
  EXPECT_EQ(again.log, ptx.log);
}

TEST_F(CompileTest, CompilerThatHangsIsATimeoutAndAskedAgain) {
  StageResult ptx = toPtx();
  fakes_.writePtxas("sleep 1000");
  Compiler::Options options = Fakes::quick();
  options.limits.wall = std::chrono::milliseconds(200);
  Compiler compiler(fakes_.cache, options);
  StageResult cubin = compiler.toCubin(ptx.hash, fakes_.toolchain, "sm_90", kO3);
  EXPECT_EQ(cubin.status, CompileStatus::Timeout);
  EXPECT_THAT(cubin.log, HasSubstr("timed out"));
  fakes_.writePtxas(Fakes::kCopy);
  EXPECT_EQ(toCubin(ptx.hash).status, CompileStatus::Ok);
}

TEST_F(CompileTest, CompilerThatCrashesIsAnIce) {
  StageResult ptx = toPtx();
  fakes_.writePtxas("kill -SEGV $$");
  StageResult cubin = toCubin(ptx.hash);
  EXPECT_EQ(cubin.status, CompileStatus::Ice);
  EXPECT_THAT(cubin.log, HasSubstr("signal 11"));
  EXPECT_TRUE(toCubin(ptx.hash).cached);
}

TEST_F(CompileTest, CompilerThatPrintsWithoutEndIsAnInfraErrorAndAskedAgain) {
  fakes_.writeNvcc(
      "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done");
  Compiler::Options options = Fakes::quick();
  options.limits.wall = std::chrono::seconds(60);
  options.limits.outputBytes = 200'000;
  Compiler compiler(fakes_.cache, options);
  StageResult ptx = compiler.toPtx(fakes_.source, fakes_.toolchain, "sm_90", kO3);
  EXPECT_EQ(ptx.status, CompileStatus::InfraError);
  EXPECT_LE(ptx.log.size(), std::size_t{64} << 10);
  fakes_.writeNvcc(Fakes::kCopy);
  EXPECT_EQ(toPtx().status, CompileStatus::Ok);
}

TEST_F(CompileTest, CompilerThatIsNotThereIsAnInfraError) {
  fakes_.toolchain.frontEnd.program = fakes_.toolchain.root / "absent";
  StageResult ptx = toPtx();
  EXPECT_EQ(ptx.status, CompileStatus::InfraError);
  EXPECT_THAT(ptx.log, HasSubstr("absent"));
}

TEST_F(CompileTest, CompilerThatWritesNothingIsAnIce) {
  fakes_.writeNvcc("exit 0");
  StageResult ptx = toPtx();
  EXPECT_EQ(ptx.status, CompileStatus::Ice);
  EXPECT_THAT(ptx.log, HasSubstr("wrote no output"));
}

TEST_F(CompileTest, UnknownArchAndMissingDoorsAreSkipped) {
  EXPECT_EQ(toPtx("O3", "sm_110").status, CompileStatus::Skipped);
  StageResult cubin = toCubin(std::string(64, '0'), "O3", "sm_110");
  EXPECT_EQ(cubin.status, CompileStatus::Skipped);
  EXPECT_EQ(cubin.log, "ptxas 1.2.3 does not know sm_110");
  fakes_.toolchain.frontEnd.kind = FrontEndKind::Nvrtc;
  StageResult ptx = toPtx("cicc-O1");
  EXPECT_EQ(ptx.status, CompileStatus::Skipped);
  EXPECT_EQ(ptx.log, "NVRTC 1.2.3 has no -Xcicc, so no cicc-O1");
}

TEST_F(CompileTest, PtxSourceIsTakenAsItIs) {
  fakes_.source.file = fakes_.write("case/kernel.ptx", ".version 8.0\n");
  auto before = processesStarted("nvcc");
  for (const char* opt : {"O0", "G", "O3+fmad=false"})
    EXPECT_EQ(fakes_.ptx(toPtx(opt)), ".version 8.0\n") << opt;
  EXPECT_EQ(processesStarted("nvcc"), before);
  EXPECT_EQ(toPtx("cicc-O1").status, CompileStatus::Skipped);
  EXPECT_EQ(toPtx("O3+ftz=true").status, CompileStatus::Skipped);
}

TEST_F(CompileTest, OnlyTheVersionLineIsLoweredAndOnlyIfTooNew) {
  auto cubinOf = [&](const std::string& ptx) { return toCubin(fakes_.cache.putArtifact(ptx)); };
  StageResult lowered = cubinOf("// .version 9.9 in a comment\n.version 9.0\n.target sm_90 // 9.0\n");
  EXPECT_EQ(fakes_.ptx(lowered), "// .version 9.9 in a comment\n.version 8.8\n.target sm_90 // 9.0\n");
  EXPECT_THAT(lowered.log, HasSubstr(".version 9.0 lowered to 8.8"));
  StageResult kept = cubinOf(".version 8.8\n");
  EXPECT_EQ(fakes_.ptx(kept), ".version 8.8\n");
  EXPECT_EQ(kept.log, "");
  StageResult older = cubinOf(".version 7.8\n");
  EXPECT_EQ(fakes_.ptx(older), ".version 7.8\n");
}

TEST_F(CompileTest, RemovedArtifactIsMadeAgain) {
  StageResult ptx = toPtx();
  fs::remove(fakes_.cache.artifactPath(ptx.hash));
  StageResult again = toPtx();
  EXPECT_FALSE(again.cached);
  EXPECT_EQ(again.hash, ptx.hash);
  EXPECT_TRUE(fakes_.cache.hasArtifact(ptx.hash));
}

TEST_F(CompileTest, PtxThatIsGoneIsTheEnvironments) {
  try {
    toCubin(std::string(64, '0'));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Environment);
  }
}

TEST_F(CompileTest, DamagedActionIsMadeAgain) {
  StageResult ptx = toPtx();
  std::vector<fs::path> actions;
  for (const auto& entry : fs::recursive_directory_iterator(fakes_.cache.directory() / "action"))
    if (entry.is_regular_file()) actions.push_back(entry.path());
  ASSERT_EQ(actions.size(), 1u);
  for (const char* text :
       {"", "{", "[]", R"({"status":"ok","hash":"../..","command":"","log":"","seconds":1})",
        R"({"status":"ok","hash":1,"command":"","log":"","seconds":1})",
        R"({"status":"fine","hash":"","command":"","log":"","seconds":1})"}) {
    writeFileAtomically(actions[0], text);
    StageResult again = toPtx();
    EXPECT_FALSE(again.cached) << text;
    EXPECT_EQ(again.hash, ptx.hash) << text;
  }
}

/// Every change below is one input of the front end; `changes the key` = the fake nvcc is started again.
TEST_F(CompileTest, EveryInputOfTheFrontEndIsInItsKey) {
  fakes_.source.file = fakes_.write("case/kernel.cu", "#include \"a.h\"\n");
  fakes_.write("case/a.h", "1");
  fakes_.write("inc/b.h", "1");
  std::vector<std::pair<const char*, std::function<void()>>> changes = {
      {"source", [&] { fakes_.write("case/kernel.cu", "#include \"a.h\"\n#include <b.h>\n"); }},
      {"header beside it", [&] { fakes_.write("case/a.h", "2"); }},
      {"include directory", [&] { fakes_.source.include = {fakes_.directory.path() / "inc"}; }},
      {"header in it", [&] { fakes_.write("inc/b.h", "2"); }},
      {"define", [&] { fakes_.source.defines = {"X"}; }},
      {"value of a define", [&] { fakes_.source.defines = {"X=2"}; }},
      {"front end", [&] { fakes_.toolchain.frontEnd.identity = "another"; }},
  };
  ASSERT_EQ(toPtx().status, CompileStatus::Ok);
  for (auto& [what, change] : changes) {
    change();
    EXPECT_FALSE(toPtx().cached) << what;
    EXPECT_TRUE(toPtx().cached) << what;
  }
  for (const char* opt : {"G", "cicc-O1", "O3+fmad=false", "O3+fmad=true", "O3+maxrregcount=32"})
    EXPECT_FALSE(toPtx(opt).cached) << opt;
  EXPECT_FALSE(toPtx("O3", "sm_90a").cached);
}

TEST_F(CompileTest, WhatCannotChangeThePtxIsNotInItsKey) {
  toPtx();
  fakes_.write("case/unrelated.h", "x");
  fakes_.toolchain.ptxas.sha256 = "another";
  fakes_.toolchain.name = "1.2.3+4.5.6";
  EXPECT_TRUE(toPtx("O1").cached);
  fakes_.source.file = fakes_.write("another/checkout/kernel.cu", "// kernel\n");
  EXPECT_TRUE(toPtx().cached);
}

TEST_F(CompileTest, EveryInputOfPtxasIsInItsKey) {
  std::string ptx = toPtx().hash;
  toCubin(ptx);
  EXPECT_TRUE(toCubin(ptx).cached);
  EXPECT_FALSE(toCubin(ptx, "O2").cached);
  EXPECT_FALSE(toCubin(ptx, "G").cached);
  EXPECT_FALSE(toCubin(ptx, "O3", "sm_90a").cached);
  EXPECT_FALSE(toCubin(fakes_.cache.putArtifact("other")).cached);
  fakes_.toolchain.frontEnd.identity = "another";
  EXPECT_TRUE(toCubin(ptx).cached);
  fakes_.toolchain.ptxas.sha256 = "another";
  EXPECT_FALSE(toCubin(ptx).cached);
}

TEST_F(CompileTest, UserEnvironmentDoesNotReachTheCompiler) {
  setenv("NVCC_APPEND_FLAGS", "-DEVIL", 1);
  setenv("CPATH", "/evil", 1);
  fakes_.writeNvcc(R"(echo "[$NVCC_APPEND_FLAGS$CPATH][$PWD][$TMPDIR]"; test -d "$TMPDIR" || exit 1)" +
                   std::string(Fakes::kCopy));
  StageResult ptx = toPtx();
  unsetenv("NVCC_APPEND_FLAGS");
  unsetenv("CPATH");
  EXPECT_THAT(ptx.log, HasSubstr("[][/proc/self/cwd][tmp]"));
}

TEST_F(CompileTest, ThreadsThatAskForTheSameCompileItOnce) {
  fakes_.writeNvcc("sleep 0.3" + std::string(Fakes::kCopy));
  auto before = processesStarted("nvcc");
  std::vector<StageResult> results(6);
  parallelFor(results.size(), 6, [&](std::size_t i) { results[i] = toPtx(); });
  EXPECT_EQ(processesStarted("nvcc"), before + 1);
  for (const StageResult& result : results)
    EXPECT_EQ(result.hash, results[0].hash);
  EXPECT_EQ(std::count_if(results.begin(), results.end(), [](const StageResult& r) { return !r.cached; }), 1);
}

TEST_F(CompileTest, NothingIsLeftInTheTemporaryDirectory) {
  fs::path temporary = fakes_.directory.path() / "tmp";
  fs::create_directory(temporary);
  setenv("TMPDIR", temporary.c_str(), 1);
  fakes_.writeNvcc("echo leak > $TMPDIR/leak; echo leak > leak; mkdir -p $TMPDIR/a/b" +
                   std::string(Fakes::kCopy));
  StageResult ptx = toPtx();
  unsetenv("TMPDIR");
  EXPECT_EQ(ptx.status, CompileStatus::Ok) << ptx.log;
  EXPECT_TRUE(fs::is_empty(temporary));
}

TEST_F(CompileTest, FullDiskIsTheEnvironments) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit none{0, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &none);
  std::string message;
  try {
    toPtx();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Environment);
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_THAT(message, HasSubstr("cannot write"));
  EXPECT_EQ(toPtx().status, CompileStatus::Ok) << "nothing bad may be remembered";
}

TEST_F(CompileTest, CacheThatCannotBeWrittenIsTheEnvironments) {
  fs::remove_all(fakes_.cache.directory() / "artifact");
  fakes_.write("cache/artifact", "a file in the place of the directory");
  try {
    toPtx();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Environment);
  }
}

TEST_F(CompileTest, HostileNamesAndDefinesAreRefused) {
  auto kindOf = [&] {
    try {
      toPtx();
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::Internal;
  };
  for (const char* define :
       {"X=$(id)", "X=`id`", "X=\"", "X=\\", "X=1,2", "1X", "", "=1", "X Y=1", "-x", "X=\n"}) {
    fakes_.source.defines = {define};
    EXPECT_EQ(kindOf(), ErrorKind::Usage) << define;
  }
  fakes_.source.defines.clear();
  fakes_.source.file = fakes_.write("case/kernel.cpp", "");
  EXPECT_EQ(kindOf(), ErrorKind::Usage);
  fakes_.source.file = fakes_.write("case/$(id).cu", "");
  EXPECT_EQ(kindOf(), ErrorKind::Usage);
  fakes_.source.file = fakes_.directory.path() / "absent.cu";
  EXPECT_EQ(kindOf(), ErrorKind::Usage);
}

} // namespace
} // namespace harness

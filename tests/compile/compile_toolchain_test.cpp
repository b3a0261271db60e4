// Staged compilation with real compilers. Needs installed toolchains (label `toolchain`): a missing one is a
// failure.

#include "harness/base/artifact_cache.h"
#include "harness/base/parallel.h"
#include "harness/compile/compile.h"

#include "tests/compile/cubin_text.h"
#include "tests/compile/toolchains.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <thread>

namespace harness {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kArchs[] = {"sm_75",  "sm_80",   "sm_86",  "sm_87",   "sm_88",  "sm_89",
                                  "sm_90",  "sm_90a",  "sm_100", "sm_100a", "sm_103", "sm_103a",
                                  "sm_110", "sm_110a", "sm_120", "sm_120a", "sm_121", "sm_121a"};

/// Plain code, of which the front end makes the same PTX every time (unlike of local arrays indexed at run
/// time).
constexpr const char* kKernel = R"(
static __device__ int table[4] = {2, 3, 5, 7};
namespace { __device__ int seen; }
static __device__ __noinline__ int weigh(int x) { return x * table[x & 3] + seen; }
extern "C" __global__ void kernel(const float* in, float* out, int n) {
  static __shared__ float tile[32];
  int i = threadIdx.x;
  tile[i] = in[i] * 3.0f + 1.0f;
  __syncthreads();
  if (i == 0) seen = n;
  for (int k = 0; k < n; ++k) tile[i] += in[(i + k) & 31] / 7.0f;
  out[i] = tile[31 - i] + weigh(i % n);
}
)";

class CompileToolchainTest : public testing::Test {
protected:
  fs::path write(const std::string& name, const std::string& text) {
    fs::path path = directory_.path() / name;
    fs::create_directories(path.parent_path());
    writeFileAtomically(path, text);
    return path;
  }
  static Toolchain toolchain(std::string_view name) { return test::installedToolchains().get(name); }
  std::string bytes(const StageResult& result) {
    EXPECT_EQ(result.status, CompileStatus::Ok) << result.command << "\n" << result.log;
    return result.status == CompileStatus::Ok ? cache_.getArtifact(result.hash).value_or("") : "";
  }
  std::string ptx(const fs::path& source, const Toolchain& toolchain, std::string_view arch,
                  const char* opt) {
    return bytes(compiler_.toPtx({source, {}, {}}, toolchain, arch, OptPoint::parse(opt)));
  }

  /// The cubin of one call of the driver on the same source.
  std::string driverCubin(const fs::path& source, const Toolchain& toolchain, std::string_view arch,
                          std::vector<std::string> options) {
    TempDir directory("driver");
    ProcessSpec spec;
    spec.argv = {toolchain.frontEnd.program.string(), "-cubin", "-arch=" + std::string(arch), "-std=c++17"};
    spec.argv.insert(spec.argv.end(), options.begin(), options.end());
    spec.argv.insert(spec.argv.end(), {source.string(), "-o", "k.cubin"});
    spec.environment = {{"TMPDIR", directory.path().string()}};
    spec.directory = directory.path();
    ProcessResult result = runProcess(spec);
    EXPECT_TRUE(result.ok()) << result.err;
    return result.ok() ? readFile(directory.path() / "k.cubin") : "";
  }

  TempDir directory_{"compile-toolchain-test"};
  ArtifactCache cache_{directory_.path() / "cache"};
  Compiler compiler_{cache_, {}};
};

/// Code bytes of a staged and a driver build must be equal in every section. Names of internal functions hold
/// a hash of the source's path, so sections are matched in order with that hash wiped out.
std::map<std::string, std::string> comparable(const std::string& cubin) {
  std::map<std::string, std::string> texts;
  static const std::regex kPathHash("(_INTERNAL_|_GLOBAL__N__)[0-9a-f]{8}");
  for (const auto& [name, bytes] : test::textSections(cubin))
    texts[std::regex_replace(name, kPathHash, "$1")] = bytes;
  return texts;
}

struct DriverCase {
  const char* opt;
  std::vector<std::string> driverOptions;
};

class StagedEqualsDriver : public CompileToolchainTest, public testing::WithParamInterface<DriverCase> {};

TEST_P(StagedEqualsDriver, OnEveryArch) {
  Toolchain tools = toolchain("13.0.88");
  fs::path source = write("case/kernel.cu", kKernel);
  OptPoint opt = OptPoint::parse(GetParam().opt);
  parallelFor(std::size(kArchs), std::thread::hardware_concurrency(), [&](std::size_t i) {
    StageResult staged = compiler_.toPtx({source, {}, {}}, tools, kArchs[i], opt);
    std::string stagedCubin = bytes(compiler_.toCubin(staged.hash, tools, kArchs[i], opt));
    std::string driver = driverCubin(source, tools, kArchs[i], GetParam().driverOptions);
    if (stagedCubin.empty() || driver.empty()) return; // reported above
    auto stagedTexts = comparable(stagedCubin);
    EXPECT_TRUE(stagedTexts.contains(".text.kernel")) << kArchs[i];
    EXPECT_TRUE(stagedTexts == comparable(driver)) << kArchs[i] << ": code bytes differ";
  });
}

INSTANTIATE_TEST_SUITE_P(Opts, StagedEqualsDriver,
                         testing::Values(DriverCase{"O0", {"-Xptxas", "-O0"}},
                                         DriverCase{"O3", {"-Xptxas", "-O3"}}, DriverCase{"G", {"-G"}},
                                         DriverCase{"cicc-O1", {"-Xcicc", "-O1"}},
                                         DriverCase{"O3+fmad=false+maxrregcount=24",
                                                    {"-Xptxas", "-O3", "-fmad=false", "-maxrregcount=24"}}),
                         [](const auto& info) {
                           std::string name = info.param.opt;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

TEST_F(CompileToolchainTest, ComparisonWithTheDriverCanFail) {
  Toolchain tools = toolchain("13.0.88");
  fs::path source = write("case/kernel.cu", kKernel);
  std::string hash = cache_.putArtifact(ptx(source, tools, "sm_90", "O3"));
  auto codeAt = [&](const char* opt) {
    return comparable(bytes(compiler_.toCubin(hash, tools, "sm_90", OptPoint::parse(opt))));
  };
  EXPECT_TRUE(codeAt("O3") == comparable(driverCubin(source, tools, "sm_90", {})));
  EXPECT_FALSE(codeAt("O0") == comparable(driverCubin(source, tools, "sm_90", {})));
}

/// The place of the source may not show in the PTX, or two checkouts would share nothing.
TEST_F(CompileToolchainTest, PtxDoesNotDependOnWhereTheSourceLies) {
  fs::path one = write("a/kernel.cu", kKernel);
  fs::path two = write("somewhere/else/deeper/kernel.cu", kKernel);
  for (const char* name : {"13.0.88", "13.5.37", "12.9.86"}) {
    Toolchain tools = toolchain(name);
    for (const char* opt : {"O3", "G", "O3+lineinfo"}) {
      ArtifactCache otherCache(directory_.path() / "other-cache" / name / opt);
      Compiler other(otherCache, {});
      StageResult result = other.toPtx({two, {}, {}}, tools, "sm_90a", OptPoint::parse(opt));
      ASSERT_EQ(result.status, CompileStatus::Ok) << result.log;
      EXPECT_FALSE(result.cached);
      std::string text = ptx(one, tools, "sm_90a", opt);
      EXPECT_TRUE(text == otherCache.getArtifact(result.hash)) << name << " " << opt;
      EXPECT_THAT(text, Not(HasSubstr(directory_.path().filename().string()))) << name << " " << opt;
      EXPECT_THAT(text, HasSubstr("_INTERNAL_")) << "the kernel no longer has names that could depend on it";
    }
  }
}

TEST_F(CompileToolchainTest, IncludesAndDefinesReachEveryFrontEnd) {
  KernelSource source;
  source.file =
      write("case/kernel.cu", "#include \"near.h\"\n#include <far.h>\n#include \"../up/up.h\"\n"
                              "#include <cuda_fp16.h>\n"
                              "extern \"C\" __global__ void k(int* p) { *p = NEAR + FAR + UP + GIVEN; }\n");
  write("case/near.h", "#define NEAR 1000\n");
  write("up/up.h", "#define UP 200\n");
  source.include = {write("far/far.h", "#define FAR 30\n").parent_path()};
  source.defines = {"GIVEN=(2 + 2)"};
  for (const char* name : {"13.0.88", "12.9.86", "11.8.89"}) {
    StageResult result = compiler_.toPtx(source, toolchain(name), "sm_90", OptPoint::parse("O3"));
    EXPECT_THAT(bytes(result), HasSubstr("1234")) << name;
  }
}

TEST_F(CompileToolchainTest, ErrorsOfRealCompilersAreTold) {
  fs::path bad = write("case/bad.cu", "extern \"C\" __global__ void k(int* p) { *p = nothing; }\n");
  fs::path preprocessor = write("case/pre.cu", "#include \"absent.h\"\n");
  for (const char* name : {"13.0.88", "13.5.37", "12.9.86", "11.8.89"}) {
    Toolchain tools = toolchain(name);
    for (const auto& [file, message] : {std::pair(bad, "nothing"), std::pair(preprocessor, "absent.h")}) {
      StageResult result = compiler_.toPtx({file, {}, {}}, tools, "sm_90", OptPoint::parse("O3"));
      EXPECT_EQ(result.status, CompileStatus::CompileError) << name << result.log;
      EXPECT_THAT(result.log, HasSubstr(message)) << name;
      EXPECT_THAT(result.log, Not(HasSubstr("/tmp"))) << name;
    }
    StageResult result = compiler_.toCubin(cache_.putArtifact(".version 7.0\n.target sm_75\nnonsense\n"),
                                           tools, "sm_90", OptPoint::parse("O3"));
    EXPECT_EQ(result.status, CompileStatus::CompileError) << name << result.log;
    EXPECT_THAT(result.log, HasSubstr("nonsense")) << name;
  }
}

TEST_F(CompileToolchainTest, WhatAToolchainLacksIsSkipped) {
  fs::path source = write("case/kernel.cu", kKernel);
  Toolchain old = toolchain("11.8.89");
  EXPECT_EQ(compiler_.toPtx({source, {}, {}}, old, "sm_110", OptPoint::parse("O3")).status,
            CompileStatus::Skipped);
  EXPECT_EQ(compiler_.toPtx({source, {}, {}}, old, "sm_90", OptPoint::parse("cicc-O1")).status,
            CompileStatus::Skipped);
  for (const char* name : {"11.8.89", "12.9.86", "13.0.88"}) { // a front end older than its ptxas
    Toolchain pair = toolchain(name);
    pair.ptxas.archs.push_back("sm_199");
    StageResult result = compiler_.toPtx({source, {}, {}}, pair, "sm_199", OptPoint::parse("O3"));
    EXPECT_EQ(result.status, CompileStatus::Skipped) << name << result.log;
    result = compiler_.toCubin(cache_.putArtifact(".version 7.0\n.target sm_75\n"), pair, "sm_199",
                               OptPoint::parse("O3"));
    EXPECT_EQ(result.status, CompileStatus::Skipped) << name << result.log;
  }
  EXPECT_EQ(compiler_.toPtx({source, {}, {}}, old, "sm_90", OptPoint::parse("O3+Ofc=min")).status,
            CompileStatus::Skipped);
}

TEST_F(CompileToolchainTest, NewPtxIsLoweredForAnOlderPtxas) {
  fs::path source = write("case/kernel.cu", kKernel);
  StageResult newest =
      compiler_.toPtx({source, {}, {}}, toolchain("13.5.37"), "sm_90", OptPoint::parse("O3"));
  StageResult cubin = compiler_.toCubin(newest.hash, toolchain("12.9.86"), "sm_90", OptPoint::parse("O3"));
  EXPECT_EQ(cubin.status, CompileStatus::Ok) << cubin.log;
  EXPECT_THAT(cubin.log, HasSubstr("lowered to"));
}

} // namespace
} // namespace harness

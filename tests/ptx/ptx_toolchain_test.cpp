// What real front ends emit (label `toolchain`): a missing toolchain is a failure.

#include "harness/base/artifact_cache.h"
#include "harness/base/error.h"
#include "harness/base/parallel.h"
#include "harness/matrix/manifest.h"
#include "harness/ptx/syntax.h"

#include "tests/compile/toolchains.h"
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace harness::ptx {
namespace {

namespace fs = std::filesystem;

std::vector<CaseManifest> cases() {
  std::vector<CaseManifest> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(CASES))
    if (fs::exists(entry.path() / "case.json")) all.push_back(CaseManifest::load(entry.path()));
  return all;
}

struct FrontEndCase {
  const char* toolchain;
  const char* arch;
};

class PtxToolchain : public testing::TestWithParam<FrontEndCase> {};

/// The PTX of every case parses, optimised and for the debugger, and prints as text that prints the same.
TEST_P(PtxToolchain, CasesRoundTrip) {
  TempDir directory("ptx-toolchain-test");
  ArtifactCache cache(directory.path() / "cache");
  Compiler compiler(cache, {});
  Toolchain toolchain = test::installedToolchains().get(GetParam().toolchain);
  std::vector<CaseManifest> all = cases();
  ASSERT_GT(all.size(), 100u);
  std::atomic<std::size_t> taken = 0;
  parallelFor(all.size(), std::thread::hardware_concurrency(), [&](std::size_t i) {
    for (const char* opt : {"O3+lineinfo", "G"}) {
      std::string name = all[i].id + "/" + opt;
      StageResult result = compiler.toPtx(all[i].source, toolchain, GetParam().arch, OptPoint::parse(opt));
      if (result.status != CompileStatus::Ok) continue; // some need a newer front end
      try {
        std::string printed = print(parseModule(cache.getArtifact(result.hash).value(), name));
        EXPECT_EQ(print(parseModule(printed, name + " printed")), printed);
        ++taken;
      } catch (const Error& error) {
        ADD_FAILURE() << error.what();
      }
    }
  });
  EXPECT_GT(taken, all.size());
}

INSTANTIATE_TEST_SUITE_P(FrontEnds, PtxToolchain,
                         testing::Values(FrontEndCase{"11.8.89", "sm_80"}, FrontEndCase{"13.0.88", "sm_90a"}),
                         [](const auto& info) {
                           std::string name = info.param.toolchain;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

} // namespace
} // namespace harness::ptx

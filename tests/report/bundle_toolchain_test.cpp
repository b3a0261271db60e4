// A repro must compile and link with CUDA 13 toolkits. Needs installed toolchains (label `toolchain`).
#include "harness/base/files.h"
#include "harness/base/subprocess.h"

#include "tests/compile/toolchains.h"
#include "tests/report/bundle_example.h"
#include <gtest/gtest.h>

#include <filesystem>

namespace harness {
namespace {

std::vector<std::string> compilers() {
  std::vector<std::string> programs;
  for (const Toolchain& toolchain : test::oldestAndNewestNvcc())
    programs.push_back(toolchain.frontEnd.program);
  return programs;
}

ProcessResult compile(const std::string& nvcc, const std::string& arch, const BundleInput& input) {
  TempDir dir("bundle");
  writeBundle(input, (dir.path() / "bundle/").string());
  ProcessSpec spec;
  // In the wheels the runtime lies in lib/, where their nvcc does not look.
  std::string libraries = std::filesystem::path(nvcc).parent_path().parent_path() / "lib";
  spec.argv = {nvcc, "-std=c++17", "-arch=" + arch, "-Werror", "all-warnings", "-L" + libraries,
               "-o", "repro",      "repro.cu"};
  spec.directory = dir.path() / "bundle";
  return runProcess(spec);
}

TEST(BundleToolchain, TheReproCompilesAndLinks) {
  for (const std::string& nvcc : compilers()) {
    for (const char* arch : {"sm_75", "sm_90a", "sm_120a"}) {
      ProcessResult result = compile(nvcc, arch, exampleBundle());
      EXPECT_TRUE(result.ok()) << nvcc << " " << arch << ": " << result.describe() << "\n" << result.err;
    }
  }
}

TEST(BundleToolchain, ATemplateWithMuchDataCompiles) {
  BundleInput input = exampleBundle();
  input.source =
      "template <int N> __global__ void add(unsigned char* out, const unsigned char* in, int n) {\n"
      "  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = in[i] + N;\n}\n"
      "template __global__ void add<3>(unsigned char*, const unsigned char*, int);\n";
  input.kernel = "add<3>";
  std::string& data = input.buffers[1].initial;
  data.clear();
  for (unsigned i = 0; i < (1u << 20); ++i)
    data += static_cast<char>(i * i >> 3);
  for (const std::string& nvcc : compilers()) {
    ProcessResult result = compile(nvcc, "sm_120a", input);
    EXPECT_TRUE(result.ok()) << nvcc << ": " << result.describe() << "\n" << result.err;
  }
}

} // namespace
} // namespace harness

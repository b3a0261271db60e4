#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/subprocess.h"
#include "harness/report/bundle.h"

#include "tests/report/bundle_example.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace harness {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// Builds the repro for the host, on the stub of the CUDA runtime, and runs it.
ProcessResult runOnHost(const BundleInput& input, bool device = true) {
  TempDir dir("bundle");
  writeFileAtomically(dir.path() / "repro.cpp", makeReproSource(input));
  ProcessSpec build;
  build.argv = {HOST_COMPILER, "-std=c++17", "-Wall", "-Werror", "-I", CUDA_STUB, "-o", "repro", "repro.cpp"};
  build.directory = dir.path();
  ProcessResult built = runProcess(build);
  EXPECT_TRUE(built.ok()) << built.err;
  ProcessSpec spec;
  spec.argv = {(dir.path() / "repro").string()};
  if (!device) spec.environment = {{"STUB_NO_DEVICE", "1"}};
  return runProcess(spec);
}

TEST(ReproSource, ExitsWithZeroIfTheAnswerIsRight) {
  ProcessResult result = runOnHost(exampleBundle());
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(result.out, "out: 0 of 6 bytes differ\nin: 0 of 6 bytes differ\nright\n");
}

TEST(ReproSource, ExitsWithOneAndShowsWhatIsWrong) {
  BundleInput input = exampleBundle();
  input.buffers[0].expected[1] = '\x77';
  input.buffers[0].expected[3] = '\x78';
  ProcessResult result = runOnHost(input);
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(result.out, "  out+0x1: expected 0x77, got 0x02\n"
                        "  out+0x3: expected 0x78, got 0x00\n"
                        "out: 2 of 6 bytes differ\n"
                        "  at offset 1 of the 2-byte record: 2\n"
                        "in: 0 of 6 bytes differ\n"
                        "WRONG\n");
}

TEST(ReproSource, PassesAStructureByValue) {
  BundleInput input = exampleBundle();
  input.source = "struct P { unsigned char* out; const unsigned char* in; int n; };\n"
                 "extern \"C\" __global__ void plusone(P p) {\n"
                 "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                 "  if (i < p.n) p.out[i] = p.in[i] + STEP;\n}\n";
  input.args = {{"", std::string(16, '\0') + std::string("\x05\0\0\0\0\0\0\0", 8), {{0, "out"}, {8, "in"}}}};
  EXPECT_EQ(runOnHost(input).out, "out: 0 of 6 bytes differ\nin: 0 of 6 bytes differ\nright\n");
  input.args[0].pointers[1].second = "nowhere";
  EXPECT_THROW(makeReproSource(input), Error);
}

TEST(ReproSource, AnInputThatChangesIsWrong) {
  BundleInput input = exampleBundle();
  input.source.replace(input.source.find("out[i] ="), 8, "const_cast<unsigned char*>(in)[i] = out[i] =");
  EXPECT_THAT(runOnHost(input).out, HasSubstr("in: 5 of 6 bytes differ"));
}

TEST(ReproSource, ExitsWithTwoWithoutADevice) {
  ProcessResult result = runOnHost(exampleBundle(), /*device=*/false);
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_EQ(result.err, "cudaMalloc: no CUDA-capable device is detected\n");
}

TEST(ReproSource, HoldsTheKernelVerbatimAndLongDataInLines) {
  BundleInput input = exampleBundle();
  std::string data;
  for (int i = 0; i < 100; ++i)
    data += static_cast<char>(i);
  input.buffers[1].initial = data;
  input.buffers[0].expected = "\x01\x02\x03\x04\x05\xaa";
  input.shared = 65536;
  std::string source = makeReproSource(input);
  EXPECT_THAT(source, HasSubstr(input.source));
  EXPECT_THAT(source, HasSubstr("#define STEP 1\n"));
  EXPECT_THAT(source, HasSubstr("// Build: nvcc -std=c++17 -arch=sm_90 -Xptxas -O3 -o repro repro.cu\n"));
  EXPECT_THAT(source, HasSubstr("\"606162"
                                "63\"")); // the last line of data
  EXPECT_THAT(source, HasSubstr("dim3(3, 1, 1), dim3(2, 1, 1), args, 65536"));
  EXPECT_THAT(source, HasSubstr("cudaFuncAttributeMaxDynamicSharedMemorySize, 65536"));
  EXPECT_EQ(runOnHost(input).exitCode, 0);
}

TEST(ReproSource, ATitleCannotLeaveItsComment) {
  BundleInput input = exampleBundle();
  input.title = "first\n#error second \\";
  EXPECT_EQ(runOnHost(input).exitCode, 0);
}

std::string errorOf(const BundleInput& input) {
  try {
    makeReproSource(input);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(ReproSource, RefusesWhatCannotBecomeAProgram) {
  BundleInput input = exampleBundle();
  input.source.clear();
  EXPECT_THAT(errorOf(input), HasSubstr("needs the kernel's CUDA source"));
  input = exampleBundle();
  input.args[0].buffer = "nowhere";
  EXPECT_THAT(errorOf(input), HasSubstr("names the buffer 'nowhere'"));
  input = exampleBundle();
  input.buffers[0].expected += "x";
  EXPECT_THAT(errorOf(input), HasSubstr("'out' has 6 bytes, but 7 are expected"));
  input = exampleBundle();
  input.buffers[1].initial.assign((8u << 20) + 1, 'x');
  EXPECT_THAT(errorOf(input), HasSubstr("use a smaller shape"));
}

TEST(BundleReadme, TellsHowToBuildAndWhoFails) {
  std::string text = makeBundleReadme(exampleBundle());
  EXPECT_THAT(text, HasSubstr("`plusone@13.0.88/sm_90/O3`: **mismatch**, blame: ptxas."));
  EXPECT_THAT(text, HasSubstr("nvcc -std=c++17 -arch=sm_90 -Xptxas -O3 -o repro repro.cu\n./repro\n"));
  EXPECT_THAT(
      text, HasSubstr("| 13.1.80 | Build cuda_13.1.r13.1/compiler.2_0 | Build cuda_13.1.r13.1/compiler.2_0 | "
                      "pass |"));
  EXPECT_THAT(text, HasSubstr("out+0x4: expected 0x10, got 0x00"));
  EXPECT_THAT(text, HasSubstr("bin/ptxas -arch=sm_90 -O3 kernel.ptx"));
  EXPECT_THAT(
      text,
      HasSubstr("`good.sass`: the code of 13.1.80, which gives the right one, from the PTX of its own"));
  EXPECT_THAT(text, HasSubstr("`explanation.txt`: from the first wrong byte back"));
}

TEST(BundleReadme, SaysWhyThereIsNoExplanation) {
  BundleInput input = exampleBundle();
  EXPECT_THAT(makeBundleReadme(input), Not(HasSubstr("no `explanation.txt`")));
  input.explanation.clear();
  input.noExplanation = "toolchain '13.0.88' is not installed";
  EXPECT_THAT(makeBundleReadme(input),
              HasSubstr("- no `explanation.txt`, which 'harness explain' makes: toolchain "
                        "'13.0.88' is not installed\n"));
}

/// The files of a bundle unpacked from its archive by tar, in one text.
std::string unpack(const fs::path& archive, const fs::path& into) {
  fs::create_directories(into);
  ProcessResult result = runProcess({.argv = {"tar", "-xf", archive.string(), "-C", into.string()},
                                     .environment = {},
                                     .directory = {},
                                     .input = {},
                                     .limits = {}});
  EXPECT_TRUE(result.ok()) << result.err;
  std::string all;
  for (const auto& entry : fs::recursive_directory_iterator(into))
    if (entry.is_regular_file()) all += readFile(entry.path());
  return all;
}

TEST(Bundle, IsAnArchiveWithoutHomeOrHostName) {
  TempDir dir("bundle");
  const char* home = std::getenv("HOME");
  ASSERT_TRUE(home && *home);
  BundleInput input = exampleBundle();
  input.commands.push_back(std::string(home) + "/toolkits/bin/nvcc plusone.cu");
  input.ptx += std::string("\t.file 1 \"") + home + "/plusone.cu\"\n";
  input.headers = {{"include/step.h", "#pragma once\n"}};
  writeBundle(input, dir.path() / "plusone.tar");

  std::string all = unpack(dir.path() / "plusone.tar", dir.path() / "out");
  for (const char* name : {"README.md", "repro.cu", "kernel.ptx", "bad.sass", "good.sass", "include/step.h"})
    EXPECT_TRUE(fs::exists(dir.path() / "out" / "plusone" / name)) << name;
  EXPECT_THAT(all, HasSubstr("~/toolkits/bin/nvcc plusone.cu"));
  EXPECT_THAT(all, HasSubstr(".file 1 \"~/plusone.cu\""));
  EXPECT_THAT(all, Not(HasSubstr(std::string(home) + "/")));
  char host[256] = {};
  ASSERT_EQ(gethostname(host, sizeof host - 1), 0);
  if (std::string_view(host).size() >= 8) { // a shorter one may be a word of the text
    EXPECT_THAT(readFile(dir.path() / "plusone.tar"), Not(HasSubstr(host)));
  }
}

TEST(Bundle, IsTheSameEveryTimeAndReplacesAnOldOne) {
  TempDir dir("bundle");
  fs::path path = dir.path() / "plusone.tar";
  writeFileAtomically(path, "an old one");
  writeBundle(exampleBundle(), path);
  std::string first = readFile(path);
  writeBundle(exampleBundle(), path);
  EXPECT_EQ(readFile(path), first);
  EXPECT_GT(first.size(), 4096u);
}

TEST(Bundle, IsADirectoryIfItsNameEndsWithASlash) {
  TempDir dir("bundle");
  writeBundle(exampleBundle(), (dir.path() / "new" / "plusone/").string());
  EXPECT_EQ(readFile(dir.path() / "new/plusone/explanation.txt"), exampleBundle().explanation);
  EXPECT_EQ(readFile(dir.path() / "new/plusone/bad.sass"), exampleBundle().badSass);
  EXPECT_EQ(readFile(dir.path() / "new/plusone/repro.cu"), makeReproSource(exampleBundle()));
}

TEST(Bundle, SaysWhatItCannotWrite) {
  TempDir dir("bundle");
  try {
    writeBundle(exampleBundle(), dir.path() / "missing" / "x.tar");
    FAIL() << "written";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Environment);
    EXPECT_THAT(error.what(), HasSubstr("missing/x.tar"));
  }
  BundleInput input = exampleBundle();
  input.headers = {{"../outside.h", ""}};
  EXPECT_THROW(writeBundle(input, dir.path() / "x.tar"), Error);
}

} // namespace
} // namespace harness

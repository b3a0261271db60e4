#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/matrix/reference.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace harness {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

std::uint64_t processes() {
  return processesStarted("c++") + processesStarted("harness-reference");
}

/// A case of one input, one output and two scalars, whose reference the test writes.
class ReferenceTest : public testing::Test {
protected:
  ReferenceTest() : dir_("reference"), cache_(dir_.path() / "cache"), runner_(cache_, options()) {
    manifest_.id = "a-case";
    manifest_.reference = dir_.path() / "reference.cpp";
    shape_.grid = {3, 1, 1};
    shape_.buffers.resize(2);
    shape_.buffers[0].name = "in";
    shape_.buffers[0].count = 4;
    shape_.buffers[1].name = "out";
    shape_.buffers[1].count = 5;
    shape_.buffers[1].output = true;
    shape_.args = {
        {"out", "", {}}, {"in", "", {}}, {"", "\x07", {}}, {"", std::string("\x01\x02\0\0", 4), {}}};
  }

  static ReferenceRunner::Options options() {
    ReferenceRunner::Options options;
    options.runLimits.wall = 2s;
    options.runLimits.memoryBytes = std::uint64_t{1} << 30;
    options.runLimits.outputBytes = 1 << 20;
    return options;
  }

  /// `body` sees `out`, `in`, `launch` and `args`.
  void write(const std::string& body) {
    writeFileAtomically(
        *manifest_.reference,
        "#include \"harness/reference.h\"\n#include <cstdio>\n#include <cstdlib>\n"
        "extern \"C\" void reference([[maybe_unused]] const HarnessLaunch* launch, void* const* args) {\n"
        "  auto* out = static_cast<volatile unsigned char*>(args[0]);\n"
        "  auto* in = static_cast<volatile unsigned char*>(args[1]);\n"
        "  (void)out; (void)in;\n" +
            body + "}\n");
  }

  std::string run(char poison = '\xaa') {
    return runner_.outputs(manifest_, shape_, {"abcd", std::string(5, poison)}).at(0);
  }

  std::string errorOf(const std::string& body) {
    write(body);
    try {
      run();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage);
      std::string message = error.what();
      EXPECT_TRUE(message.starts_with("case 'a-case': ")) << message;
      return message;
    }
    ADD_FAILURE() << "no error";
    return "";
  }

  TempDir dir_;
  ArtifactCache cache_;
  ReferenceRunner runner_;
  CaseManifest manifest_;
  CaseShape shape_;
};

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(ReferenceTest, GivesOutputsAndLeavesPoison) {
  write("out[0] = in[3]; out[1] = *static_cast<unsigned char*>(args[2]);\n"
        "out[2] = *static_cast<int*>(args[3]) == 0x201; out[3] = launch->grid[0]; std::puts(\"noise\");\n");
  EXPECT_EQ(run('\xaa'), std::string("d\x07\x01\x03\xaa"));
  EXPECT_EQ(run('\x55'), std::string("d\x07\x01\x03\x55"));
}

TEST_F(ReferenceTest, ReachesBuffersThroughAStructure) {
  shape_.args = {
      {"", std::string("\x05\0\0\0\0\0\0\0", 8) + std::string(16, '\0'), {{8, "out"}, {16, "in"}}}};
  writeFileAtomically(*manifest_.reference,
                      "#include \"harness/reference.h\"\nstruct P { int add; char* out; const char* in; };\n"
                      "extern \"C\" void reference(const HarnessLaunch*, void* const* args) {\n"
                      "  const P& p = *static_cast<const P*>(args[0]);\n"
                      "  for (int i = 0; i < 4; ++i) p.out[i] = p.in[i] + p.add;\n}\n");
  EXPECT_EQ(run(), std::string("fghi\xaa"));
  shape_.args[0].pointers = {{16, "out"}, {8, "in"}};
  EXPECT_THROW(run(), Error)
      << "another place is another run, not the one remembered; an input cannot be written";
}

TEST_F(ReferenceTest, AnUnchangedRunStartsNoProcess) {
  write("out[0] = 1;\n");
  std::string first = run();
  std::uint64_t before = processes();
  EXPECT_EQ(run(), first);
  ReferenceRunner other(cache_, options());
  EXPECT_EQ(other.outputs(manifest_, shape_, {"abcd", std::string(5, '\xaa')}).at(0), first);
  EXPECT_EQ(processes(), before);
}

TEST_F(ReferenceTest, WhateverChangesRunsAgain) {
  write("out[0] = 1;\n");
  run();
  std::uint64_t before = processes();
  run('\x55');
  EXPECT_EQ(processes(), before + 1) << "other contents";
  shape_.grid[0] = 4;
  run();
  EXPECT_EQ(processes(), before + 2) << "another launch";
  write("out[0] = 2;\n");
  EXPECT_EQ(run()[0], '\x02');
  EXPECT_EQ(processes(), before + 4) << "another source";
}

TEST_F(ReferenceTest, OneBufferGivenTwiceIsOneBuffer) {
  shape_.args[1].buffer = "out";
  write("out[0] = 9; out[1] = in[0];\n");
  EXPECT_EQ(run().substr(0, 2), "\x09\x09");
}

TEST_F(ReferenceTest, OneThatDoesNotCompile) {
  std::string message = errorOf("this is no C++;\n");
  EXPECT_HAS(message, "does not compile");
  EXPECT_HAS(message, "-ffp-contract=off");
  EXPECT_HAS(message, "reference.cpp:");
}

TEST_F(ReferenceTest, OneWithoutTheFunction) {
  writeFileAtomically(*manifest_.reference, "extern \"C\" void other() {}\n");
  try {
    run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_HAS(std::string(error.what()), "no extern \"C\" function named reference");
  }
}

TEST_F(ReferenceTest, OneThatCrashes) {
  EXPECT_HAS(errorOf("*(volatile int*)8 = 1;\n"), "killed by signal 11");
}

TEST_F(ReferenceTest, OneThatWritesPastItsBuffer) {
  EXPECT_HAS(errorOf("out[16] = 1;\n"), "killed by signal 11");
}

TEST_F(ReferenceTest, OneThatChangesAnInput) {
  EXPECT_HAS(errorOf("in[0] = 1;\n"), "killed by signal 11");
}

TEST_F(ReferenceTest, OneThatHangs) {
  EXPECT_HAS(errorOf("for (;;) out[0] = 1;\n"), "timed out after 2.0 s");
}

TEST_F(ReferenceTest, OneThatEatsMemory) {
  EXPECT_HAS(errorOf("if (!std::malloc(std::size_t{3} << 30)) std::abort();\n"), "killed by signal 6");
}

TEST_F(ReferenceTest, OneThatPrintsWithoutEnd) {
  EXPECT_HAS(errorOf("for (;;) std::puts(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\");\n"),
             "printed more than its limit");
}

TEST_F(ReferenceTest, OneThatEndsTheProcess) {
  EXPECT_HAS(errorOf("std::exit(0);\n"), "ended the process before it returned");
}

TEST_F(ReferenceTest, AFailureIsNotRemembered) {
  errorOf("std::abort();\n");
  std::uint64_t before = processesStarted("harness-reference");
  errorOf("std::abort();\n");
  EXPECT_EQ(processesStarted("harness-reference"), before + 1);
}

TEST_F(ReferenceTest, WithoutACompiler) {
  ReferenceRunner::Options broken = options();
  broken.compiler = "/nowhere/c++";
  ReferenceRunner runner(cache_, broken);
  write("");
  try {
    runner.outputs(manifest_, shape_, {"abcd", "12345"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Environment);
    EXPECT_HAS(std::string(error.what()), "/nowhere/c++");
  }
}

/// The references of the cases themselves, against values worked out by hand.
class OwnReferences : public testing::Test {
protected:
  OwnReferences() : dir_("reference"), cache_(dir_.path()), runner_(cache_, {}) {}

  CaseManifest load(const char* path) { return CaseManifest::load(fs::path(HARNESS_SOURCE_DIR) / path); }

  std::string outputOf(const CaseManifest& manifest, const CaseShape& shape, std::uint8_t poison) {
    return runner_.outputs(manifest, shape, shape.initialContents(poison)).at(0);
  }

  static unsigned scaleBits(const std::string& out, std::size_t record) {
    return static_cast<std::uint8_t>(out[record * 34]) | static_cast<std::uint8_t>(out[record * 34 + 1]) << 8;
  }

  TempDir dir_;
  ArtifactCache cache_;
  ReferenceRunner runner_;
};

TEST_F(OwnReferences, HalfstoreHasTheHalvesOfItsScales) {
  CaseManifest manifest = load("repros/halfstore");
  std::string out = outputOf(manifest, manifest.shapes[0], 0xaa);
  ASSERT_EQ(out.size(), 12u * 34);
  // 0.01 0.0125 0.0175 0.019745 0.02 0.025 0.03 0 1.5 138 300 NaN, rounded to binary16.
  unsigned bits[] = {0x211f, 0x2266, 0x247b, 0x250e, 0x251f, 0x2666,
                     0x27ae, 0,      0x3e00, 0x5850, 0x5cb0, 0x7fff};
  for (std::size_t record = 0; record < 12; ++record) {
    EXPECT_EQ(scaleBits(out, record), bits[record]) << "record " << record;
    EXPECT_EQ(static_cast<std::uint8_t>(out[record * 34 + 33]), static_cast<std::uint8_t>(record * 32 + 31));
  }
  EXPECT_EQ(outputOf(load("repros/halfstore-u16"), manifest.shapes[0], 0xaa), out);
}

TEST_F(OwnReferences, DequantWritesEveryByteAndReachesFullScale) {
  CaseManifest manifest = load("cu/fp8-block-dequant");
  CaseManifest control = load("cu/fp8-block-dequant-u16");
  for (const CaseShape& shape : manifest.shapes) {
    std::string out = outputOf(manifest, shape, 0xaa);
    EXPECT_EQ(out, outputOf(manifest, shape, 0x55)) << shape.name << ": a byte stayed poison";
    EXPECT_EQ(out, outputOf(control, shape, 0xaa));
    for (std::size_t record = 0; record < out.size() / 34; ++record) {
      int largest = 0;
      for (std::size_t i = 2; i < 34; ++i)
        largest =
            std::max(largest, std::abs(static_cast<int>(static_cast<signed char>(out[record * 34 + i]))));
      EXPECT_EQ(largest, 127) << shape.name << " record " << record;
      EXPECT_LT(scaleBits(out, record), 0x3c00u) << "the scale is below 1";
    }
  }
}

} // namespace
} // namespace harness

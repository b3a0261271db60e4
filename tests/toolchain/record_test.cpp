#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/toolchain/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class RecordTest : public testing::Test {
protected:
  Record sample() const {
    Toolchain toolchain;
    toolchain.name = "12.4.131";
    toolchain.root = root();
    toolchain.frontEnd = {FrontEndKind::Nvrtc,
                          *Version::parse("12.4.127"),
                          "CL-1",
                          root() / "lib/libnvrtc.so.12",
                          {},
                          std::string(64, 'a'),
                          {root() / "include"},
                          std::string(64, 'b')};
    toolchain.ptxas = {*Version::parse("12.4.131"), "Build x",
                       root() / "bin/ptxas",        std::string(64, 'c'),
                       *Version::parse("8.4"),      {"sm_80", "sm_90a"}};
    Record record;
    record.name = "12.4.131";
    record.packages = {{"nvidia-cuda-nvcc-cu12", "12.4.131"}};
    record.mended = {"made executable: bin/ptxas"};
    record.toolchain = toolchain;
    record.files = {{"bin/ptxas", std::string(64, 'c')}, {"include/a b.h", std::string(64, 'd')}};
    return record;
  }
  std::string errorOfReading() const {
    try {
      Record::read(root());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Environment);
      return error.what();
    }
    return "";
  }
  /// Writes the sample with `from` in its JSON replaced.
  void writeWith(const std::string& from, const std::string& to) {
    sample().write(root());
    std::string json = readFile(root() / "toolchain.json");
    ASSERT_NE(json.find(from), std::string::npos);
    writeFileAtomically(root() / "toolchain.json", json.replace(json.find(from), from.size(), to));
  }
  fs::path root() const { return directory_.path(); }

private:
  TempDir directory_{"record-test"};
};

TEST_F(RecordTest, ReadsBackWhatItWrote) {
  Record wrote = sample();
  wrote.write(root());
  auto read = Record::read(root());
  ASSERT_TRUE(read && read->toolchain);
  EXPECT_EQ(read->name, wrote.name);
  EXPECT_EQ(read->packages, wrote.packages);
  EXPECT_EQ(read->mended, wrote.mended);
  EXPECT_FALSE(read->nvdisasm);
  const Toolchain &a = *read->toolchain, &b = *wrote.toolchain;
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.root, b.root);
  EXPECT_EQ(a.frontEnd.kind, b.frontEnd.kind);
  EXPECT_EQ(a.frontEnd.build, b.frontEnd.build);
  EXPECT_EQ(a.frontEnd.program, b.frontEnd.program);
  EXPECT_EQ(a.frontEnd.cicc, b.frontEnd.cicc);
  EXPECT_EQ(a.frontEnd.includeDirs, b.frontEnd.includeDirs);
  EXPECT_EQ(a.frontEnd.identity, b.frontEnd.identity);
  EXPECT_EQ(a.ptxas.program, b.ptxas.program);
  EXPECT_EQ(a.ptxas.maxPtx, b.ptxas.maxPtx);
  EXPECT_EQ(a.ptxas.archs, b.ptxas.archs);
  EXPECT_EQ(Record::readFiles(root()), wrote.files);
}

TEST_F(RecordTest, PathsMoveWithTheDirectory) {
  sample().write(root());
  TempDir other("record-test");
  fs::copy(root(), other.path(), fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  auto read = Record::read(other.path());
  ASSERT_TRUE(read && read->toolchain);
  EXPECT_EQ(read->toolchain->ptxas.program, other.path() / "bin/ptxas");
}

TEST_F(RecordTest, ADirectoryWithoutRecordIsNone) {
  EXPECT_FALSE(Record::read(root()));
}

TEST_F(RecordTest, RefusesDamage) {
  writeWith("\"schema\": 1", "\"schema\": 2");
  EXPECT_THAT(errorOfReading(), HasSubstr("its schema is 2"));
  writeWith("\"nvrtc\"", "\"clang\"");
  EXPECT_THAT(errorOfReading(), HasSubstr("'clang'"));
  writeWith("\"bin/ptxas\"", "\"../../ptxas\"");
  EXPECT_THAT(errorOfReading(), HasSubstr("leads out"));
  writeWith("\"bin/ptxas\"", "\"/bin/ptxas\"");
  EXPECT_THAT(errorOfReading(), HasSubstr("leads out"));
  writeWith("\"12.4.131\"", "12");
  EXPECT_THAT(errorOfReading(), HasSubstr("toolchain.json"));
  writeFileAtomically(root() / "toolchain.json", "{\"schema\": 1,");
  EXPECT_THAT(errorOfReading(), HasSubstr("reinstall"));
}

} // namespace
} // namespace harness

#include "harness/base/error.h"
#include "harness/base/files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

namespace harness {
namespace {

TEST(Files, RoundTrip) {
  TempDir dir("files");
  auto path = dir.path() / "a";
  std::string bytes("\0x\n\xff", 4);
  writeFileAtomically(path, bytes);
  EXPECT_EQ(readFile(path), bytes);
}

TEST(Files, ReadFileRefusesWhatIsTooLongOrMissing) {
  TempDir dir("files");
  auto path = dir.path() / "a";
  writeFileAtomically(path, "12345");
  EXPECT_THROW(readFile(path, 4), Error);
  EXPECT_THROW(readFile(dir.path() / "none"), Error);
  EXPECT_THROW(readFile(dir.path()), Error);
}

TEST(Files, AFailedWriteLeavesTheOldContentsAndNoLitter) {
  TempDir dir("files");
  auto path = dir.path() / "a";
  writeFileAtomically(path, "old");
  // A file size limit stands in for a full disk: write() fails half-way.
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = {1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  try {
    writeFileAtomically(path, std::string(100'000, 'x'));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Environment);
  }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(readFile(path), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
}

TEST(Files, TempDirIsRemoved) {
  std::filesystem::path path;
  {
    TempDir dir("files");
    path = dir.path();
    writeFileAtomically(path / "a", "x");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

} // namespace
} // namespace harness

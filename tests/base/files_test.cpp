#include "harness/base/error.h"
#include "harness/base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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

TEST(Files, ALinkStaysAndWhatItLeadsToIsWritten) {
  TempDir dir("files");
  writeFileAtomically(dir.path() / "file", "old");
  std::filesystem::create_symlink("file", dir.path() / "link");
  std::filesystem::create_symlink("new", dir.path() / "dangling");
  writeFileAtomically(dir.path() / "link", "1");
  writeFileAtomically(dir.path() / "dangling", "2");
  EXPECT_TRUE(std::filesystem::is_symlink(dir.path() / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(dir.path() / "dangling"));
  EXPECT_EQ(readFile(dir.path() / "file"), "1");
  EXPECT_EQ(readFile(dir.path() / "new"), "2");
}

/// No file takes the place of a device or a pipe. A pipe of the test's own: never ask a device for it.
TEST(Files, APipeIsWrittenToAndStays) {
  TempDir dir("files");
  auto path = dir.path() / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  writeFileAtomically(path, "bytes");
  char text[8] = {};
  EXPECT_EQ(read(reader, text, sizeof text), 5);
  EXPECT_STREQ(text, "bytes");
  close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
}

TEST(Files, WhatCannotBeWrittenIsToldBefore) {
  TempDir dir("files");
  writeFileAtomically(dir.path() / "file", "x");
  for (const char* good : {"file", "new"})
    EXPECT_NO_THROW(requireWritable(dir.path() / good)) << good;
  for (const char* bad : {"", "nowhere/new", "file/new"})
    EXPECT_THROW(requireWritable(dir.path() / bad), Error) << bad;
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "new"));
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

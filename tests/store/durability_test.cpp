#include "harness/base/error.h"

#include "sample.h"
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>

namespace harness {
namespace {

constexpr int kBatch = 40;

std::vector<CellRecord> batch(const std::string& caseId) {
  std::vector<CellRecord> cells;
  for (int i = 0; i < kBatch; ++i)
    cells.push_back(sampleCell(caseId, "13.0.88", "sm_" + std::to_string(i), "O3", Verdict::Mismatch));
  return cells;
}

void expectWhole(const std::filesystem::path& path) {
  SQLite::Database raw(path.string(), SQLite::OPEN_READWRITE);
  EXPECT_EQ(raw.execAndGet("PRAGMA integrity_check").getString(), "ok");
  EXPECT_FALSE(SQLite::Statement(raw, "PRAGMA foreign_key_check").executeStep());
}

TEST(Durability, AKillInTheMiddleLeavesWholeBatchesAndAllThatWereConfirmed) {
  SampleDatabase files;
  std::mt19937 random(3); // NOLINT: the same moments every time
  std::size_t confirmed = 0;
  for (int kill = 0; kill < 10; ++kill) {
    int acknowledged[2];
    ASSERT_EQ(pipe(acknowledged), 0);
    pid_t child = fork();
    if (child == 0) {
      Store store(files.path, Store::Mode::ReadWrite);
      RowId run = beginSampleRun(store);
      for (int i = 0;; ++i) {
        store.recordCells(run, batch("case-" + std::to_string(kill) + "-" + std::to_string(i)));
        char byte = 1;
        if (write(acknowledged[1], &byte, 1) != 1) _exit(1);
      }
    }
    close(acknowledged[1]);
    char byte = 0;
    if (kill > 0 && read(acknowledged[0], &byte, 1) == 1)
      ++confirmed; // the first one dies while it makes the file
    usleep(static_cast<useconds_t>(random() % 40'000));
    ::kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    while (read(acknowledged[0], &byte, 1) == 1)
      ++confirmed;
    close(acknowledged[0]);
  }
  expectWhole(files.path);
  QueryFilter all;
  all.limit = 1'000'000;
  std::size_t cells = Store(files.path, Store::Mode::ReadOnly).query(all).size();
  EXPECT_EQ(cells % kBatch, 0u);
  EXPECT_GE(cells, confirmed * kBatch);
  EXPECT_GE(confirmed, 9u);
}

/// Sets how long a file this process writes may grow; a write beyond it fails as on a full disk.
void limitFiles(rlim_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  setrlimit(RLIMIT_FSIZE, &limit);
}

TEST(Durability, AFullDiskIsAnErrorAndLosesNothing) {
  SampleDatabase files;
  pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    Store store(files.path, Store::Mode::ReadWrite);
    RowId run = beginSampleRun(store);
    store.recordCells(run, batch("before"));
    limitFiles(std::filesystem::file_size(files.path.string() + "-wal"));
    try {
      store.recordCells(run, batch("too-much"));
      _exit(1);
    } catch (const Error& error) {
      std::string text = error.what();
      if (error.kind() != ErrorKind::Environment || text.find(files.path.string()) == std::string::npos)
        _exit(2);
    }
    if (store.query({}).size() != kBatch) _exit(3); // the same object goes on
    limitFiles(RLIM_INFINITY);
    store.recordCells(run, batch("after"));
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  expectWhole(files.path);
  EXPECT_EQ(Store(files.path, Store::Mode::ReadOnly).query({}).size(), 2u * kBatch);
}

TEST(Durability, AFullDiskAtTheStartLeavesNoHalfDatabase) {
  SampleDatabase files;
  pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    limitFiles(8192);
    try {
      Store store(files.path, Store::Mode::ReadWrite);
    } catch (const Error& error) {
      _exit(error.kind() == ErrorKind::Environment ? 0 : 2);
    }
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
  EXPECT_FALSE(std::filesystem::exists(files.path));
  Store store(files.path, Store::Mode::ReadWrite);
  EXPECT_TRUE(store.query({}).empty());
}

} // namespace
} // namespace harness

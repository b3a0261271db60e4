#include "harness/base/error.h"
#include "harness/store/connection.h"
#include "harness/store/migrations.h"

#include "sample.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <optional>
#include <random>
#include <set>

namespace harness {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// The error `work` throws; its kind and text.
struct Thrown {
  std::optional<ErrorKind> kind;
  std::string text;
};

Thrown thrownBy(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }
  return {};
}

Thrown openError(const fs::path& path, Store::Mode mode) {
  return thrownBy([&] { Store store(path, mode); });
}

/// Runs `work` in a child and gives its exit status.
int inChild(const std::function<int()>& work) {
  pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::set<std::string> entriesOf(const fs::path& directory) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory))
    names.insert(entry.path().filename());
  return names;
}

TEST(Connection, ANewDatabaseIsOfTheNewestVersion) {
  SampleDatabase files;
  {
    Store store(files.path, Store::Mode::ReadWrite);
  }
  SQLite::Database raw(files.path.string());
  EXPECT_EQ(raw.execAndGet("PRAGMA application_id").getInt(), kApplicationId);
  EXPECT_EQ(schemaVersion(raw), static_cast<int>(embeddedMigrations().size()));
  EXPECT_EQ(raw.execAndGet("PRAGMA journal_mode").getString(), "wal");
}

TEST(Connection, AnEmptyFileBecomesADatabase) {
  SampleDatabase files;
  writeFileAtomically(files.path, "");
  EXPECT_EQ(openError(files.path, Store::Mode::ReadOnly).kind, ErrorKind::Usage);
  EXPECT_EQ(openError(files.path, Store::Mode::ReadWrite).kind, std::nullopt);
  EXPECT_EQ(openError(files.path, Store::Mode::ReadOnly).kind, std::nullopt);
}

TEST(Connection, LeftOversOfAKilledCreationDoNoHarm) {
  SampleDatabase files;
  for (const char* suffix : {".new", ".new-journal", ".new-wal"})
    writeFileAtomically(files.path.string() + suffix, "left over");
  EXPECT_EQ(openError(files.path, Store::Mode::ReadWrite).kind, std::nullopt);
}

TEST(Connection, ReadingWhatIsNotThereSaysHowToMakeIt) {
  SampleDatabase files;
  Thrown thrown = openError(files.path, Store::Mode::ReadOnly);
  EXPECT_EQ(thrown.kind, ErrorKind::Usage);
  EXPECT_THAT(thrown.text, AllOf(HasSubstr(files.path.string()), HasSubstr("harness run")));
  EXPECT_TRUE(entriesOf(files.directory.path()).empty());
}

TEST(Connection, ADirectoryIsNoDatabase) {
  SampleDatabase files;
  for (auto mode : {Store::Mode::ReadOnly, Store::Mode::ReadWrite}) {
    Thrown thrown = openError(files.directory.path(), mode);
    EXPECT_EQ(thrown.kind, ErrorKind::Usage);
    EXPECT_THAT(thrown.text, HasSubstr("is a directory"));
  }
}

TEST(Connection, APipeIsNoDatabase) {
  SampleDatabase files;
  ASSERT_EQ(mkfifo(files.path.c_str(), 0600), 0);
  for (auto mode : {Store::Mode::ReadOnly, Store::Mode::ReadWrite})
    EXPECT_THAT(openError(files.path, mode).text, HasSubstr("is no ordinary file"));
}

TEST(Connection, AMissingDirectoryIsNamed) {
  SampleDatabase files;
  Thrown thrown = openError(files.directory.path() / "no" / "x.db", Store::Mode::ReadWrite);
  EXPECT_EQ(thrown.kind, ErrorKind::Environment);
  EXPECT_THAT(thrown.text, HasSubstr("no/x.db"));
}

TEST(Connection, WhatIsNotOursIsRefusedAndLeftAlone) {
  SampleDatabase files;
  auto expectUntouched = [&](const std::string& why) {
    std::string before = readFile(files.path);
    std::set<std::string> entries = entriesOf(files.directory.path());
    for (auto mode : {Store::Mode::ReadOnly, Store::Mode::ReadWrite}) {
      Thrown thrown = openError(files.path, mode);
      EXPECT_EQ(thrown.kind, ErrorKind::Usage);
      EXPECT_THAT(thrown.text, AllOf(HasSubstr(files.path.string()), HasSubstr(why)));
    }
    EXPECT_EQ(readFile(files.path), before);
    EXPECT_EQ(entriesOf(files.directory.path()), entries);
  };
  {
    SQLite::Database foreign(files.path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    foreign.exec("PRAGMA journal_mode = WAL; CREATE TABLE run (id)");
  }
  expectUntouched("not one of the harness");
  writeFileAtomically(files.path, "a text");
  expectUntouched("nor any SQLite database");
  writeFileAtomically(files.path, std::string(5000, 'x'));
  expectUntouched("nor any SQLite database");
}

TEST(Connection, ANewerVersionIsRefusedByBothNumbers) {
  SampleDatabase files;
  {
    Store store(files.path, Store::Mode::ReadWrite);
  }
  SQLite::Database(files.path.string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  for (auto mode : {Store::Mode::ReadOnly, Store::Mode::ReadWrite}) {
    Thrown thrown = openError(files.path, mode);
    EXPECT_EQ(thrown.kind, ErrorKind::Usage);
    EXPECT_THAT(thrown.text, AllOf(HasSubstr(files.path.string()), HasSubstr("version 99"),
                                   HasSubstr("up to " + std::to_string(embeddedMigrations().size()))));
  }
}

TEST(Connection, StrangeTablesUnderOurNamesAreRefused) {
  SampleDatabase files;
  {
    Store store(files.path, Store::Mode::ReadWrite);
  }
  SQLite::Database(files.path.string(), SQLite::OPEN_READWRITE)
      .exec("DROP TABLE coverage; CREATE VIEW coverage AS SELECT 1 AS run, 1 AS test_case, 1 AS toolchain");
  Thrown thrown = openError(files.path, Store::Mode::ReadWrite);
  EXPECT_EQ(thrown.kind, ErrorKind::Usage);
  EXPECT_THAT(thrown.text, HasSubstr("damaged"));
}

TEST(Connection, StatisticsOfSqliteAreNoStrangeTables) {
  SampleDatabase files;
  {
    Store store(files.path, Store::Mode::ReadWrite);
    store.recordCells(beginSampleRun(store), {sampleCell("a", "13.0.88", "sm_90", "O3")});
  }
  SQLite::Database(files.path.string(), SQLite::OPEN_READWRITE).exec("ANALYZE");
  EXPECT_EQ(openError(files.path, Store::Mode::ReadWrite).kind, std::nullopt);
}

TEST(Connection, AWriterKeepsOtherWritersOutAndLetsReadersIn) {
  SampleDatabase files;
  int ready[2], done[2];
  ASSERT_EQ(pipe(ready) + pipe(done), 0);
  pid_t child = fork();
  if (child == 0) {
    Store store(files.path, Store::Mode::ReadWrite);
    char byte = 1;
    if (write(ready[1], &byte, 1) != 1 || read(done[0], &byte, 1) != 1) _exit(1);
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  Thrown thrown = openError(files.path, Store::Mode::ReadWrite);
  EXPECT_EQ(thrown.kind, ErrorKind::Environment);
  EXPECT_THAT(thrown.text, AllOf(HasSubstr(files.path.string()),
                                 HasSubstr("process " + std::to_string(child)), HasSubstr("--db")));
  EXPECT_EQ(openError(files.path, Store::Mode::ReadOnly).kind, std::nullopt);
  ASSERT_EQ(write(done[1], &byte, 1), 1);
  waitpid(child, nullptr, 0);
  for (int fd : {ready[0], ready[1], done[0], done[1]})
    close(fd);
  EXPECT_EQ(openError(files.path, Store::Mode::ReadWrite).kind, std::nullopt);
}

TEST(Connection, ADatabaseThatAnotherProgramHoldsIsAnEnvironmentError) {
  SampleDatabase files;
  {
    Store store(files.path, Store::Mode::ReadWrite);
  }
  SQLite::Database other(files.path.string(), SQLite::OPEN_READWRITE);
  other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  Thrown thrown = openError(files.path, Store::Mode::ReadOnly);
  EXPECT_EQ(thrown.kind, ErrorKind::Environment);
  EXPECT_THAT(thrown.text, AllOf(HasSubstr(files.path.string()), HasSubstr("another process")));
}

TEST(Connection, AReadOnlyDirectoryCanBeReadAndNotWritten) {
  SampleDatabase files;
  {
    Store store(files.path, Store::Mode::ReadWrite);
    store.recordCells(beginSampleRun(store), {sampleCell("a", "13.0.88", "sm_90", "O3")});
  }
  fs::remove(files.path.string() + ".lock");
  chmod(files.path.c_str(), 0444);
  chmod(files.directory.path().c_str(), 0555);
  int status = inChild([&] { // the superuser may write anywhere
    if (geteuid() == 0 && setuid(65534) != 0) return 9;
    if (Store(files.path, Store::Mode::ReadOnly).query({}).size() != 1) return 1;
    Thrown thrown = openError(files.path, Store::Mode::ReadWrite);
    bool clear = thrown.kind == ErrorKind::Environment && thrown.text.find(files.path) != std::string::npos;
    return clear ? 0 : 2;
  });
  chmod(files.directory.path().c_str(), 0755);
  EXPECT_EQ(status, 0);
}

TEST(Connection, APathMayHoldAnyCharacter) {
  SampleDatabase files;
  fs::path path = files.directory.path() / "a?b#c%20 d.db";
  EXPECT_EQ(openError(path, Store::Mode::ReadWrite).kind, std::nullopt);
  EXPECT_EQ(openError(path, Store::Mode::ReadOnly).kind, std::nullopt);
  EXPECT_TRUE(fs::exists(path));
}

TEST(Migrations, EachIsAppliedOnceAndInOrder) {
  SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  std::vector<Migration> steps{{"1", "CREATE TABLE a (x)"}, {"2", "ALTER TABLE a ADD COLUMN y"}};
  migrate(database, std::span(steps).first(1));
  EXPECT_EQ(schemaVersion(database), 1);
  migrate(database, steps);
  migrate(database, steps);
  EXPECT_EQ(schemaVersion(database), 2);
  database.exec("INSERT INTO a (x, y) VALUES (1, 2)");
}

TEST(Migrations, AFailedOneLeavesTheVersionBefore) {
  SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  std::vector<Migration> steps{{"1", "CREATE TABLE a (x)"}, {"2", "CREATE TABLE b (x); CREATE TABLE a (x)"}};
  EXPECT_THROW(migrate(database, steps), SQLite::Exception);
  EXPECT_EQ(schemaVersion(database), 1);
  EXPECT_FALSE(database.tableExists("b"));
}

/// Everything that reads, and now and then something that writes, on a file that may hold anything.
void use(const fs::path& path, bool alsoWrite) {
  auto onlyErrors = [](const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      EXPECT_STRNE(error.what(), "");
    }
  };
  onlyErrors([&] {
    Store store(path, Store::Mode::ReadOnly);
    QueryFilter changed;
    changed.changed = true;
    QueryFilter ofRun;
    ofRun.run = 1;
    onlyErrors([&] { store.query({}); });
    onlyErrors([&] { store.query(changed); });
    onlyErrors([&] { store.query(ofRun); });
    onlyErrors([&] { store.history({}); });
    onlyErrors([&] { store.standings({}); });
    onlyErrors([&] { store.runs(10); });
    onlyErrors([&] { store.cell("case0", "13.0.88", "sm_90", "O3"); });
    onlyErrors([&] { store.findExecution("key"); });
  });
  if (!alsoWrite) return;
  onlyErrors([&] {
    Store store(path, Store::Mode::ReadWrite);
    store.recordCells(beginSampleRun(store), {sampleCell("case0", "13.0.88", "sm_90", "O3", Verdict::Fault)});
  });
}

TEST(Connection, AMalformedDatabaseGivesErrorsOnly) {
  SampleDatabase files;
  {
    Store store(files.path, Store::Mode::ReadWrite);
    ExecutionRecord execution;
    execution.key = "key";
    store.recordExecutions({execution});
    std::vector<CellRecord> cells;
    for (int i = 0; i < 60; ++i)
      cells.push_back(sampleCell("case" + std::to_string(i % 4), "13.0.88", "sm_" + std::to_string(i), "O3"));
    cells.push_back(sampleCell("case0", "13.0.88", "sm_90", "O3"));
    store.recordCells(beginSampleRun(store), cells);
    cells.back() = sampleCell("case0", "13.0.88", "sm_90", "O3", Verdict::Mismatch);
    store.recordCells(beginSampleRun(store), cells);
  }
  const std::string valid = readFile(files.path);
  fs::path mutant = files.directory.path() / "mutant.db";
  std::mt19937 random(7); // NOLINT: the same mutations every time
  auto upTo = [&](std::size_t bound) { return random() % bound; };
  for (int i = 0; i < 400; ++i) {
    std::string bytes = valid;
    if (i % 8 == 7) bytes.resize(upTo(bytes.size()));
    std::size_t changes = 1 + upTo(i % 3 == 0 ? 300 : 4);
    for (std::size_t k = 0; k < changes && !bytes.empty(); ++k)
      bytes[upTo(bytes.size())] = static_cast<char>(random());
    for (const char* suffix : {"-wal", "-shm", ".lock"})
      fs::remove(mutant.string() + suffix);
    writeFileAtomically(mutant, bytes);
    SCOPED_TRACE(i);
    use(mutant, i % 10 == 0);
  }
}

} // namespace
} // namespace harness

#include "tests/cli/background.h"
#include "tests/matrix/world.h"
#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace harness::test {
namespace {

using Json = World::Json;

TEST(Database, ThatIsNotThere) {
  World world;
  ProcessResult result = world.run({"query"});
  EXPECT_CODE(result, 2);
  EXPECT_HAS(result.err, "harness run");
  EXPECT_FALSE(std::filesystem::exists(world.path("harness.db")));
}

TEST(Database, ThatIsNone) {
  World world;
  world.write("harness.db", std::string(5000, 'x'));
  for (const ProcessResult& result : {world.runMatrix(), world.run({"query"})}) {
    EXPECT_CODE(result, 2);
    EXPECT_HAS(result.err, "harness.db");
  }
  EXPECT_EQ(readFile(world.path("harness.db")), std::string(5000, 'x')) << "it is left as it was";
}

TEST(Database, OfANewerVersion) {
  World world;
  world.runMatrix();
  SQLite::Database database(world.path("harness.db").string(), SQLite::OPEN_READWRITE);
  int version = database.execAndGet("PRAGMA user_version").getInt();
  database.exec("PRAGMA user_version = 999");
  for (const ProcessResult& result : {world.runMatrix(), world.run({"query"})}) {
    EXPECT_CODE(result, 2);
    EXPECT_HAS(result.err, "version 999");
    EXPECT_HAS(result.err, "newer harness");
  }
  database.exec("PRAGMA user_version = " + std::to_string(version));
  EXPECT_EQ(world.query().size(), 4u);
}

/// What reads a cell, after `statement` was done to the database: one line, and nothing before it.
void expectDamaged(const std::string& statement, const std::string& says) {
  SCOPED_TRACE(statement);
  World world;
  world.writeCase("bad", "//ptxas emit wrong");
  world.runMatrix();
  SQLite::Database(world.path("harness.db").string(), SQLite::OPEN_READWRITE).exec(statement);
  std::string cell = "bad@13.0.88/sm_80/O3";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"show", cell},
                                                {"show", cell, "--format", "json"},
                                                {"diff", cell, "fill@13.0.88/sm_80/O3"},
                                                {"explain", cell},
                                                {"bundle", cell, "-o", "bundle.tar"}}) {
    ProcessResult result = world.run(words);
    EXPECT_CODE(result, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "harness: the database '" + world.path("harness.db").string() +
                              "' is damaged: bad@13.0.88/sm_80/O3: " + says +
                              "; restore it from a copy, or name another file with --db\n");
  }
}

TEST(Database, WithDetailsOfAnotherShape) {
  auto set = [](const std::string& details) {
    return "UPDATE text SET value = '" + details + "' WHERE value LIKE '{%buffers%'";
  };
  expectDamaged(set(R"({"buffers":5})"), "details of sass: /buffers: an array is expected here");
  expectDamaged(set(R"({"buffers":[{"histogram":{"0":1},"record":4}]})"),
                "details of sass: /buffers/0/histogram: an array is expected here");
  expectDamaged(set(R"({"buffers":[{"bad":"many"}]})"),
                "details of sass: /buffers/0/bad: a whole number, 0 or more, is expected here");
  expectDamaged(set(R"({"message":[]})"), "details of sass: /message: a string is expected here");
  expectDamaged(set("no JSON"), "details of sass: /: an object is expected here");
  expectDamaged("UPDATE build SET sass_hash = 'zz'", "'zz' is no SHA-256");
}

TEST(Database, HeldByAnotherProcess) {
  World world;
  world.runMatrix();
  {
    SQLite::Database holder(world.path("harness.db").string(), SQLite::OPEN_READWRITE);
    holder.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE run SET host = host");
    for (const ProcessResult& result : {world.runMatrix(), world.run({"query"})}) {
      EXPECT_CODE(result, 3);
      EXPECT_HAS(result.err, "harness.db");
    }
  }
  EXPECT_EQ(world.query().size(), 4u);
  EXPECT_CODE(world.runMatrix(), 0);
}

TEST(Database, HeldByAnotherRunCanStillBeRead) {
  World world;
  world.runMatrix();
  world.writeCase("slow", "//ptxas echo $$ >\"$(dirname \"$FAKE_LOG\")/pid\"; exec sleep 1000");
  Background first(world.command({"run", "--matrix", world.path("matrix/all.json")}), world.path("log"));
  waitForFile(world.path("pid"));
  ProcessResult second = world.runMatrix();
  EXPECT_CODE(second, 3);
  EXPECT_HAS(second.err, "another harness process");
  EXPECT_EQ(world.query().size(), 4u);
}

TEST(Database, TwoRunsShareOneCache) {
  World world;
  for (const char* what : {"right", "wrong", "unwritten"})
    world.writeCase(what, std::string("//ptxas sleep 0.1; emit ") + what);
  auto start = [&](const char* name) {
    ProcessSpec spec = world.command(
        {"run", "--matrix", world.path("matrix/all.json"), "--db", world.path(std::string(name) + ".db")});
    return std::make_unique<Background>(spec, world.path(std::string(name) + ".log"));
  };
  auto first = start("first"), second = start("second");
  EXPECT_EQ(first->wait(), 1);
  EXPECT_EQ(second->wait(), 1);
  Json rows = world.query({"--db", world.path("first.db")});
  EXPECT_EQ(rows.size(), 16u);
  EXPECT_EQ(rows.dump(1), world.query({"--db", world.path("second.db")}).dump(1));
}

/// Runs the program where no file may grow beyond `blocks` of 512 bytes, as on a full disk.
ProcessResult runOnFullDisk(const World& world, unsigned blocks) {
  ProcessSpec spec = world.command({"run", "--matrix", world.path("matrix/all.json")});
  spec.argv.insert(spec.argv.begin(),
                   {"/bin/sh", "-c", "trap '' XFSZ; ulimit -f $0; exec \"$@\"", std::to_string(blocks)});
  return runProcess(spec);
}

TEST(Database, OnAFullDisk) {
  World world;
  EXPECT_CODE(world.runMatrix(), 0);
  std::string before = world.query({"--case", "fill"}).dump(1);
  // Everything that compilers write fits, at first not all that the database needs.
  bool failed = false;
  for (unsigned blocks : {16, 64, 128, 256}) {
    world.writeCase("more" + std::to_string(blocks), "//ptxas emit right; : " + std::to_string(blocks));
    ProcessResult result = runOnFullDisk(world, blocks);
    ASSERT_EQ(result.end, ProcessEnd::Exited) << result.describe();
    if (result.exitCode != 0) {
      failed = true;
      EXPECT_EQ(result.exitCode, 3) << result.out << result.err;
      EXPECT_TRUE(result.err.starts_with("harness: ")) << result.err;
    }
    EXPECT_EQ(world.query({"--case", "fill"}).dump(1).size(), before.size()) << "what was recorded is lost";
  }
  EXPECT_TRUE(failed) << "no disk was full";
  EXPECT_CODE(world.runMatrix(), 0);
  EXPECT_EQ(world.query().size(), 4u * 5);
}

TEST(Database, StandardOutputOnAFullDisk) {
  World world;
  world.runMatrix();
  ProcessSpec spec = world.command({"query"});
  spec.argv.insert(spec.argv.begin(), {"/bin/sh", "-c", "\"$@\" >/dev/full", "sh"});
  ProcessResult result = runProcess(spec);
  EXPECT_CODE(result, 3);
  EXPECT_HAS(result.err, "cannot write to standard output");
}

TEST(Database, StandardOutputThatNobodyReads) {
  World world;
  world.writeCase("bad", "//ptxas emit wrong");
  world.runMatrix();
  for (std::vector<std::string> arguments : {std::vector<std::string>{"query", "--all"},
                                             {"query", "--format", "json"},
                                             {"show", "bad@13.0.88/sm_80/O3"},
                                             {"report", "--junit"}}) {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    Background program(world.command(arguments), world.path("log"), ends[1]);
    close(ends[1]);
    EXPECT_EQ(program.wait(), 0) << arguments.front();
    EXPECT_EQ(program.output(), "") << "no word about it";
  }
}

} // namespace
} // namespace harness::test

#include "harness/store/read.h"

#include "sample.h"
#include <gtest/gtest.h>
#include <sqlite3.h>

namespace harness {
namespace {

/// Asks every question that must stay fast however large the database is, and looks at what SQLite did: none
/// may walk through a large table. (The small ones are the axes of the matrix, read whole on purpose.)
class PlanTest : public testing::Test {
protected:
  PlanTest() {
    Store store(files.path, Store::Mode::ReadWrite);
    std::vector<CellRecord> cells;
    for (const char* caseId : {"a", "b"})
      for (const char* toolchain : {"13.0.88", "13.1.80"})
        for (const char* arch : {"sm_80", "sm_90"})
          cells.push_back(sampleCell(caseId, toolchain, arch, "O3"));
    store.recordCells(beginSampleRun(store), cells);
    cells[0] = sampleCell("a", "13.0.88", "sm_80", "O3", Verdict::Mismatch);
    store.recordCells(beginSampleRun(store), cells);
  }

  void expectNoScan(const QueryFilter& filter, std::size_t rows) {
    Connection connection(files.path, false);
    TextTable texts(connection);
    Reader reader(connection, texts);
    EXPECT_EQ(reader.query(filter).size(), rows);
    EXPECT_GE(reader.history(filter).size(), rows);
    reader.standings(filter);
    reader.cell("a", "13.0.88", "sm_80", "O3");
    sqlite3* handle = connection.database().getHandle();
    int statements = 0;
    for (sqlite3_stmt* at = sqlite3_next_stmt(handle, nullptr); at; at = sqlite3_next_stmt(handle, at)) {
      ++statements;
      EXPECT_EQ(sqlite3_stmt_status(at, SQLITE_STMTSTATUS_SORT, 0), 0) << sqlite3_sql(at);
      EXPECT_EQ(sqlite3_stmt_status(at, SQLITE_STMTSTATUS_AUTOINDEX, 0), 0) << sqlite3_sql(at);
      SQLite::Statement plan(connection.database(), std::string("EXPLAIN QUERY PLAN ") + sqlite3_sql(at));
      while (plan.executeStep()) {
        std::string step = plan.getColumn(3).getString();
        bool small = false;
        for (const char* table : {"SCAN test_case", "SCAN toolchain", "SCAN t", "SCAN arch", "SCAN opt",
                                  "SCAN c", "SCAN json_each"})
          small |= step == table || step.starts_with(std::string(table) + " ");
        EXPECT_TRUE(small || !step.starts_with("SCAN")) << step << "\n" << sqlite3_sql(at);
      }
    }
    EXPECT_GT(statements, 5);
  }

  SampleDatabase files;
};

TEST_F(PlanTest, Everything) {
  expectNoScan({}, 8);
}

TEST_F(PlanTest, Toolchain) {
  QueryFilter filter;
  filter.nvcc = VersionRange::parse("13.0");
  expectNoScan(filter, 4);
}

TEST_F(PlanTest, CaseArchAndOpt) {
  QueryFilter filter;
  filter.caseId = {"b"};
  filter.arch = {"sm_9*"};
  filter.opt = {"O3"};
  expectNoScan(filter, 2);
}

TEST_F(PlanTest, VerdictAndBlame) {
  QueryFilter filter;
  filter.verdict = Verdict::Mismatch;
  expectNoScan(filter, 1);
  filter.verdict.reset();
  filter.blame = Blame::Ptxas;
  expectNoScan(filter, 1);
}

TEST_F(PlanTest, Changed) {
  QueryFilter filter;
  filter.changed = true;
  expectNoScan(filter, 1);
}

TEST_F(PlanTest, New) {
  QueryFilter filter;
  filter.changed = true;
  filter.run = 1;
  expectNoScan(filter, 8);
}

TEST_F(PlanTest, Run) {
  QueryFilter filter;
  filter.run = 1;
  expectNoScan(filter, 8);
}

} // namespace
} // namespace harness

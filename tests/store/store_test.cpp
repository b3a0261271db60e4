#include "harness/base/error.h"
#include "harness/store/store.h"

#include "sample.h"
#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace harness {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class StoreTest : public testing::Test {
protected:
  RowId record(const std::vector<CellRecord>& cells, const std::string& started = "2025-01-01T00:00:00Z") {
    RowId run = beginSampleRun(store, started);
    store.recordCells(run, cells);
    return run;
  }
  std::int64_t countRows(const std::string& table) {
    SQLite::Database raw(files.path.string(), SQLite::OPEN_READONLY);
    return raw.execAndGet("SELECT count(*) FROM " + table).getInt64();
  }
  std::vector<std::string> names(const QueryFilter& filter) {
    std::vector<std::string> cells;
    for (const QueryRow& row : store.query(filter))
      cells.push_back(row.caseId + "@" + row.toolchain + "/" + row.arch + "/" + row.opt);
    return cells;
  }

  SampleDatabase files;
  Store store{files.path, Store::Mode::ReadWrite};
};

TEST_F(StoreTest, AQueryGivesACellAsItWasRecorded) {
  CellRecord cell = sampleCell("halfstore", "13.0.88", "sm_90", "O3", Verdict::Mismatch);
  cell.expectedVerdict = "mismatch";
  cell.expectedBlame = "ptxas";
  cell.why = "a known one";
  cell.verdicts[0][0].outcome = Outcome::Expected;
  RowId run = record({cell});

  std::vector<QueryRow> rows = store.query({});
  ASSERT_EQ(rows.size(), 1u);
  const QueryRow& row = rows[0];
  EXPECT_EQ(row.caseId, "halfstore");
  EXPECT_EQ(row.toolchain, "13.0.88");
  EXPECT_EQ(row.arch, "sm_90");
  EXPECT_EQ(row.opt, "O3");
  EXPECT_EQ(row.verdict, Verdict::Mismatch);
  EXPECT_EQ(row.blame, Blame::Ptxas);
  EXPECT_EQ(row.outcome, Outcome::Expected);
  EXPECT_EQ(row.bytes, 272u);
  EXPECT_EQ(row.bad, 8u);
  EXPECT_EQ(row.firstBad, "out+0x22: 0x0e -> 0x00");
  EXPECT_EQ(row.why, "a known one");
  EXPECT_EQ(row.builds, 1u);
  EXPECT_EQ(row.run, run);
  EXPECT_EQ(row.previous, "");
  ASSERT_EQ(row.executors.size(), 1u);
  EXPECT_EQ(row.executors[0].executor, "sass");
  EXPECT_EQ(row.executors[0].details, cell.verdicts[0][0].details);
}

TEST_F(StoreTest, TheWorstVerdictIsTheCells) {
  CellRecord cell = sampleCell("a", "13.0.88", "sm_90", "O3");
  VerdictRecord shape2 = cell.verdicts[0][0];
  shape2.shape = "big";
  shape2.verdict = Verdict::Mismatch;
  shape2.bad = 3;
  shape2.firstBad = "out+0x1: 0x00 -> 0x01";
  cell.verdicts[0].push_back(shape2);
  VerdictRecord ptx = cell.verdicts[0][0];
  ptx.executor = "ptx";
  ptx.bytes = 5;
  cell.verdicts[0].push_back(ptx);
  cell.builds.push_back(cell.builds[0]);
  cell.builds[1].cubinHash = "another";
  cell.verdicts.push_back({cell.verdicts[0][0]});
  record({cell});

  QueryRow row = store.query({}).at(0);
  EXPECT_EQ(row.verdict, Verdict::Mismatch);
  EXPECT_EQ(row.bytes, 2 * 272u) << "both shapes of the deciding executor, not the other executor's";
  EXPECT_EQ(row.bad, 3u);
  EXPECT_EQ(row.firstBad, shape2.firstBad);
  EXPECT_EQ(row.builds, 2u);
  EXPECT_EQ(row.executors.size(), 3u) << "one an executor and shape, though there are two builds";
}

TEST_F(StoreTest, AnEqualVerdictProlongsAndAddsNoRow) {
  CellRecord cell = sampleCell("a", "13.0.88", "sm_90", "O3");
  record({cell});
  cell.builds[0].seconds = 9;
  cell.builds[0].log = "another log";
  RowId second = record({cell}, "2025-01-02T00:00:00Z");

  EXPECT_EQ(countRows("stretch"), 1);
  EXPECT_EQ(countRows("verdict"), 1);
  EXPECT_EQ(countRows("build"), 1);
  EXPECT_EQ(store.query({}).at(0).run, second);
  std::vector<HistoryRow> history = store.history({});
  ASSERT_EQ(history.size(), 1u);
  EXPECT_EQ(history[0].firstRun, 1);
  EXPECT_EQ(history[0].lastRun, second);
  EXPECT_EQ(history[0].firstSeen, "2025-01-01T00:00:00Z");
  EXPECT_EQ(history[0].lastSeen, "2025-01-02T00:00:00Z");
}

TEST_F(StoreTest, TheOrderOfBuildsIsNoChange) {
  CellRecord cell = sampleCell("a", "13.0.88", "sm_90", "O3");
  cell.builds.push_back(cell.builds[0]);
  cell.builds[1].cubinHash = "another";
  cell.verdicts.push_back(cell.verdicts[0]);
  record({cell});
  std::swap(cell.builds[0], cell.builds[1]);
  record({cell});
  EXPECT_EQ(countRows("stretch"), 1);
}

TEST_F(StoreTest, AChangeBeginsAStretchAndComingBackAnother) {
  auto cell = [](Verdict verdict) { return sampleCell("a", "13.0.88", "sm_90", "O3", verdict); };
  record({cell(Verdict::Pass)}, "d1");
  record({cell(Verdict::Mismatch)}, "d2");
  record({cell(Verdict::Mismatch)}, "d3");
  record({cell(Verdict::Pass)}, "d4");

  std::vector<HistoryRow> history = store.history({});
  ASSERT_EQ(history.size(), 3u);
  EXPECT_EQ(history[0].verdict, Verdict::Pass);
  EXPECT_EQ(history[1].verdict, Verdict::Mismatch);
  EXPECT_EQ(history[1].firstSeen, "d2");
  EXPECT_EQ(history[1].lastSeen, "d3");
  EXPECT_EQ(history[2].firstRun, 4);
  EXPECT_EQ(countRows("build"), 1) << "the build is the same all along";
}

TEST_F(StoreTest, ANewBuildIsKeptButNoEventOfTheHistory) {
  CellRecord cell = sampleCell("a", "13.0.88", "sm_90", "O3");
  record({cell});
  cell.builds[0].cubinHash = "another";
  record({cell});
  EXPECT_EQ(countRows("stretch"), 2);
  EXPECT_EQ(countRows("change"), 0);
  EXPECT_EQ(countRows("build"), 2);
  EXPECT_EQ(store.history({}).size(), 1u);
  EXPECT_EQ(store.history({})[0].lastRun, 2);
  QueryFilter changed;
  changed.changed = true;
  EXPECT_THAT(store.query(changed), IsEmpty());
}

TEST_F(StoreTest, ChangedIsAgainstTheStretchBefore) {
  auto pass = sampleCell("a", "13.0.88", "sm_90", "O3");
  auto bad = sampleCell("a", "13.0.88", "sm_90", "O3", Verdict::Mismatch);
  auto steady = sampleCell("b", "13.0.88", "sm_90", "O3");
  record({pass, steady});
  RowId second = record({bad, steady});
  QueryFilter changed;
  changed.changed = true;
  std::vector<QueryRow> rows = store.query(changed);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].caseId, "a");
  EXPECT_EQ(rows[0].previous, "pass");
  EXPECT_EQ(rows[0].verdict, Verdict::Mismatch);

  record({bad, steady}); // nothing new
  EXPECT_THAT(store.query(changed), IsEmpty());
  changed.run = second; // an older run can still be asked
  EXPECT_THAT(names(changed), ElementsAre("a@13.0.88/sm_90/O3"));
  changed.caseId = {"b"};
  EXPECT_THAT(names(changed), IsEmpty());
}

TEST_F(StoreTest, WhatIsJudgedForTheFirstTimeIsAChangeToo) {
  auto cell = [](const char* caseId, const char* toolchain, Verdict verdict = Verdict::Pass) {
    return sampleCell(caseId, toolchain, "sm_90", "O3", verdict);
  };
  RowId first = record({cell("a", "13.0.88"), cell("c", "13.0.88")});
  RowId second = record({cell("a", "13.0.88", Verdict::Fault), cell("b", "13.0.88"),
                         cell("b", "13.1.80", Verdict::Mismatch), cell("c", "13.0.88")});
  QueryFilter changed;
  changed.changed = true;
  std::vector<QueryRow> rows = store.query(changed);
  EXPECT_THAT(names(changed), ElementsAre("a@13.0.88/sm_90/O3", "b@13.0.88/sm_90/O3", "b@13.1.80/sm_90/O3"));
  EXPECT_FALSE(rows[0].isNew);
  EXPECT_TRUE(rows[1].isNew && rows[2].isNew);
  EXPECT_EQ(rows[2].previous, "");
  changed.limit = 2;
  EXPECT_THAT(names(changed), ElementsAre("a@13.0.88/sm_90/O3", "b@13.1.80/sm_90/O3"))
      << "passes are cut first";
  changed.limit = 1000;
  changed.verdict = Verdict::Mismatch;
  EXPECT_THAT(names(changed), ElementsAre("b@13.1.80/sm_90/O3"));
  changed.verdict.reset();
  changed.nvcc = VersionRange::parse("13.0.88");
  changed.caseId = {"b"};
  EXPECT_THAT(names(changed), ElementsAre("b@13.0.88/sm_90/O3"));

  record({cell("b", "13.0.88"), cell("d", "13.0.88")});
  changed = {};
  changed.changed = true;
  EXPECT_THAT(names(changed), ElementsAre("d@13.0.88/sm_90/O3"));
  changed.run = second; // older runs stay what they were
  EXPECT_EQ(store.query(changed).size(), 3u);
  changed.run = first;
  EXPECT_THAT(names(changed), ElementsAre("a@13.0.88/sm_90/O3", "c@13.0.88/sm_90/O3"));
  EXPECT_EQ(store.query(changed)[0].verdict, Verdict::Pass) << "as it was found then";
  changed.run = std::numeric_limits<RowId>::max();
  EXPECT_THAT(store.query(changed), IsEmpty());
}

TEST_F(StoreTest, ARunThatRecordedNothingDoesNotHideWhatChanged) {
  record({sampleCell("a", "13.0.88", "sm_90", "O3")});
  record({sampleCell("a", "13.0.88", "sm_90", "O3", Verdict::Fault)});
  beginSampleRun(store);
  QueryFilter changed;
  changed.changed = true;
  EXPECT_THAT(names(changed), ElementsAre("a@13.0.88/sm_90/O3"));
}

TEST_F(StoreTest, ARunIsShownAsItWas) {
  RowId first =
      record({sampleCell("a", "13.0.88", "sm_90", "O3"), sampleCell("b", "13.0.88", "sm_90", "O3")});
  RowId second = record({sampleCell("a", "13.0.88", "sm_90", "O3", Verdict::Mismatch)});
  QueryFilter filter;
  filter.run = first;
  ASSERT_EQ(store.query(filter).size(), 2u);
  EXPECT_EQ(store.query(filter)[0].verdict, Verdict::Pass);
  filter.run = second;
  ASSERT_EQ(store.query(filter).size(), 1u) << "b was not judged in it";
  EXPECT_EQ(store.query(filter)[0].verdict, Verdict::Mismatch);
  filter.run = 99;
  EXPECT_THAT(store.query(filter), IsEmpty());
}

TEST_F(StoreTest, FiltersAndOrder) {
  std::vector<CellRecord> cells;
  for (const char* caseId : {"halfstore-u16", "halfstore"})
    for (const char* toolchain : {"13.5.37", "13.0.88", "12.9.86", "13.0.88+13.5.37"})
      for (const char* arch : {"sm_120a", "sm_90"})
        cells.push_back(sampleCell(caseId, toolchain, arch, "O3"));
  cells.push_back(sampleCell("halfstore", "13.0.88", "sm_90", "O10", Verdict::Mismatch));
  record(cells);

  QueryFilter filter;
  filter.caseId = {"half*e"};
  EXPECT_THAT(names(filter), ElementsAre("halfstore@12.9.86/sm_90/O3", "halfstore@12.9.86/sm_120a/O3",
                                         "halfstore@13.0.88/sm_90/O3", "halfstore@13.0.88/sm_90/O10",
                                         "halfstore@13.0.88/sm_120a/O3", "halfstore@13.0.88+13.5.37/sm_90/O3",
                                         "halfstore@13.0.88+13.5.37/sm_120a/O3", "halfstore@13.5.37/sm_90/O3",
                                         "halfstore@13.5.37/sm_120a/O3"));
  filter.nvcc = VersionRange::parse(">=13.0,<13.1");
  filter.arch = {"sm_1*"};
  EXPECT_THAT(names(filter),
              ElementsAre("halfstore@13.0.88/sm_120a/O3", "halfstore@13.0.88+13.5.37/sm_120a/O3"));
  filter.toolchains = {"13.0.88"};
  EXPECT_THAT(names(filter), ElementsAre("halfstore@13.0.88/sm_120a/O3"));
  filter.opt = {"O1"};
  EXPECT_THAT(names(filter), IsEmpty());

  QueryFilter bad;
  bad.verdict = Verdict::Mismatch;
  EXPECT_THAT(names(bad), ElementsAre("halfstore@13.0.88/sm_90/O10"));
  bad.blame = Blame::FrontEnd;
  EXPECT_THAT(names(bad), IsEmpty());
  bad.blame = Blame::Ptxas;
  EXPECT_THAT(names(bad), ElementsAre("halfstore@13.0.88/sm_90/O10"));
  bad.verdict = Verdict::Ice; // never seen
  EXPECT_THAT(names(bad), IsEmpty());

  QueryFilter all;
  EXPECT_EQ(names(all).size(), 17u);
  all.limit = 3;
  EXPECT_THAT(names(all), ElementsAre("halfstore@12.9.86/sm_90/O3", "halfstore@12.9.86/sm_120a/O3",
                                      "halfstore@13.0.88/sm_90/O3"));
  EXPECT_EQ(store.history(all).size(), 3u);
  QueryFilter malformed;
  malformed.caseId = {"[a"};
  EXPECT_THROW(store.query(malformed), Error);
}

TEST_F(StoreTest, AToolchainIsFoundByTheVersionItIsNamedAfter) {
  CellRecord cell = sampleCell("a", "12.4.131", "sm_90", "O3");
  cell.toolchain.frontEndBuild = "12.4.127";
  record({cell});
  QueryFilter filter;
  for (const char* version : {"12.4.131", "12.4.127", "12.4"}) {
    filter.nvcc = VersionRange::parse(version);
    EXPECT_EQ(store.query(filter).size(), 1u) << version;
  }
}

TEST_F(StoreTest, NamesAreInTheOrderOfResults) {
  EXPECT_THAT(store.names().cases, IsEmpty());
  record({sampleCell("b", "13.0.88", "sm_100", "O3"), sampleCell("a", "9.2.148", "sm_90", "G")});
  RecordedNames recorded = store.names();
  EXPECT_THAT(recorded.cases, ElementsAre("a", "b"));
  EXPECT_THAT(recorded.toolchains, ElementsAre("9.2.148", "13.0.88"));
  EXPECT_THAT(recorded.archs, ElementsAre("sm_90", "sm_100"));
  EXPECT_THAT(recorded.opts, ElementsAre("G", "O3"));
}

TEST_F(StoreTest, StandingsCoverAllToolchainsInOrder) {
  record({sampleCell("a", "13.5.37", "sm_90", "O3"),
          sampleCell("a", "12.9.86", "sm_90", "O3", Verdict::Mismatch),
          sampleCell("b", "13.0.88", "sm_90", "O3")});
  QueryFilter filter;
  filter.caseId = {"a"};
  filter.nvcc = VersionRange::parse("13.5.37");
  filter.limit = 1;
  std::vector<StandingRow> rows = store.standings(filter);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].toolchain, "12.9.86");
  EXPECT_EQ(rows[0].verdict, Verdict::Mismatch);
  EXPECT_EQ(rows[1].toolchain, "13.5.37");
}

TEST_F(StoreTest, AToolchainThatChangedUnderItsNameStaysOneColumn) {
  CellRecord cell = sampleCell("a", "13.0.88", "sm_90", "O3");
  record({cell});
  cell.toolchain.ptxasSha256 = "something else";
  record({cell});
  EXPECT_EQ(countRows("toolchain_identity"), 2);
  EXPECT_EQ(store.query({}).size(), 1u);
  EXPECT_EQ(store.cell("a", "13.0.88", "sm_90", "O3")->toolchain.ptxasSha256, "something else");
}

TEST_F(StoreTest, CellGivesBackAllThatWasRecorded) {
  ExecutionRecord execution;
  execution.key = "key-1";
  store.recordExecutions({execution});
  CellRecord cell = sampleCell("a", "13.0.88", "sm_90", "O3", Verdict::Mismatch);
  cell.verdicts[0][0].executionKeys = {"key-1"};
  cell.verdicts[0][0].shape = "small";
  cell.expectedVerdict = "mismatch";
  cell.expectedBlame = "ptxas";
  cell.why = "known";
  cell.builds.push_back(cell.builds[0]);
  cell.builds[1].cubinHash = "another";
  cell.verdicts.push_back({cell.verdicts[0][0]});
  record({cell});

  auto found = store.cell("a", "13.0.88", "sm_90", "O3");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->source.title, "A title");
  EXPECT_EQ(found->source.referenceHash, "reference-hash");
  EXPECT_EQ(found->toolchain.frontEndBuildString, "Build cuda_13.0.88");
  ASSERT_EQ(found->builds.size(), 2u);
  EXPECT_EQ(found->builds[0].frontEndCommand, "nvcc -ptx x.cu");
  EXPECT_EQ(found->builds[0].log, "a log");
  EXPECT_EQ(found->builds[0].seconds, 0.25);
  EXPECT_EQ(found->builds[1].cubinHash, "another");
  ASSERT_EQ(found->verdicts.size(), 2u);
  EXPECT_EQ(found->verdicts[1][0].shape, "small");
  EXPECT_THAT(found->verdicts[0][0].executionKeys, ElementsAre("key-1"));
  EXPECT_EQ(found->why, "known");
  EXPECT_EQ(found->expectedBlame, "ptxas");
  EXPECT_FALSE(store.cell("a", "13.0.88", "sm_90", "O2"));
  EXPECT_FALSE(store.cell("b", "13.0.88", "sm_90", "O3"));
}

TEST_F(StoreTest, ExecutionsAreFoundByKey) {
  ExecutionRecord execution{
      "key",          "sass",         "1",      "in-order", "image", "shape", 0xaa, 0xffffffffffffffff,
      "ok",           "note",         "output", "in",       123,     0.5,     7,    9,
      "[\"a race\"]", "[\"line 9\"]", "{}",     3,          "[1, 2]"};
  store.recordExecutions({execution});
  store.recordExecutions({execution});
  EXPECT_EQ(store.countExecutions(), 1u);
  auto found = store.findExecution("key");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->executor, "sass");
  EXPECT_EQ(found->executorVersion, "1");
  EXPECT_EQ(found->schedule, "in-order");
  EXPECT_EQ(found->imageHash, "image");
  EXPECT_EQ(found->shape, "shape");
  EXPECT_EQ(found->poison, 0xaau);
  EXPECT_EQ(found->seed, 0xffffffffffffffffu);
  EXPECT_EQ(found->end, "ok");
  EXPECT_EQ(found->message, "note");
  EXPECT_EQ(found->outputHash, "output");
  EXPECT_EQ(found->changedInput, "in");
  EXPECT_EQ(found->threadInstructions, 123u);
  EXPECT_EQ(found->seconds, 0.5);
  EXPECT_EQ(found->divergences, 7u);
  EXPECT_EQ(found->approximations, 9u);
  EXPECT_EQ(found->observations, "[\"a race\"]");
  EXPECT_EQ(found->undefined, "[\"line 9\"]");
  EXPECT_EQ(found->device, "{}");
  EXPECT_EQ(found->repeats, 3u);
  EXPECT_EQ(found->outcomes, "[1, 2]");
  EXPECT_FALSE(store.findExecution("other"));
  execution.key = "on the CPU";
  execution.device.clear();
  store.recordExecutions({execution});
  EXPECT_EQ(store.findExecution("on the CPU")->device, "");
  auto many = store.findExecutions({"other", "key"});
  ASSERT_EQ(many.size(), 2u);
  EXPECT_FALSE(many[0]);
  EXPECT_TRUE(many[1]);
}

TEST_F(StoreTest, RunsAreKept) {
  RunRecord run;
  run.started = "2025-01-01T00:00:00Z";
  run.arguments = "harness run --matrix m.json";
  run.id = store.beginRun(run);
  EXPECT_EQ(store.runs(10).at(0).finished, "") << "as after a kill";
  run.finished = "2025-01-01T00:01:00Z";
  run.cells = 864;
  run.executed = 7;
  store.finishRun(run);
  beginSampleRun(store);
  ASSERT_EQ(store.runs(10).size(), 2u);
  EXPECT_EQ(store.runs(1).at(0).id, 2);
  RunRecord found = store.runs(10)[1];
  EXPECT_EQ(found.finished, run.finished);
  EXPECT_EQ(found.cells, 864u);
  EXPECT_EQ(found.executed, 7u);
  EXPECT_EQ(found.arguments, run.arguments);
}

TEST_F(StoreTest, WhatCannotBeRecordedLeavesNothingBehind) {
  CellRecord good = sampleCell("a", "13.0.88", "sm_90", "O3");
  CellRecord bad = sampleCell("b", "13.0.88", "sm_90", "O3");
  bad.verdicts[0][0].executionKeys = {"never recorded"};
  RowId run = beginSampleRun(store);
  EXPECT_THROW(store.recordCells(run, {good, bad}), Error);
  bad.verdicts[0].clear();
  EXPECT_THROW(store.recordCells(run, {good, bad}), Error);
  bad.verdicts.clear();
  EXPECT_THROW(store.recordCells(run, {good, bad}), Error);
  EXPECT_THROW(store.recordCells(99, {good}), Error);
  EXPECT_EQ(countRows("cell"), 0);
  EXPECT_EQ(countRows("text"), 0);
  store.recordCells(run, {good}); // numbers given in the failed attempts are forgotten
  EXPECT_EQ(store.query({}).size(), 1u);
}

TEST_F(StoreTest, AVerdictThatDoesNotDecideLeavesTheCellAlone) {
  CellRecord cell = sampleCell("a", "13.0.88", "sm_90", "O3");
  VerdictRecord lacking;
  lacking.executor = "ptx";
  lacking.verdict = Verdict::Unsupported;
  lacking.outcome = Outcome::Undecided;
  lacking.decides = false;
  cell.verdicts[0].push_back(lacking);
  EXPECT_EQ(&decisiveVerdict(cell), &cell.verdicts[0][0]);
  record({cell});
  QueryRow row = store.query({}).at(0);
  EXPECT_EQ(row.verdict, Verdict::Pass);
  EXPECT_EQ(row.bytes, 272u);
  auto found = store.cell("a", "13.0.88", "sm_90", "O3");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->verdicts[0][0].decides);
  EXPECT_FALSE(found->verdicts[0][1].decides);

  cell.verdicts[0][1].decides = true;
  record({cell});
  EXPECT_EQ(store.query({}).at(0).verdict, Verdict::Unsupported);
  cell.verdicts[0] = {lacking};
  EXPECT_THROW(decisiveVerdict(cell), Error);
}

TEST(CellRecordTest, TheBuildThatDecides) {
  CellRecord cell = sampleCell("a", "13.0.88", "sm_90", "O3");
  EXPECT_EQ(decisiveBuild(cell), 0u);
  CellRecord wrong = sampleCell("a", "13.0.88", "sm_90", "O3", Verdict::Mismatch);
  cell.builds.push_back(wrong.builds.front());
  cell.verdicts.push_back(wrong.verdicts.front());
  EXPECT_EQ(decisiveBuild(cell), 1u);
  EXPECT_EQ(totalsOf(cell).bad, wrong.verdicts.front().front().bad);
}

TEST_F(StoreTest, AQueryKnowsTheExpectedBlame) {
  CellRecord cell = sampleCell("a", "13.0.88", "sm_90", "O3", Verdict::Mismatch);
  cell.expectedVerdict = "mismatch";
  cell.expectedBlame = "front-end";
  record({cell, sampleCell("b", "13.0.88", "sm_90", "O3")});
  auto rows = store.query({});
  EXPECT_EQ(rows.at(0).expectedBlame, "front-end");
  EXPECT_EQ(rows.at(1).expectedBlame, "");
}

TEST_F(StoreTest, AReaderSeesWhatTheWriterHasRecorded) {
  record({sampleCell("a", "13.0.88", "sm_90", "O3")});
  Store reader(files.path, Store::Mode::ReadOnly);
  EXPECT_EQ(reader.query({}).size(), 1u);
  record({sampleCell("b", "13.0.88", "sm_90", "O3")});
  EXPECT_EQ(reader.query({}).size(), 2u);
  EXPECT_THROW(beginSampleRun(reader), Error);
}

TEST_F(StoreTest, AnUnchangedRunIsFast) {
  std::vector<CellRecord> cells;
  for (int testCase = 0; testCase < 4; ++testCase)
    for (const char* toolchain : {"13.0.88", "13.1.80", "13.5.37"})
      for (int arch = 0; arch < 18; ++arch)
        for (int opt = 0; opt < 4; ++opt)
          cells.push_back(sampleCell("case" + std::to_string(testCase), toolchain,
                                     "sm_" + std::to_string(arch), "O" + std::to_string(opt)));
  ASSERT_EQ(cells.size(), 864u);
  record(cells);
  auto start = std::chrono::steady_clock::now();
  record(cells);
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  RecordProperty("milliseconds", static_cast<int>(seconds.count() * 1000));
  EXPECT_LT(seconds.count(), 0.3);
  EXPECT_EQ(countRows("stretch"), 864);
}

} // namespace
} // namespace harness

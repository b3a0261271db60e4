#include "harness/base/files.h"
#include "harness/base/log.h"
#include "harness/store/store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <benchmark/benchmark.h>
#include <llvm/Support/FormatVariadic.h>

#include <chrono>
#include <cstdlib>
#include <optional>

namespace harness {
namespace {

namespace fs = std::filesystem;

// 100 cases on 60 toolchains, 22 architectures and 6 options: 792,000 cells. Each has 7 stretches of two
// verdicts (two executors) behind it: 5.5 million stretches and 11 million verdicts. One cell in 50 changed
// in the newest run.
constexpr int kCases = 100, kToolchains = 60, kArchs = 22, kOpts = 6, kStretches = 7;
constexpr int kRuns = 365;

CellRecord seedCell(Verdict verdict) {
  CellRecord cell;
  cell.arch = "sm_0";
  cell.opt = "O0";
  cell.toolchain = {"12.0.0", "nvcc", "12.0.0", "build string", "identity", "12.0.0", "build string", "sha"};
  cell.source = {"case-000", "title", "source", "manifest", "reference"};
  cell.builds = {{"ptx", "cubin", "image", "sass", "nvcc -ptx", "ptxas -O3", "ok", "", 0.1}};
  VerdictRecord judged;
  judged.executor = "sass";
  judged.verdict = verdict;
  judged.blame = verdict == Verdict::Pass ? Blame::None : Blame::Ptxas;
  judged.outcome = judge(verdict, std::nullopt);
  judged.bytes = 272;
  judged.firstBad = verdict == Verdict::Pass ? "" : "out+0x22: 0x0e -> 0x00";
  judged.details = verdict == Verdict::Pass ? "" : R"({"buffers":[{"buffer":"out","pattern":"unwritten"}]})";
  VerdictRecord ptx = judged;
  ptx.executor = "ptx";
  cell.verdicts = {{judged, ptx}};
  return cell;
}

/// A valid database with every kind of row in it, then multiplied by SQL: the tables are filled by the
/// million a second that way.
void build(const fs::path& path) {
  {
    Store store(path, Store::Mode::ReadWrite);
    RunRecord run;
    run.started = "2025-01-01T00:00:00Z";
    RowId id = store.beginRun(run);
    store.recordCells(id, {seedCell(Verdict::Pass)});
    store.recordCells(id, {seedCell(Verdict::Mismatch)});
  }
  SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; "
                "PRAGMA cache_size = -400000");
  std::string numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ";
  auto count = [&](int bound) { return numbers + std::to_string(bound - 1) + ") "; };
  SQLite::Transaction transaction(database);
  database.exec(
      "DELETE FROM verdict; DELETE FROM stretch; DELETE FROM cell; DELETE FROM build; DELETE FROM coverage;"
      "DELETE FROM source; DELETE FROM toolchain_identity; DELETE FROM test_case; DELETE FROM toolchain;"
      "DELETE FROM arch; DELETE FROM opt; DELETE FROM run");
  database.exec("INSERT INTO run " + count(kRuns) +
                "SELECT i + 1, datetime('2025-01-01', '+' || i || ' days'), '', 'host', 'rev', 'run', 0, 0, "
                "0, 0 FROM n");
  database.exec("INSERT INTO test_case " + count(kCases) + "SELECT i, printf('case-%03d', i) FROM n");
  database.exec("INSERT INTO toolchain " + count(kToolchains) +
                "SELECT i, printf('%d.%d.%d', 11 + i / 20, i % 20 / 2, 40 + i) FROM n");
  database.exec(
      "INSERT INTO toolchain_identity SELECT id, id, 'nvcc', name, 'b', 'identity', name, 'b', 'sha' "
      "FROM toolchain");
  database.exec("INSERT INTO arch " + count(kArchs) + "SELECT i, 'sm_' || (75 + i * 3) FROM n");
  database.exec("INSERT INTO opt " + count(kOpts) + "SELECT i, 'O' || i FROM n");
  database.exec("INSERT INTO source SELECT id, id, 'title', 's', 'm', 'r' FROM test_case");
  // A third of all stretches are mismatches, in turn, so that faults come, go and come back.
  database.exec(
      "CREATE TEMP TABLE word AS SELECT (SELECT id FROM text WHERE value = 'pass') AS pass, "
      "(SELECT id FROM text WHERE value = 'mismatch') AS mismatch, "
      "(SELECT id FROM text WHERE value = 'none') AS none, (SELECT id FROM text WHERE value = 'ptxas') AS "
      "ptxas, "
      "(SELECT id FROM text WHERE value = 'ok') AS ok, (SELECT id FROM text WHERE value = 'regressed') AS "
      "regressed, "
      "(SELECT id FROM text WHERE value = '') AS empty, (SELECT id FROM text WHERE value LIKE 'out+%') AS "
      "first, "
      "(SELECT id FROM text WHERE value LIKE '{%') AS details, "
      "(SELECT id FROM text WHERE value = 'sass') AS sass, (SELECT id FROM text WHERE value = 'ptx') AS ptx");
  std::string stretches = std::to_string(kStretches), lastStretch = std::to_string(kStretches - 1);
  // Cell k owns stretches 7k+1 … 7k+7; the last one begins in the newest run for one cell in 50.
  database.exec("INSERT INTO cell SELECT ROW_NUMBER() OVER () - 1, c.id, t.id, a.id, o.id, "
                "ROW_NUMBER() OVER () * " +
                stretches +
                ", word.pass, word.none, 'digest' "
                "FROM test_case c CROSS JOIN toolchain t CROSS JOIN arch a CROSS JOIN opt o CROSS JOIN word");
  database.exec(
      "INSERT INTO build SELECT id, id, 'digest', test_case, toolchain, 'ptx', 'cubin', 'image', 'sass', "
      "word.empty, word.empty, word.ok, word.empty, 0.1 FROM cell CROSS JOIN word");
  database.exec(
      "INSERT INTO stretch " + count(kStretches) + "SELECT k * " + stretches +
      " + i + 1, k, first, CASE WHEN i = " + lastStretch +
      " THEN 365 ELSE first + 50 END, "
      "iif(bad, mismatch, pass), iif(bad, ptxas, none), iif(bad, regressed, ok), "
      "CASE WHEN i = 0 OR bad = bad_before THEN NULL ELSE iif(bad, pass, mismatch) END, 272, bad * 8, "
      "iif(bad, word.first, empty), 1, NULL FROM (SELECT cell.id AS k, i, "
      "CASE WHEN i = " +
      lastStretch +
      " AND cell.id % 50 = 0 THEN 365 ELSE 1 + i * 51 END AS first, "
      "(cell.id / 6 + i) % 3 = 0 AS bad, (cell.id / 6 + i - 1) % 3 = 0 AS bad_before FROM cell CROSS JOIN "
      "n), word");
  database.exec(
      "UPDATE cell SET verdict = s.verdict, blame = s.blame FROM stretch s WHERE s.id = cell.stretch");
  database.exec(
      "INSERT INTO verdict SELECT s.id, o.ordinal, s.cell, iif(o.ordinal, ptx, sass), empty, s.verdict, "
      "s.blame, "
      "s.outcome, s.bytes, s.bad, s.first_bad, iif(s.bad, details, empty) FROM stretch s "
      "CROSS JOIN (SELECT 0 AS ordinal UNION ALL SELECT 1) o CROSS JOIN word ORDER BY s.id, o.ordinal");
  database.exec(
      "INSERT INTO coverage SELECT r.id, c.id, t.id FROM run r CROSS JOIN test_case c CROSS JOIN toolchain t "
      "ORDER BY 1, 2, 3");
  transaction.commit();
  database.exec("PRAGMA journal_mode = WAL");
}

/// Built once: in $HARNESS_BENCH_DIR, where it is found again the next time, or in a temporary directory.
const fs::path& databaseOfTenMillion() {
  static std::optional<TempDir> temporary;
  static fs::path path;
  if (!path.empty()) return path;
  if (const char* directory = std::getenv("HARNESS_BENCH_DIR"); directory && *directory) {
    fs::create_directories(directory);
    path = fs::path(directory) / "query_10M.db";
  } else {
    path = temporary.emplace("harness-bench").path() / "query_10M.db";
  }
  if (fs::exists(path)) return path;
  auto start = std::chrono::steady_clock::now();
  fs::path fresh = path.string() + ".building";
  fs::remove(fresh);
  build(fresh);
  fs::rename(fresh, path);
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  Log::info(llvm::formatv("store/query_10M: built {0} ({1} MiB) in {2:f0} s", path.string(),
                          fs::file_size(path) >> 20, seconds.count())
                .str());
  return path;
}

struct Question {
  const char* name;
  bool history;
  QueryFilter filter;
};

std::vector<Question> questions() {
  std::vector<Question> all;
  auto add = [&](const char* name, bool history, auto&& set) {
    Question question{name, history, {}};
    set(question.filter);
    all.push_back(question);
  };
  add("everything", false, [](QueryFilter&) {});
  add("toolchain", false, [](QueryFilter& f) { f.nvcc = VersionRange::parse("13.4"); });
  add("toolchain_range", false, [](QueryFilter& f) { f.nvcc = VersionRange::parse(">=12.5,<13.4"); });
  add("case", false, [](QueryFilter& f) { f.caseId = {"case-077"}; });
  add("case_glob", false, [](QueryFilter& f) { f.caseId = {"*9"}; });
  add("toolchain_and_case", false, [](QueryFilter& f) {
    f.nvcc = VersionRange::parse("13.4");
    f.caseId = {"case-01*"};
  });
  add("verdict", false, [](QueryFilter& f) { f.verdict = Verdict::Mismatch; });
  add("verdict_never_seen", false, [](QueryFilter& f) { f.verdict = Verdict::Ice; });
  add("arch_and_opt", false, [](QueryFilter& f) {
    f.arch = {"sm_120"};
    f.opt = {"O3"};
  });
  add("changed", false, [](QueryFilter& f) { f.changed = true; });
  add("changed_and_case", false, [](QueryFilter& f) {
    f.changed = true;
    f.caseId = {"case-05*"};
  });
  add("run", false, [](QueryFilter& f) { f.run = 200; });
  add("history", true, [](QueryFilter&) {});
  add("history_of_case", true, [](QueryFilter& f) { f.caseId = {"case-077"}; });
  add("history_of_toolchain", true, [](QueryFilter& f) { f.nvcc = VersionRange::parse("13.4"); });
  add("history_of_changed", true, [](QueryFilter& f) { f.changed = true; });
  return all;
}

void ask(benchmark::State& state, const Question& question) {
  // Opened once a question, as by the program: what is measured is the answer with a warm cache.
  Store store(databaseOfTenMillion(), Store::Mode::ReadOnly);
  std::size_t rows = 0;
  for (auto _ : state)
    rows = question.history ? store.history(question.filter).size() : store.query(question.filter).size();
  state.counters["rows"] = static_cast<double>(rows);
}

/// The same with opening, as one `harness query` does it.
void openAndAsk(benchmark::State& state) {
  databaseOfTenMillion();
  for (auto _ : state) {
    Store store(databaseOfTenMillion(), Store::Mode::ReadOnly);
    benchmark::DoNotOptimize(store.query({}));
  }
}

const bool kRegistered = [] {
  for (const Question& question : questions())
    benchmark::RegisterBenchmark((std::string("store/query_10M/") + question.name).c_str(), ask, question)
        ->Unit(benchmark::kMillisecond)
        ->MinTime(0.2);
  benchmark::RegisterBenchmark("store/query_10M/open_and_everything", openAndAsk)
      ->Unit(benchmark::kMillisecond)
      ->MinTime(0.2);
  return true;
}();

} // namespace
} // namespace harness

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

/// Multiplies what is in a small database: 100 cases on 60 toolchains, 22 architectures and 6 options are
/// 792,000 cells; each has 7 stretches of two verdicts (two executors): 5.5 million stretches, 11 million
/// verdicts, in 365 runs. Faults come, go and come back: a third of the stretches are mismatches. One cell in
/// 50 changed in the newest run. Cell k owns the stretches 7k+1 … 7k+7.
constexpr const char* kMultiply = R"sql(
DELETE FROM verdict; DELETE FROM change; DELETE FROM stretch; DELETE FROM cell; DELETE FROM build;
DELETE FROM coverage; DELETE FROM source; DELETE FROM toolchain_identity; DELETE FROM test_case;
DELETE FROM toolchain; DELETE FROM arch; DELETE FROM opt; DELETE FROM run;

CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 364) SELECT i FROM n;
CREATE TEMP TABLE word AS SELECT
  (SELECT id FROM text WHERE value = 'pass') AS pass, (SELECT id FROM text WHERE value = 'mismatch') AS mismatch,
  (SELECT id FROM text WHERE value = 'none') AS none, (SELECT id FROM text WHERE value = 'ptxas') AS ptxas,
  (SELECT id FROM text WHERE value = 'ok') AS ok, (SELECT id FROM text WHERE value = 'regressed') AS regressed,
  (SELECT id FROM text WHERE value = 'sass') AS sass, (SELECT id FROM text WHERE value = 'ptx') AS ptx,
  (SELECT id FROM text WHERE value = '') AS empty, (SELECT id FROM text WHERE value LIKE 'out+%') AS first_bad,
  (SELECT id FROM text WHERE value LIKE '{%') AS details;

INSERT INTO run SELECT i + 1, datetime('2025-01-01', '+' || i || ' days'), '', 'host', 'rev', 'run', 0, 0, 0, 0 FROM n;
INSERT INTO test_case SELECT i, printf('case-%03d', i) FROM n WHERE i < 100;
INSERT INTO toolchain SELECT i, printf('%d.%d.%d', 11 + i / 20, i % 20 / 2, 40 + i) FROM n WHERE i < 60;
INSERT INTO toolchain_identity SELECT id, id, 'nvcc', name, 'b', 'identity', name, 'b', 'sha' FROM toolchain;
INSERT INTO arch SELECT i, 'sm_' || (75 + i * 3) FROM n WHERE i < 22;
INSERT INTO opt SELECT i, 'O' || i FROM n WHERE i < 6;
INSERT INTO source SELECT id, id, 'title', 's', 'm', 'r' FROM test_case;

INSERT INTO cell SELECT ((c.id * 60 + t.id) * 22 + a.id) * 6 + o.id, c.id, t.id, a.id, o.id,
  (((c.id * 60 + t.id) * 22 + a.id) * 6 + o.id + 1) * 7, pass, none, 'digest'
  FROM test_case c CROSS JOIN toolchain t CROSS JOIN arch a CROSS JOIN opt o CROSS JOIN word;
INSERT INTO build SELECT id, id, 'digest', test_case, toolchain, 'ptx', 'cubin', 'image', 'sass', empty, empty, ok,
  empty, 0.1 FROM cell CROSS JOIN word;

INSERT INTO stretch SELECT k * 7 + i + 1, k, begun, iif(i = 6, 365, begun + 50), iif(bad, mismatch, pass),
  iif(bad, ptxas, none), iif(bad, regressed, ok), 272, bad * 8, iif(bad, first_bad, empty), 1, NULL
  FROM (SELECT cell.id AS k, i, iif(i = 6 AND cell.id % 50 = 0, 365, 1 + i * 51) AS begun,
        (cell.id / 6 + i) % 3 = 0 AS bad FROM cell CROSS JOIN n WHERE i < 7) CROSS JOIN word;
UPDATE cell SET verdict = s.verdict, blame = s.blame FROM stretch s WHERE s.id = cell.stretch;
INSERT INTO change SELECT s.first_run, cell.test_case, cell.toolchain, s.id, before.verdict
  FROM stretch s JOIN stretch before ON before.id = s.id - 1 AND before.cell = s.cell JOIN cell ON cell.id = s.cell
  WHERE before.verdict <> s.verdict ORDER BY 1, 2, 3, 4;
INSERT INTO verdict SELECT s.id, o.i, s.cell, iif(o.i, ptx, sass), empty, s.verdict, s.blame, s.outcome, s.bytes, s.bad,
  s.first_bad, iif(s.bad, details, empty) FROM stretch s CROSS JOIN n o CROSS JOIN word WHERE o.i < 2 ORDER BY s.id, o.i;
INSERT INTO coverage SELECT r.id, c.id, t.id FROM run r CROSS JOIN test_case c CROSS JOIN toolchain t ORDER BY 1, 2, 3;
)sql";

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
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000");
  SQLite::Transaction transaction(database);
  database.exec(kMultiply);
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
        ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("store/query_10M/open_and_everything", openAndAsk)
      ->Unit(benchmark::kMillisecond);
  return true;
}();

} // namespace
} // namespace harness

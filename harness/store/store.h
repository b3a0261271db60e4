#pragma once

#include "harness/base/version.h"
#include "harness/parity/verdict.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

using RowId = std::int64_t;

/// What is written of a toolchain. Two with one name but different hashes are different rows.
struct ToolchainRecord {
  std::string name;
  std::string frontEndKind, frontEndBuild, frontEndBuildString, frontEndIdentity;
  std::string ptxasBuild, ptxasBuildString, ptxasSha256;
};

/// A case's source as it was: the hashes of what was compiled and compared.
struct SourceRecord {
  std::string caseId, title, sourceHash, manifestHash, referenceHash;
};

/// One build of a cell. Hashes are of artifacts; empty where a stage did not get that far.
struct BuildRecord {
  std::string ptxHash, cubinHash, imageHash, sassHash;
  std::string frontEndCommand, ptxasCommand;
  std::string status; ///< toString(CompileStatus) of the stage that ended it
  std::string log;
  double seconds = 0; ///< of both compilers, when they ran
};

/// One execution. `key` covers all that went in (image, launch, inputs, poison, schedule, executor): equal
/// keys are never executed again.
struct ExecutionRecord {
  std::string key;
  std::string executor, executorVersion, schedule;
  std::string imageHash, shape;
  unsigned poison = 0;
  std::uint64_t seed = 0;
  std::string end; ///< toString(ExecutionEnd)
  std::string message;
  std::string outputHash;   ///< artifact: all outputs, concatenated in manifest order
  std::string changedInput; ///< name of an input buffer that was not left as it was; empty if none
  std::uint64_t threadInstructions = 0;
  double seconds = 0;
  std::uint64_t divergences = 0, approximations = 0; ///< as in ExecutionResult
  std::string observations;                          ///< JSON list of lines; empty = none
  std::string undefined;                             ///< the same, of ExecutionResult::undefined
  std::string device;                                ///< JSON of the device and its driver; empty = the CPU
  unsigned repeats = 1;                              ///< how often it was executed
  /// JSON list of what came out, the most frequent first: {"count", "end", "outputs" or "message",
  /// "changed_input"}; empty = always the same, which is what stands above.
  std::string outcomes;
};

/// One verdict: a cell × executor × shape × build.
struct VerdictRecord {
  std::string executor, shape;
  Verdict verdict = Verdict::Pass;
  Blame blame = Blame::None;
  Outcome outcome = Outcome::Ok;
  std::uint64_t bytes = 0, bad = 0;
  std::string firstBad; ///< "out+0x22: 0x0e -> 0x00"; empty for a pass
  std::string details;  ///< JSON: per buffer histogram, first differences, pattern; message of a fault …
  std::vector<std::string> executionKeys;
  /// False for an executor that could not tell, where another one could: the cell's verdict does not heed it.
  bool decides = true;
};

/// All that one run found of one cell.
struct CellRecord {
  std::string arch, opt;
  ToolchainRecord toolchain;
  SourceRecord source;
  std::vector<BuildRecord> builds;                  ///< at least one
  std::vector<std::vector<VerdictRecord>> verdicts; ///< one list a build
  std::string expectedVerdict, expectedBlame, why;  ///< empty = pass expected
};

/// The verdict that decides a cell's: the worst of those that do, and of equals the first. Throws
/// Error(Internal) if there is none.
const VerdictRecord& decisiveVerdict(const CellRecord& cell);

/// The place in `builds` of the build that the decisive verdict is about.
std::size_t decisiveBuild(const CellRecord& cell);

/// Bytes compared and wrong of the build and the executor that decide a cell's verdict, over all shapes.
struct CellTotals {
  std::uint64_t bytes = 0, bad = 0;
};
CellTotals totalsOf(const CellRecord& cell);

/// A run: who, where, with what.
struct RunRecord {
  RowId id = 0;
  /// UTC, ISO 8601; `finished` is empty while it runs, and stays so after a kill.
  std::string started, finished;
  std::string host, revision, arguments;
  std::uint64_t cells = 0, compiled = 0, disassembled = 0, executed = 0; ///< work really done, not remembered
};

/// Where a limit is asked for and none is wanted.
inline constexpr std::size_t kNoLimit = std::numeric_limits<std::int32_t>::max();

/// What `query` asks for. Empty = any.
struct QueryFilter {
  std::optional<VersionRange> nvcc;
  std::vector<std::string> toolchains;        ///< exact names
  std::vector<std::string> arch, opt, caseId; ///< globs
  std::optional<Verdict> verdict;
  std::optional<Blame> blame;
  std::optional<RowId> run;
  bool changed = false; ///< cells whose verdict differs from the one before, and those that had none before
  std::size_t limit = 1000;
};

/// What one executor found on one shape: a part of a QueryRow.
struct QueryExecutor {
  std::string executor, shape;
  Verdict verdict = Verdict::Pass;
  std::uint64_t bytes = 0, bad = 0;
  std::string firstBad, details;
};

/// A row of `query`: a cell as last judged.
struct QueryRow {
  std::string caseId, toolchain, arch, opt;
  Verdict verdict = Verdict::Pass;
  Blame blame = Blame::None;
  Outcome outcome = Outcome::Ok;
  bool isNew = false; ///< with `changed`: judged for the first time
  std::uint64_t bytes = 0, bad = 0;
  std::string firstBad, why;
  std::string expectedBlame; ///< empty = a pass is expected
  std::size_t builds = 0;
  RowId run = 0;
  std::string previous; ///< with `changed`: the verdict before; empty if there was none
  std::vector<QueryExecutor> executors;
};

/// One stretch of equal verdicts of one cell, oldest first.
struct HistoryRow {
  std::string caseId, toolchain, arch, opt;
  Verdict verdict = Verdict::Pass;
  Blame blame = Blame::None;
  RowId firstRun = 0, lastRun = 0;
  std::string firstSeen, lastSeen; ///< UTC
};

/// How one cell stands, as last judged.
struct StandingRow {
  std::string caseId, toolchain, arch, opt;
  Verdict verdict = Verdict::Pass;
  Blame blame = Blame::None;
};

/// What cells recorded ever were named, in the order of the results.
struct RecordedNames {
  std::vector<std::string> cases, toolchains, archs, opts;
};

/// The SQLite database of verdicts (db/ has its schema). One writer process at a time; readers see whole
/// transactions. Not thread-safe: one object a thread.
///
/// Every call throws Error(Environment) when another process holds the database for longer than a moment or
/// the disk is full (what was recorded before is kept), Error(Usage) when the file is damaged.
class Store {
public:
  enum class Mode { ReadOnly, ReadWrite };
  /// Opens, creates (ReadWrite) or migrates (ReadWrite). Throws Error(Usage) when the file is no database of
  /// ours (it is left untouched), is from a newer version (says which), or, to be read, is not there.
  Store(const std::filesystem::path& path, Mode mode);
  ~Store();

  RowId beginRun(const RunRecord& run);
  void finishRun(const RunRecord& run);

  /// Records a batch of cells in one transaction: after a kill either all of it is there or nothing.
  /// A cell equal to what is known of it (verdicts, builds, executions, expectation; logs and times do not
  /// count) prolongs its current stretch and adds no row; anything else begins a new stretch. Every cell
  /// needs at least one verdict a build; the executions named must have been recorded before.
  void recordCells(RowId run, const std::vector<CellRecord>& cells);
  /// Those whose key is known already are passed over.
  void recordExecutions(const std::vector<ExecutionRecord>& executions);

  std::optional<ExecutionRecord> findExecution(const std::string& key);
  /// The same for many keys at once, in their order.
  std::vector<std::optional<ExecutionRecord>> findExecutions(const std::vector<std::string>& keys);
  std::uint64_t countExecutions();

  /// Ordered by case, toolchain version, architecture and option. With `run`, cells as that run found them;
  /// with `changed`, those whose verdict in that run (none named: the newest) is another than the one before,
  /// and those that it was the first to judge: the limit cuts these first, and of them the passes.
  std::vector<QueryRow> query(const QueryFilter& filter);
  /// All stretches of the cells that `query` would give, cell by cell, oldest first.
  std::vector<HistoryRow> history(const QueryFilter& filter);
  /// How the cases of a filter stand on every toolchain there is, ordered as `query`. Of the filter only
  /// caseId, arch and opt count; no limit.
  std::vector<StandingRow> standings(const QueryFilter& filter);
  RecordedNames names();
  /// The newest first.
  std::vector<RunRecord> runs(std::size_t limit);
  /// Everything known of one cell's newest verdict; nothing if it was never judged.
  std::optional<CellRecord> cell(std::string_view caseId, std::string_view toolchain, std::string_view arch,
                                 std::string_view opt);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace harness

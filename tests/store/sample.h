#pragma once

#include "harness/base/files.h"
#include "harness/store/store.h"

#include <string>

namespace harness {

/// Cells, toolchains and runs for tests.
inline ToolchainRecord sampleToolchain(const std::string& version) {
  std::string frontEnd = version.substr(0, version.find('+'));
  std::string ptxas =
      version.find('+') == std::string::npos ? version : version.substr(version.find('+') + 1);
  return {version, "nvcc",           frontEnd,      "Build cuda_" + frontEnd, "identity-" + frontEnd,
          ptxas,   "ptxas " + ptxas, "sha-" + ptxas};
}

inline CellRecord sampleCell(const std::string& caseId, const std::string& toolchain, const std::string& arch,
                             const std::string& opt, Verdict verdict = Verdict::Pass) {
  bool passed = verdict == Verdict::Pass;
  CellRecord cell;
  cell.arch = arch;
  cell.opt = opt;
  cell.toolchain = sampleToolchain(toolchain);
  cell.source = {caseId, "A title", "source-hash", "manifest-hash", "reference-hash"};
  cell.builds = {{"ptx-" + toolchain, "cubin-" + arch + opt, "image-" + arch + opt, "sass-" + arch + opt,
                  "nvcc -ptx x.cu", "ptxas -" + opt, "ok", "a log", 0.25}};
  VerdictRecord judged;
  judged.executor = "sass";
  judged.verdict = verdict;
  judged.blame = passed ? Blame::None : Blame::Ptxas;
  judged.outcome = judge(verdict, std::nullopt);
  judged.bytes = 272;
  judged.bad = passed ? 0 : 8;
  judged.firstBad = passed ? "" : "out+0x22: 0x0e -> 0x00";
  judged.details = passed ? "" : R"({"buffers":[{"buffer":"out","pattern":"got == ref & 0xff00"}]})";
  cell.verdicts = {{judged}};
  return cell;
}

inline RowId beginSampleRun(Store& store, const std::string& started = "2025-01-01T00:00:00Z") {
  RunRecord run;
  run.started = started;
  run.host = "host";
  run.revision = "abc123";
  run.arguments = "harness run";
  return store.beginRun(run);
}

/// A fresh directory and the path of a database in it.
struct SampleDatabase {
  TempDir directory{"harness-store-test"};
  std::filesystem::path path = directory.path() / "harness.db";
};

} // namespace harness

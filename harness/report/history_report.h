#pragma once

#include "harness/report/query_report.h"
#include "harness/store/store.h"

#include <string>
#include <vector>

namespace harness {

/// Where faults began and ended, case by case, along both axes: the toolchains in the order of their versions
/// (the newest verdicts, `standings`), and the runs in the order of time (`history`). Cells with one story
/// share a line.
///
/// `json` and `csv` give the history alone, a row a stretch:
///   {"case","toolchain","arch","opt","verdict","blame","first_run","first_seen","last_run","last_seen"}
std::string renderHistory(const std::vector<HistoryRow>& history, const std::vector<StandingRow>& standings,
                          const QueryReportOptions& options);

} // namespace harness

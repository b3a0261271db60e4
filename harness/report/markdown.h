#pragma once

#include "harness/store/store.h"

#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// `text` as it stands, in one line of GitHub's Markdown, table cells included.
std::string markdownText(std::string_view text);
std::string markdownTable(const std::vector<std::string>& header,
                          const std::vector<std::vector<std::string>>& rows);

/// The page for the morning after a nightly run: first whether anything regressed, then what changed since
/// the run before, what regressed, is undecided or was fixed, which faults are known, and how every case
/// stands on every toolchain. `rows`: the run's cells; `changed`: those whose verdict is another than before
/// or that are new (query with `changed`).
std::string renderRunSummary(const RunRecord& run, const std::vector<QueryRow>& rows,
                             const std::vector<QueryRow>& changed);

} // namespace harness

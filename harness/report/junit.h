#pragma once

#include "harness/store/store.h"

#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// `text` for XML, in text and in attributes. What XML 1.0 cannot hold (control characters, malformed UTF-8)
/// becomes U+FFFD.
std::string xmlText(std::string_view text);

/// JUnit's XML: a suite a case, a test a cell. Regressed cells are failures, undecided ones skipped with the
/// reason; a known fault passes and says so in its output. A run that is not finished is an error.
/// `databaseArgument` follows the commands that read the database.
std::string renderJunit(const RunRecord& run, const std::vector<QueryRow>& rows,
                        const std::string& databaseArgument = "");

} // namespace harness

#pragma once

#include "harness/store/store.h"
#include "harness/store/text_table.h"

#include <optional>
#include <string>

namespace harness {

/// The table `execution`: what was executed, and need not be again.
class Executions {
public:
  Executions(Connection& connection, TextTable& texts) : connection_(connection), texts_(texts) {}

  /// Passed over if its key is known.
  void record(const ExecutionRecord& execution);
  std::optional<ExecutionRecord> find(const std::string& key);
  std::uint64_t count();

private:
  Connection& connection_;
  TextTable& texts_;
};

} // namespace harness

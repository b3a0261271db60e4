#pragma once

#include "harness/store/connection.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace harness {

/// The table `text`: every repeated or long string once, under a number.
class TextTable {
public:
  explicit TextTable(Connection& connection) : connection_(connection) {}

  /// The number of `value`, given to it now if it has none.
  RowId intern(std::string_view value);
  /// The number of `value` if it has one.
  std::optional<RowId> find(std::string_view value);
  /// Throws Error(Usage) if there is no such number: the database is damaged.
  const std::string& value(RowId id);
  /// To be called when a transaction is rolled back: the numbers given in it are void.
  void forget();

private:
  Connection& connection_;
  std::unordered_map<std::string, RowId> ids_;
  std::unordered_map<RowId, std::string> values_;
};

} // namespace harness

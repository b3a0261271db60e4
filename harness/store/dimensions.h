#pragma once

#include "harness/store/connection.h"
#include "harness/store/store.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace harness {

/// What the axes of the matrix are made of, in the order in which results are shown: cases by name,
/// toolchains by version, architectures and options by their numbers (sm_90 before sm_100). All small tables.
struct Dimensions {
  struct Member {
    RowId id = 0;
    std::string name;
  };
  struct ToolchainMember : Member {
    std::string frontEndBuild, ptxasBuild; ///< of its newest identity
  };
  std::vector<Member> cases, archs, opts;
  std::vector<ToolchainMember> toolchains;

  static Dimensions load(Connection& connection);
};

/// Gives rows of the small tables their numbers while results are written.
class DimensionWriter {
public:
  explicit DimensionWriter(Connection& connection) : connection_(connection) {}

  RowId testCase(const std::string& name) { return named("test_case", name); }
  RowId arch(const std::string& name) { return named("arch", name); }
  RowId opt(const std::string& name) { return named("opt", name); }
  RowId toolchain(const std::string& name) { return named("toolchain", name); }
  RowId identity(const ToolchainRecord& toolchain);
  RowId source(const SourceRecord& source);
  /// To be called when a transaction is rolled back: the numbers given in it are void.
  void forget() { ids_.clear(); }

private:
  RowId named(const std::string& table, const std::string& name);
  template <typename... Values>
  RowId findOrInsert(const std::string& table, const std::string& columns, const Values&... values);

  Connection& connection_;
  std::unordered_map<std::string, RowId> ids_; ///< by table and all values
};

} // namespace harness

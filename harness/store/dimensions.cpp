#include "harness/store/dimensions.h"

#include "harness/base/text.h"
#include "harness/base/version.h"

#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace harness {

namespace {

bool numericLess(const std::string& a, const std::string& b) {
  return llvm::StringRef(a).compare_numeric(b) < 0;
}

std::vector<Dimensions::Member> loadNamed(Connection& connection, const std::string& table) {
  std::vector<Dimensions::Member> members;
  Cursor cursor = connection.prepare("SELECT id, name FROM " + table);
  while (cursor.step())
    members.push_back({cursor.integer(0), cursor.text(1)});
  std::sort(members.begin(), members.end(),
            [](const auto& a, const auto& b) { return numericLess(a.name, b.name); });
  return members;
}

/// By version; a name without one comes last.
bool toolchainLess(const Dimensions::ToolchainMember& a, const Dimensions::ToolchainMember& b) {
  auto key = [](const std::string& build) { return Version::parse(build); };
  auto ka = key(a.frontEndBuild), kb = key(b.frontEndBuild);
  if (ka.has_value() != kb.has_value()) return ka.has_value();
  if (ka && *ka != *kb) return *ka < *kb;
  auto pa = key(a.ptxasBuild), pb = key(b.ptxasBuild);
  if (pa.has_value() != pb.has_value()) return pa.has_value();
  if (pa && *pa != *pb) return *pa < *pb;
  return numericLess(a.name, b.name);
}

} // namespace

Dimensions Dimensions::load(Connection& connection) {
  Dimensions dimensions;
  dimensions.cases = loadNamed(connection, "test_case");
  dimensions.archs = loadNamed(connection, "arch");
  dimensions.opts = loadNamed(connection, "opt");
  Cursor cursor = connection.prepare("SELECT t.id, t.name, i.front_end_build, i.ptxas_build FROM toolchain t "
                                     "JOIN toolchain_identity i ON i.id = "
                                     "(SELECT max(id) FROM toolchain_identity WHERE toolchain = t.id)");
  while (cursor.step())
    dimensions.toolchains.push_back({{cursor.integer(0), cursor.text(1)}, cursor.text(2), cursor.text(3)});
  std::sort(dimensions.toolchains.begin(), dimensions.toolchains.end(), toolchainLess);
  return dimensions;
}

template <typename... Values>
RowId DimensionWriter::findOrInsert(const std::string& table, const std::string& columns,
                                    const Values&... values) {
  std::string key = table;
  auto addToKey = [&](const auto& value) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(value)>>)
      key += '\0' + std::to_string(value);
    else
      key += '\0' + value;
  };
  (addToKey(values), ...);
  if (auto known = ids_.find(key); known != ids_.end()) return known->second;

  std::string marks = "?";
  for (std::size_t i = 1; i < sizeof...(values); ++i)
    marks += ", ?";
  {
    Cursor cursor =
        connection_.prepare("SELECT id FROM " + table + " WHERE (" + columns + ") = (" + marks + ")");
    if (cursor.bind(values...).step()) return ids_[key] = cursor.integer(0);
  }
  return ids_[key] = connection_.insert("INSERT INTO " + table + " (" + columns + ") VALUES (" + marks + ")",
                                        values...);
}

RowId DimensionWriter::named(const std::string& table, const std::string& name) {
  return findOrInsert(table, "name", name);
}

RowId DimensionWriter::identity(const ToolchainRecord& t) {
  return findOrInsert(
      "toolchain_identity",
      "toolchain, front_end_kind, front_end_build, front_end_build_string, front_end_identity, "
      "ptxas_build, ptxas_build_string, ptxas_sha256",
      toolchain(t.name), t.frontEndKind, t.frontEndBuild, t.frontEndBuildString, t.frontEndIdentity,
      t.ptxasBuild, t.ptxasBuildString, t.ptxasSha256);
}

RowId DimensionWriter::source(const SourceRecord& s) {
  return findOrInsert("source", "test_case, title, source_hash, manifest_hash, reference_hash",
                      testCase(s.caseId), s.title, s.sourceHash, s.manifestHash, s.referenceHash);
}

} // namespace harness

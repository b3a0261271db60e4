#include "harness/cli/stored_cell.h"

#include "harness/base/hash.h"
#include "harness/cli/selection.h"
#include "harness/matrix/json_reader.h"
#include "harness/report/machine.h"

namespace harness::cli {

namespace {

void texts(const JsonNode& object, std::initializer_list<std::string_view> keys) {
  for (std::string_view key : keys)
    if (object.has(key) && !object.at(key).isString()) object.at(key).fail("a string is expected here");
}

void counts(const JsonNode& object, std::initializer_list<std::string_view> keys) {
  for (std::string_view key : keys)
    if (object.has(key)) object.at(key).unsignedInteger();
}

/// The elements of a member that need not be there.
std::vector<JsonNode> elementsOf(const JsonNode& object, std::string_view key) {
  return object.has(key) ? object.at(key).elements() : std::vector<JsonNode>();
}

void checkBuffer(const JsonNode& buffer) {
  buffer.members();
  texts(buffer, {"name", "pattern"});
  counts(buffer, {"bad", "bytes", "record"});
  for (const JsonNode& bad : elementsOf(buffer, "histogram"))
    bad.unsignedInteger();
  for (const JsonNode& difference : elementsOf(buffer, "first")) {
    difference.members();
    counts(difference, {"offset", "expected", "actual"});
  }
}

void checkDetails(const JsonNode& details) {
  details.members();
  texts(details, {"message", "oracle", "device"});
  if (details.has("blame")) {
    JsonNode blame = details.at("blame");
    blame.members();
    texts(blame, {"because"});
    if (blame.has("tried")) blame.at("tried").members();
  }
  for (const JsonNode& buffer : elementsOf(details, "buffers"))
    checkBuffer(buffer);
}

void checkCell(const CellRecord& cell, const std::string& where) {
  for (const BuildRecord& build : cell.builds)
    for (const std::string* hash : {&build.ptxHash, &build.cubinHash, &build.imageHash, &build.sassHash})
      if (!hash->empty() && !isSha256(*hash)) failUsage("{0}: '{1}' is no SHA-256", where, *hash);
  for (const std::vector<VerdictRecord>& verdicts : cell.verdicts)
    for (const VerdictRecord& verdict : verdicts) {
      if (verdict.details.empty()) continue;
      Json details = parseRecorded(verdict.details);
      checkDetails({details, where + ": details of " + verdict.executor});
    }
}

} // namespace

std::optional<CellRecord> storedCell(Store& store, const CellName& name, const std::string& database) {
  auto cell = store.cell(name.caseId, name.toolchain, name.arch, name.opt);
  if (!cell) return cell;
  try {
    checkCell(*cell, name.str());
  } catch (const Error& error) {
    failUsage("the database '{0}' is damaged: {1}; restore it from a copy, or name another file with --db",
              database, error.what());
  }
  return cell;
}

CellRecord requireStoredCell(Store& store, const CellName& name, const std::string& database) {
  if (auto cell = storedCell(store, name, database)) return std::move(*cell);
  failUsage("'{0}' knows nothing of {1}; 'harness query --case {2}{3}' shows what it knows, 'harness run' "
            "judges cells",
            database, name.str(), name.caseId, databaseArgument(database));
}

} // namespace harness::cli

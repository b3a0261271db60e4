#include "harness/base/text.h"
#include "harness/cli/app.h"
#include "harness/cli/selection.h"
#include "harness/cli/stored_cell.h"
#include "harness/report/machine.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace harness::cli {

namespace {

using Json = nlohmann::ordered_json;

struct ShowArguments {
  std::string cell, database, format = "text";
  bool noSass = false;
};

Json toJson(const CellName& name, const CellRecord& cell) {
  Json builds = Json::array();
  for (std::size_t i = 0; i < cell.builds.size(); ++i) {
    const BuildRecord& build = cell.builds[i];
    Json verdicts = Json::array();
    for (const VerdictRecord& verdict : cell.verdicts[i])
      verdicts.push_back({{"executor", verdict.executor},
                          {"shape", verdict.shape},
                          {"verdict", toString(verdict.verdict)},
                          {"blame", toString(verdict.blame)},
                          {"outcome", toString(verdict.outcome)},
                          {"decides", verdict.decides},
                          {"bytes", verdict.bytes},
                          {"bad", verdict.bad},
                          {"first_bad", verdict.firstBad.empty() ? Json(nullptr) : Json(verdict.firstBad)},
                          {"details", parseRecorded(verdict.details)},
                          {"executions", verdict.executionKeys}});
    builds.push_back({{"front_end_command", build.frontEndCommand},
                      {"ptxas_command", build.ptxasCommand},
                      {"status", build.status},
                      {"log", build.log},
                      {"ptx", build.ptxHash},
                      {"cubin", build.cubinHash},
                      {"image", build.imageHash},
                      {"sass", build.sassHash},
                      {"verdicts", verdicts}});
  }
  return {{"cell", name.str()},
          {"title", cell.source.title},
          {"source", cell.source.sourceHash},
          {"manifest", cell.source.manifestHash},
          {"reference", cell.source.referenceHash},
          {"toolchain",
           {{"name", cell.toolchain.name},
            {"front_end", cell.toolchain.frontEndBuildString},
            {"front_end_identity", cell.toolchain.frontEndIdentity},
            {"ptxas", cell.toolchain.ptxasBuildString},
            {"ptxas_sha256", cell.toolchain.ptxasSha256}}},
          {"expected", cell.expectedVerdict.empty() ? "pass" : cell.expectedVerdict},
          {"expected_blame", cell.expectedVerdict.empty() ? "none" : cell.expectedBlame},
          {"why", cell.why},
          {"builds", builds}};
}

void printBuffer(const Json& buffer) {
  std::printf("    buffer %s: %llu of %llu bytes wrong\n", buffer.value("name", "").c_str(),
              buffer.value("bad", 0ull), buffer.value("bytes", 0ull));
  if (std::string pattern = buffer.value("pattern", ""); !pattern.empty())
    std::printf("      pattern  %s\n", pattern.c_str());
  std::uint64_t record = buffer.value("record", 0ull);
  if (record && buffer.contains("histogram")) {
    std::printf("      by offset in the %llu-byte record:", static_cast<unsigned long long>(record));
    for (std::size_t i = 0; i < buffer["histogram"].size(); ++i)
      if (std::uint64_t count = buffer["histogram"][i])
        std::printf(" %zu:%llu", i, static_cast<unsigned long long>(count));
    std::printf("\n");
  }
  for (const Json& difference : buffer.value("first", Json::array()))
    std::printf("      +0x%04llx  expected 0x%02x  got 0x%02x\n", difference.value("offset", 0ull),
                difference.value("expected", 0u), difference.value("actual", 0u));
}

/// Why this one is to blame, and what was tried to find out.
void printBlame(const Json& blame) {
  if (!blame.is_object()) return;
  std::printf("    because: %s\n", blame.value("because", "").c_str());
  const Json tried = blame.value("tried", Json::object());
  for (const auto& [name, result] : tried.items())
    if (result.is_string()) std::printf("      %s: %s\n", name.c_str(), result.get<std::string>().c_str());
}

void printVerdict(const VerdictRecord& verdict) {
  std::printf("  %s%s%s: %s, blame %s (%s), %llu bytes compared, %llu wrong\n", verdict.executor.c_str(),
              verdict.shape.empty() ? "" : " on ", verdict.shape.c_str(),
              std::string(toString(verdict.verdict)).c_str(), std::string(toString(verdict.blame)).c_str(),
              verdict.decides ? std::string(toString(verdict.outcome)).c_str()
                              : "the cell's verdict does not heed it",
              static_cast<unsigned long long>(verdict.bytes), static_cast<unsigned long long>(verdict.bad));
  Json details = parseRecorded(verdict.details);
  if (!details.is_object()) return;
  if (details.value("oracle", "") == "ptx") std::printf("    judged by its PTX\n");
  if (std::string message = details.value("message", ""); !message.empty())
    std::printf("    %s\n", message.c_str());
  if (std::string device = details.value("device", ""); !device.empty())
    std::printf("    on %s\n", device.c_str());
  printBlame(details.value("blame", Json()));
  for (auto [key, what] : {std::pair{"observations", "observed"}, {"undefined", "undefined"}})
    if (auto lines = details.find(key); lines != details.end() && lines->is_array())
      for (const Json& one : *lines)
        if (one.is_string()) std::printf("    %s: %s\n", what, one.get<std::string>().c_str());
  for (const Json& buffer : details.value("buffers", Json::array()))
    printBuffer(buffer);
}

void printText(const CellName& name, const CellRecord& cell, ArtifactCache& cache, bool sass) {
  std::printf("%s: %s\n\n", name.str().c_str(), cell.source.title.c_str());
  std::printf("toolchain  front end  %s\n", cell.toolchain.frontEndBuildString.c_str());
  std::printf("           ptxas      %s (SHA-256 %s)\n", cell.toolchain.ptxasBuildString.c_str(),
              cell.toolchain.ptxasSha256.c_str());
  std::printf("source     %s\n", cell.source.sourceHash.c_str());
  std::printf("reference  %s\n",
              cell.source.referenceHash.empty() ? "its PTX" : cell.source.referenceHash.c_str());
  std::string expected = cell.expectedVerdict.empty() ? "pass" : cell.expectedVerdict;
  if (!cell.expectedVerdict.empty()) expected += ", blame " + cell.expectedBlame;
  std::printf("expected   %s%s%s\n", expected.c_str(), cell.why.empty() ? "" : ": ", cell.why.c_str());
  for (std::size_t i = 0; i < cell.builds.size(); ++i) {
    const BuildRecord& build = cell.builds[i];
    std::printf("\nbuild %zu of %zu: %s\n", i + 1, cell.builds.size(), build.status.c_str());
    if (!build.frontEndCommand.empty()) std::printf("  $ %s\n", build.frontEndCommand.c_str());
    if (!build.ptxasCommand.empty()) std::printf("  $ %s\n", build.ptxasCommand.c_str());
    for (auto [what, hash] :
         {std::pair{"PTX", &build.ptxHash}, {"cubin", &build.cubinHash}, {"SASS", &build.sassHash}})
      if (!hash->empty()) std::printf("  %-5s  %s\n", what, cache.artifactPath(*hash).c_str());
    if (!build.log.empty()) std::printf("  %s\n", build.log.c_str());
    for (const VerdictRecord& verdict : cell.verdicts[i])
      printVerdict(verdict);
    if (!sass || build.sassHash.empty()) continue;
    auto dump = cache.getArtifact(build.sassHash);
    if (dump)
      std::printf("\n%s", dump->c_str());
    else
      std::printf("\n(the SASS is no longer in the cache; 'harness run' makes it again)\n");
  }
}

ExitCode show(const ShowArguments& arguments, const Workspace& workspace) {
  CellName name = CellName::parse(arguments.cell);
  Store store = openToRead(arguments.database);
  CellRecord cell = requireStoredCell(store, name, arguments.database);
  if (arguments.format == "json") {
    std::printf("%s\n", toJson(name, cell).dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    return ExitCode::Ok;
  }
  if (arguments.format != "text") failUsage("'{0}' is no format: text, json", arguments.format);
  ArtifactCache cache(workspace.cacheDir() / "artifacts");
  printText(name, cell, cache, !arguments.noSass);
  return ExitCode::Ok;
}

} // namespace

void addShow(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<ShowArguments>();
  CLI::App* command =
      app.add_subcommand("show", "Everything known of one cell: commands, hashes, differences, SASS");
  command->add_option("cell", arguments->cell, "A CELL")->required();
  command->add_flag("--no-sass", arguments->noSass, "Without the machine code");
  command->add_option("--format", arguments->format, "text, json")->capture_default_str();
  addDatabaseOption(*command, arguments->database);
  command->callback(
      [=, &options, &action] { action = [=, &options] { return show(*arguments, Workspace(options)); }; });
}

} // namespace harness::cli

#include "harness/base/error.h"
#include "harness/base/log.h"
#include "harness/cli/app.h"
#include "harness/cli/cubin_files.h"
#include "harness/cli/selection.h"
#include "harness/matrix/cell.h"
#include "harness/report/side_by_side.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>

namespace harness::cli {

namespace {

using Json = nlohmann::ordered_json;

struct DiffArguments {
  std::string left, right, database, format = "text";
  bool full = false, noControl = false;
};

/// The machine code of a cell's first build.
CubinFile codeOf(const std::string& text, Store& store, const std::string& database,
                 const Workspace& workspace) {
  CellName name = CellName::parse(text);
  auto cell = store.cell(name.caseId, name.toolchain, name.arch, name.opt);
  if (!cell)
    failUsage("'{0}' knows nothing of {1}; 'harness query --case {2}' shows what it knows", database,
              name.str(), name.caseId);
  const std::string& hash = cell->builds.front().cubinHash;
  if (hash.empty()) failUsage("{0} has no machine code: {1}", name.str(), cell->builds.front().status);
  ArtifactCache cache(workspace.cacheDir() / "artifacts");
  if (!cache.hasArtifact(hash))
    failUsage("the cubin of {0} is no longer in the cache; 'harness run' makes it again", name.str());
  return std::move(readCubins({cache.artifactPath(hash)}, workspace).front());
}

/// A code section of both cells; a side that lacks it has no code.
struct SectionPair {
  std::string name;
  CodeSide left, right;
};

/// The section of that name; of two cells of different cases, the only section.
std::optional<std::size_t> sectionOf(const CubinFile& file, const std::string& name, std::size_t sections) {
  for (std::size_t s = 0; s < file.listings.size(); ++s)
    if (file.cubin->sections[s].name == name || (sections == 1 && file.listings.size() == 1)) return s;
  return std::nullopt;
}

std::vector<SectionPair> pairSections(const CubinFile& left, const CubinFile& right) {
  std::vector<SectionPair> pairs;
  auto sideOf = [](const CubinFile& file, std::optional<std::size_t> section) {
    return section ? CodeSide{file.listings[*section], {}} : CodeSide();
  };
  for (std::size_t s = 0; s < left.listings.size(); ++s) {
    const std::string& name = left.cubin->sections[s].name;
    pairs.push_back({name, sideOf(left, s), sideOf(right, sectionOf(right, name, left.listings.size()))});
  }
  for (std::size_t s = 0; s < right.listings.size(); ++s) {
    const std::string& name = right.cubin->sections[s].name;
    if (!sectionOf(left, name, right.listings.size())) pairs.push_back({name, {}, sideOf(right, s)});
  }
  return pairs;
}

void printText(const DiffArguments& arguments, bool sameArch, const std::vector<SectionPair>& sections) {
  std::printf("< %s\n> %s\n", arguments.left.c_str(), arguments.right.c_str());
  if (!sameArch) std::printf("two architectures: instructions stand beside each other by their opcodes\n");
  SideBySideOptions options{arguments.full, !arguments.noControl, useColor(STDOUT_FILENO)};
  for (const SectionPair& section : sections)
    std::printf("\n%s\n%s", section.name.c_str(),
                renderSideBySide(section.left, section.right, options).c_str());
}

void printJson(const DiffArguments& arguments, bool sameArch, const std::vector<SectionPair>& sections) {
  Json list = Json::array();
  for (const SectionPair& section : sections)
    list.push_back({{"section", section.name}, {"lines", sideBySideJson(section.left, section.right)}});
  Json json = {
      {"left", arguments.left}, {"right", arguments.right}, {"same_arch", sameArch}, {"sections", list}};
  std::printf("%s\n", json.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

ExitCode diff(const DiffArguments& arguments, const Workspace& workspace) {
  if (arguments.format != "text" && arguments.format != "json")
    failUsage("'{0}' is no format: text, json", arguments.format);
  Store store = openToRead(arguments.database);
  CubinFile left = codeOf(arguments.left, store, arguments.database, workspace);
  CubinFile right = codeOf(arguments.right, store, arguments.database, workspace);
  bool sameArch = left.cubin->smVersion == right.cubin->smVersion;
  auto print = arguments.format == "json" ? printJson : printText;
  print(arguments, sameArch, pairSections(left, right));
  return ExitCode::Ok;
}

} // namespace

void addDiff(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<DiffArguments>();
  CLI::App* command =
      app.add_subcommand("diff", "The machine code of two cells side by side, with control words");
  command->add_option("left", arguments->left, "A CELL")->required();
  command->add_option("right", arguments->right, "A CELL")->required();
  command->add_flag("--full", arguments->full, "Equal instructions too, not only those around a difference");
  command->add_flag("--no-control", arguments->noControl,
                    "Without control words, and without comparing them");
  command->add_option("--format", arguments->format, "text, json")->capture_default_str();
  addDatabaseOption(*command, arguments->database);
  command->callback(
      [=, &options, &action] { action = [=, &options] { return diff(*arguments, Workspace(options)); }; });
}

} // namespace harness::cli

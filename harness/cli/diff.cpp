#include "harness/base/error.h"
#include "harness/cli/app.h"
#include "harness/cli/cubin_files.h"
#include "harness/cli/selection.h"
#include "harness/matrix/cell.h"
#include "harness/report/side_by_side.h"

#include <cstdio>
#include <memory>

namespace harness::cli {

namespace {

struct DiffArguments {
  std::string left, right, database;
  bool all = false;
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

/// The section of that name; of two cells of different cases, the only section.
const sass::Listing* sectionOf(const CubinFile& file, const std::string& name, std::size_t sections) {
  for (std::size_t s = 0; s < file.listings.size(); ++s)
    if (file.cubin->sections[s].name == name || (sections == 1 && file.listings.size() == 1))
      return &file.listings[s];
  return nullptr;
}

ExitCode diff(const DiffArguments& arguments, const Workspace& workspace) {
  Store store = openToRead(arguments.database);
  CubinFile left = codeOf(arguments.left, store, arguments.database, workspace);
  CubinFile right = codeOf(arguments.right, store, arguments.database, workspace);
  std::printf("< %s\n> %s\n", arguments.left.c_str(), arguments.right.c_str());
  static const sass::Listing kNone;
  for (std::size_t s = 0; s < left.listings.size(); ++s) {
    const std::string& name = left.cubin->sections[s].name;
    const sass::Listing* other = sectionOf(right, name, left.listings.size());
    std::printf("\n%s\n%s", name.c_str(),
                renderSideBySide(left.listings[s], other ? *other : kNone, arguments.all).c_str());
  }
  for (std::size_t s = 0; s < right.listings.size(); ++s) {
    const std::string& name = right.cubin->sections[s].name;
    if (sectionOf(left, name, right.listings.size())) continue;
    std::printf("\n%s\n%s", name.c_str(), renderSideBySide(kNone, right.listings[s], arguments.all).c_str());
  }
  return ExitCode::Ok;
}

} // namespace

void addDiff(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<DiffArguments>();
  CLI::App* command =
      app.add_subcommand("diff", "The machine code of two cells side by side, with control words");
  command->add_option("left", arguments->left, "A CELL")->required();
  command->add_option("right", arguments->right, "A CELL")->required();
  command->add_flag("--all", arguments->all, "Equal instructions too, not only those around a difference");
  addDatabaseOption(*command, arguments->database);
  command->callback(
      [=, &options, &action] { action = [=, &options] { return diff(*arguments, Workspace(options)); }; });
}

} // namespace harness::cli

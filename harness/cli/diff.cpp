#include "harness/base/error.h"
#include "harness/base/log.h"
#include "harness/cli/app.h"
#include "harness/cli/cached_artifact.h"
#include "harness/cli/cubin_files.h"
#include "harness/cli/selection.h"
#include "harness/cli/stored_cell.h"
#include "harness/cli/workspace.h"
#include "harness/matrix/cell.h"
#include "harness/matrix/code_lines.h"
#include "harness/report/side_by_side.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

namespace harness::cli {

namespace {

constexpr std::size_t kInstructionBytes = 16;

using Json = nlohmann::ordered_json;

struct DiffArguments {
  std::string left, right, database, format = "text";
  bool full = false, noControl = false, noPtx = false;
};

/// The machine code of the build that a cell's verdict is about.
struct CellCode {
  CellName name;
  std::string cubinHash, ptxHash;
  CubinFile file;
  std::vector<std::string> ptx; ///< of each instruction of the code space; empty = not known
};

CellCode codeOf(const std::string& text, Store& store, const std::string& database,
                const Workspace& workspace) {
  CellName name = CellName::parse(text);
  CellRecord cell = requireStoredCell(store, name, database);
  const BuildRecord& build = cell.builds[decisiveBuild(cell)];
  if (build.cubinHash.empty()) failUsage("{0} has no machine code: {1}", name.str(), build.status);
  ArtifactCache cache(workspace.cacheDir() / "artifacts");
  cachedArtifact(cache, build.cubinHash, "cubin", name);
  CubinFile file = std::move(readCubins({cache.artifactPath(build.cubinHash)}, workspace).front());
  return {name, build.cubinHash, build.ptxHash, std::move(file), {}};
}

/// The lines of a text, from 1, without what indents them.
std::vector<std::string> linesFromOne(std::string_view text) {
  std::vector<std::string> lines(1);
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text).split(parts, '\n');
  for (llvm::StringRef part : parts)
    lines.push_back(part.trim().str());
  return lines;
}

/// Finds the PTX that each instruction comes from.
void addPtx(CellCode& code, const Workspace& workspace) {
  NoMemory memory;
  Workshop workshop(workspace, memory, {});
  CellResolver resolver(workspace, {workspace.findCase(code.name.caseId)});
  PlannedCell cell = resolver.resolve({code.name}).front();
  std::string bytes = cachedArtifact(workshop.cache, code.cubinHash, "cubin", code.name);
  std::vector<std::string> source =
      linesFromOne(cachedArtifact(workshop.cache, code.ptxHash, "PTX", code.name));
  for (std::uint32_t line :
       linesOfCode(bytes, *code.file.cubin, code.ptxHash, cell, workshop.compiler, workshop.cache))
    code.ptx.push_back(line && line < source.size() ? std::to_string(line) + ": " + source[line] : "");
}

/// A side without PTX is a comparison too: a note on stderr says why.
void addPtxIfPossible(CellCode& code, const Workspace& workspace) {
  try {
    addPtx(code, workspace);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Internal) throw;
    Log::info("no lines of PTX beside " + code.name.str() + ": " + error.what());
  }
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

CodeSide sideOf(const CellCode& code, std::optional<std::size_t> section) {
  if (!section) return {};
  CodeSide side{code.file.listings[*section], {}};
  std::size_t first = code.file.cubin->sections[*section].address / kInstructionBytes;
  for (std::size_t i = first; i < std::min(code.ptx.size(), first + side.code.instructions.size()); ++i)
    side.ptx.push_back(code.ptx[i]);
  return side;
}

std::vector<SectionPair> pairSections(const CellCode& left, const CellCode& right) {
  const std::vector<CodeSection>&leftSections = left.file.cubin->sections,
        &rightSections = right.file.cubin->sections;
  std::vector<SectionPair> pairs;
  for (std::size_t s = 0; s < leftSections.size(); ++s) {
    const std::string& name = leftSections[s].name;
    pairs.push_back({name, sideOf(left, s), sideOf(right, sectionOf(right.file, name, leftSections.size()))});
  }
  for (std::size_t s = 0; s < rightSections.size(); ++s) {
    const std::string& name = rightSections[s].name;
    if (!sectionOf(left.file, name, rightSections.size())) pairs.push_back({name, {}, sideOf(right, s)});
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
  CellCode left = codeOf(arguments.left, store, arguments.database, workspace);
  CellCode right = codeOf(arguments.right, store, arguments.database, workspace);
  if (!arguments.noPtx)
    for (CellCode* code : {&left, &right})
      addPtxIfPossible(*code, workspace);
  bool sameArch = left.file.cubin->smVersion == right.file.cubin->smVersion;
  auto print = arguments.format == "json" ? printJson : printText;
  print(arguments, sameArch, pairSections(left, right));
  return ExitCode::Ok;
}

} // namespace

void addDiff(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<DiffArguments>();
  CLI::App* command = app.add_subcommand(
      "diff", "The machine code of two cells side by side, with control words and lines of PTX");
  command->add_option("left", arguments->left, "A CELL")->required();
  command->add_option("right", arguments->right, "A CELL")->required();
  command->add_flag("--full", arguments->full, "Equal instructions too, not only those around a difference");
  command->add_flag("--no-control", arguments->noControl,
                    "Without control words, and without comparing them");
  command->add_flag("--no-ptx", arguments->noPtx, "Without the lines of PTX that the code comes from");
  command->add_option("--format", arguments->format, "text, json")->capture_default_str();
  addDatabaseOption(*command, arguments->database);
  command->callback(
      [=, &options, &action] { action = [=, &options] { return diff(*arguments, Workspace(options)); }; });
}

} // namespace harness::cli

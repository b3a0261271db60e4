#include "harness/report/bundle.h"

#include "harness/base/files.h"
#include "harness/base/log.h"
#include "harness/base/text.h"
#include "harness/cli/app.h"
#include "harness/cli/cached_artifact.h"
#include "harness/cli/explanation.h"
#include "harness/cli/selection.h"
#include "harness/cli/stored_cell.h"
#include "harness/matrix/cell.h"
#include "harness/matrix/mangled_name.h"
#include "harness/report/details.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace harness::cli {

namespace {

struct BundleArguments {
  std::string cell, database, output;
};

/// The place of the shape that decided the cell's verdict.
std::size_t decisiveShape(const CellRecord& cell, const CaseManifest& manifest) {
  const std::string& shape = decisiveVerdict(cell).shape;
  for (std::size_t i = 0; i < manifest.shapes.size(); ++i)
    if (manifest.shapes[i].name == shape) return i;
  failUsage("the case has no shape '{0}' any more; run it again first", shape);
}

/// What a case without a reference was judged by: the outputs of its PTX.
std::vector<std::string> outputsOfPtx(const CellName& name, const CellRecord& cell, const CaseShape& shape,
                                      Store& store, const ArtifactCache& cache) {
  for (const VerdictRecord& verdict : cell.verdicts[decisiveBuild(cell)]) {
    if (verdict.executor != kPtxExecutor || verdict.shape != shape.name) continue;
    for (const std::string& key : verdict.executionKeys) {
      auto run = store.findExecution(key);
      bool isAnswer = run && run->poison == kPoison[0] && run->seed == 0 && !run->outputHash.empty() &&
                      run->schedule == toString(Schedule::FallThroughFirst);
      if (!isAnswer) continue;
      std::string all = cachedArtifact(cache, run->outputHash, "answer of the PTX", name);
      std::vector<std::string> outputs;
      std::size_t at = 0;
      for (const BufferSpec& buffer : shape.buffers)
        if (buffer.output) {
          outputs.push_back(all.substr(std::min(at, all.size()), buffer.byteSize()));
          at += buffer.byteSize();
        }
      return outputs;
    }
  }
  failUsage("the case has no reference, and its PTX was not executed: there is no right answer to put into a "
            "bundle");
}

void fillData(BundleInput& input, const CaseShape& shape, const std::vector<std::string>& outputs) {
  input.grid = shape.grid;
  input.block = shape.block;
  input.shared = shape.shared;
  std::vector<std::string> initial = shape.initialContents(kPoison[0]);
  std::size_t output = 0;
  for (std::size_t i = 0; i < shape.buffers.size(); ++i) {
    const BufferSpec& buffer = shape.buffers[i];
    input.buffers.push_back(
        {buffer.name, initial[i], buffer.output ? outputs.at(output++) : "", buffer.record});
  }
  for (const ArgSpec& arg : shape.args) {
    BundleArg& one = input.args.emplace_back(BundleArg{arg.buffer, arg.value, {}});
    for (const ArgSpec::Pointer& pointer : arg.pointers)
      one.pointers.emplace_back(pointer.offset, pointer.buffer);
  }
}

/// How the case stands on every toolchain at the same arch and opt. Also gives one that is right: the first
/// that had the same PTX, else the first.
void fillToolchains(BundleInput& input, Store& store, const CellName& name, const std::string& ptxHash,
                    ArtifactCache& cache) {
  QueryFilter filter;
  filter.caseId = {name.caseId};
  filter.arch = {name.arch};
  filter.opt = {name.opt};
  for (const QueryRow& row : store.query(filter)) {
    auto cell = store.cell(row.caseId, row.toolchain, row.arch, row.opt);
    if (!cell) continue;
    input.toolchains.push_back({row.toolchain, cell->toolchain.frontEndBuildString,
                                cell->toolchain.ptxasBuildString, std::string(toString(row.verdict))});
    bool usable = row.verdict == Verdict::Pass && !cell->builds.front().sassHash.empty();
    bool samePtx = cell->builds.front().ptxHash == ptxHash;
    if (!usable || input.goodHasSamePtx || (!input.goodToolchain.empty() && !samePtx)) continue;
    auto sass = cache.getArtifact(cell->builds.front().sassHash);
    if (!sass) continue;
    input.goodToolchain = row.toolchain;
    input.goodSass = std::move(*sass);
    input.goodHasSamePtx = samePtx;
  }
}

std::vector<std::string> nvccOptions(const OptPoint& opt) {
  std::vector<std::string> options = opt.frontEnd;
  for (const std::string& option : opt.cicc)
    options.insert(options.end(), {"-Xcicc", option});
  // What -G gives ptxas, nvcc adds by itself.
  if (opt.name != "G")
    for (const std::string& option : opt.ptxas)
      options.insert(options.end(), {"-Xptxas", option});
  return options;
}

/// Nothing where a wrong byte is not the finding; why there is none, where what it takes is not installed.
void fillExplanation(BundleInput& input, const CellName& name, Verdict verdict, const BuildRecord& build,
                     const Workspace& workspace) {
  if (verdict != Verdict::Mismatch) return;
  try {
    input.explanation = toText(explainNow(name, {build.ptxHash, build.cubinHash}, workspace));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Interrupted) throw;
    input.noExplanation = error.what();
    Log::info("no explanation.txt: " + input.noExplanation);
  }
}

ExitCode bundle(const BundleArguments& arguments, const Workspace& workspace) {
  CellName name = CellName::parse(arguments.cell);
  Store store = openToRead(arguments.database);
  CellRecord cell = requireStoredCell(store, name, arguments.database);
  if (decisiveVerdict(cell).verdict == Verdict::Pass)
    failUsage(
        "{0} passes: there is no fault to report; 'harness query --case {1} --verdict mismatch' lists the "
        "cells that are wrong",
        name.str(), name.caseId);
  CaseManifest manifest = workspace.findCase(name.caseId);
  ArtifactCache cache(workspace.cacheDir() / "artifacts");
  ReferenceRunner references(cache, {});
  const CaseShape& shape = manifest.shapes[decisiveShape(cell, manifest)];
  const BuildRecord& build = cell.builds[decisiveBuild(cell)];

  BundleInput input;
  input.title = manifest.title;
  input.cell = name.str();
  input.arch = name.arch;
  const VerdictRecord& decisive = decisiveVerdict(cell);
  DetailSummary summary = summariseDetails(decisive.details);
  for (const std::string& part :
       {std::to_string(decisive.bad) + " of " + std::to_string(decisive.bytes) + " bytes wrong",
        "first " + decisive.firstBad, summary.where, summary.pattern, summary.message, summary.oracle})
    if (!part.empty() && part != "first ") input.findings += part + "\n";
  input.verdict = toString(decisive.verdict);
  input.blame = toString(decisive.blame);
  input.because = summary.because;
  input.why = cell.why;
  input.source = readFile(manifest.source.file);
  input.defines = manifest.source.defines;
  auto demangled = demangle(manifest.kernel);
  input.kernel = demangled ? demangled->full : manifest.kernel;
  fillData(input, shape,
           manifest.reference ? references.outputs(manifest, shape, shape.initialContents(kPoison[0]))
                              : outputsOfPtx(name, cell, shape, store, cache));
  input.nvccOptions = nvccOptions(OptPoint::parse(name.opt));
  if (build.ptxHash.empty() || build.sassHash.empty())
    failUsage("{0} was not compiled ({1}): there is nothing to put into a bundle", name.str(), build.status);
  input.ptx = cachedArtifact(cache, build.ptxHash, "PTX", name);
  input.badSass = cachedArtifact(cache, build.sassHash, "SASS", name);
  fillToolchains(input, store, name, build.ptxHash, cache);
  input.commands = {build.frontEndCommand, build.ptxasCommand};
  fillExplanation(input, name, decisive.verdict, build, workspace);
  writeBundle(input, arguments.output);
  Log::info("wrote " + arguments.output);
  return ExitCode::Ok;
}

} // namespace

void addBundle(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<BundleArguments>();
  CLI::App* command =
      app.add_subcommand("bundle", "What to attach to a vendor bug: a self-contained repro.cu, PTX, SASS, "
                                   "command lines, builds");
  command->add_option("cell", arguments->cell, "A CELL")->required();
  command
      ->add_option("-o,--output", arguments->output, "The .tar to write, or a directory if it ends with '/'")
      ->required();
  addDatabaseOption(*command, arguments->database);
  command->callback(
      [=, &options, &action] { action = [=, &options] { return bundle(*arguments, Workspace(options)); }; });
}

} // namespace harness::cli

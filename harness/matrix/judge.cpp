#include "harness/matrix/judge.h"

#include "harness/base/hash.h"
#include "harness/matrix/blamer.h"

#include <algorithm>

namespace harness {

namespace {

/// Empty if there is no such file any more.
std::string hashIfThere(const std::filesystem::path& file) {
  std::error_code ec;
  return std::filesystem::is_regular_file(file, ec) ? sha256File(file) : "";
}

BuildRecord buildRecordOf(const Build& build) {
  return {build.ptx.hash,
          build.cubin.hash,
          build.machineCode.hash,
          build.sassHash,
          build.ptx.command,
          build.cubin.command,
          std::string(toString(build.lastStage().status)),
          build.ptx.log + build.cubin.log,
          build.ptx.seconds + build.cubin.seconds};
}

/// How one executor's verdict stands to what is expected of the cell. PTX is right in most faults that are
/// known: it is measured by them only where the machine code shows the same.
Outcome outcomeOf(const VerdictRecord& verdict, std::optional<Verdict> wanted,
                  const VerdictRecord* machineCode) {
  // Nothing can be wanted of a toolchain that does not know the arch or the option.
  if (verdict.verdict == Verdict::Skipped) return Outcome::Ok;
  bool alike = !machineCode || machineCode->verdict == verdict.verdict;
  return judge(verdict.verdict, verdict.executor == kPtxExecutor && !alike ? std::nullopt : wanted);
}

std::vector<VerdictRecord> verdictsOf(const Build& build, std::optional<Verdict> wanted) {
  std::vector<VerdictRecord> verdicts = build.verdicts;
  std::map<std::string, const VerdictRecord*> machineCode; // by shape
  for (const VerdictRecord& verdict : verdicts)
    if (verdict.executor == kSassExecutor) machineCode[verdict.shape] = &verdict;
  for (VerdictRecord& verdict : verdicts)
    verdict.outcome = outcomeOf(verdict, wanted, machineCode[verdict.shape]);
  return verdicts;
}

Builds pointersTo(std::vector<Build>& builds) {
  Builds pointers;
  for (Build& build : builds)
    pointers.push_back(&build);
  return pointers;
}

} // namespace

ToolchainRecord recordOf(const Toolchain& toolchain) {
  return {toolchain.name,
          std::string(toString(toolchain.frontEnd.kind)),
          toolchain.frontEnd.build.str(),
          toolchain.frontEnd.buildString,
          toolchain.frontEnd.identity,
          toolchain.ptxas.build.str(),
          toolchain.ptxas.buildString,
          toolchain.ptxas.sha256};
}

SourceRecord recordOf(const CaseManifest& manifest) {
  return {manifest.id, manifest.title, hashIfThere(manifest.source.file), manifest.hash,
          manifest.reference ? hashIfThere(*manifest.reference) : ""};
}

Judge::Judge(ArtifactCache& cache, Compiler& compiler, sass::Disassembler& disassembler,
             ReferenceRunner& references, ExecutionMemory& memory, Options options)
    : cache_(cache), disassembler_(disassembler), options_(std::move(options)),
      builder_(cache, compiler, disassembler, options_.jobs),
      launcher_(cache, builder_, references, memory,
                {options_.jobs, options_.maxWarpInstructions, options_.sass, options_.ptx, options_.gpu,
                 options_.repeats}),
      buildJudge_(launcher_), startsBefore_(disassembler.starts()) {}

std::vector<CellRecord> Judge::judge(const std::vector<PlannedCell>& cells) {
  launcher_.clear();
  std::vector<Build> builds = compile(cells);
  Builds all = pointersTo(builds);
  for (Build& build : builds) {
    // PTX that was not assembled is no part of what is judged.
    bool whole = !build.machineCode.hash.empty() || (!options_.sass && !options_.gpu);
    if (options_.ptx && whole) build.ptxCode.hash = build.ptx.hash;
    if (options_.gpu) build.deviceCode.hash = build.cubin.hash;
  }
  launcher_.launch(all);
  for (Build& build : builds)
    buildJudge_.judge(build);
  Blamer blamer(builder_, launcher_, buildJudge_, cache_, options_.installed);
  blamer.blame(all);

  std::vector<CellRecord> records;
  for (std::size_t from = 0, to = 0; from < builds.size(); from = to) {
    while (to < builds.size() && builds[to].cell == builds[from].cell)
      ++to;
    records.push_back(conclude(std::span(builds).subspan(from, to - from)));
  }
  for (const Build& trial : blamer.trials())
    count(trial);
  work_.executed = launcher_.executed();
  work_.disassembled = disassembler_.starts() - startsBefore_;
  return records;
}

/// The builds of `cells`, in their order: one each, and what further attempts made differently.
std::vector<Build> Judge::compile(const std::vector<PlannedCell>& cells) {
  std::vector<Build> builds;
  for (const PlannedCell& cell : cells)
    for (unsigned attempt = 0; attempt <= options_.recompile; ++attempt) {
      builds.emplace_back().cell = &cell;
      builds.back().attempt = attempt;
    }
  Builds all = pointersTo(builds);
  builder_.translate(all);
  if (options_.sass || options_.gpu) builder_.assemble(all);
  for (const Build& build : builds)
    count(build);
  std::vector<Build> distinct;
  for (Build& build : builds) {
    auto isKnown = [&build](const Build& other) {
      return other.cell == build.cell && other.ptx.hash == build.ptx.hash &&
             other.cubin.hash == build.cubin.hash && other.lastStage().status == build.lastStage().status;
    };
    if (std::none_of(distinct.begin(), distinct.end(), isKnown)) distinct.push_back(std::move(build));
  }
  return distinct;
}

void Judge::count(const Build& build) {
  for (const StageResult* stage : {&build.ptx, &build.cubin})
    work_.compiled += !stage->command.empty() && !stage->cached && stage->status != CompileStatus::Skipped;
}

const SourceRecord& Judge::source(const CaseManifest& manifest) {
  auto found = sources_.find(&manifest);
  if (found == sources_.end()) found = sources_.emplace(&manifest, recordOf(manifest)).first;
  return found->second;
}

CellRecord Judge::conclude(std::span<const Build> builds) {
  const PlannedCell& cell = *builds.front().cell;
  CellRecord record;
  record.arch = cell.name.arch;
  record.opt = cell.name.opt;
  record.toolchain = recordOf(*cell.toolchain);
  record.source = source(*cell.manifest);
  std::optional<Verdict> wanted;
  if (const Expectation* expectation =
          expectationFor(*cell.manifest, cell.toolchain->frontEnd.build, cell.toolchain->ptxas.build,
                         cell.name.arch, cell.name.opt)) {
    wanted = parseVerdict(expectation->verdict);
    record.expectedVerdict = expectation->verdict;
    record.expectedBlame = expectation->blame;
    record.why = expectation->why;
  }
  for (const Build& build : builds) {
    record.builds.push_back(buildRecordOf(build));
    record.verdicts.push_back(verdictsOf(build, wanted));
  }
  return record;
}

} // namespace harness

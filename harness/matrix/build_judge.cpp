#include "harness/matrix/build_judge.h"

#include "harness/base/text.h"
#include "harness/matrix/finding.h"
#include "harness/matrix/shape_judge.h"

#include <llvm/ADT/StringRef.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace harness {

namespace {

Verdict verdictOf(CompileStatus status) {
  switch (status) {
  case CompileStatus::Ok: return Verdict::Pass;
  case CompileStatus::Skipped: return Verdict::Skipped;
  case CompileStatus::CompileError: return Verdict::CompileError;
  case CompileStatus::Ice: return Verdict::Ice;
  case CompileStatus::Timeout: return Verdict::Timeout;
  case CompileStatus::InfraError: return Verdict::InfraError;
  }
  return Verdict::InfraError;
}

/// The line of a compiler's log that tells most: its first error, else its last, which says how it ended.
std::string gist(const std::string& log) {
  constexpr std::size_t kLimit = 500;
  std::vector<std::string> lines = split(trim(log), '\n');
  auto isError = [](const std::string& line) {
    llvm::StringRef text(line);
    if (text.starts_with("harness-nvrtc:")) return false; // that it failed; why stands below
    return text.contains_insensitive("error") || text.contains_insensitive("fatal");
  };
  auto found = std::find_if(lines.begin(), lines.end(), isError);
  return found == lines.end() ? lines.back().substr(0, kLimit) : found->substr(0, kLimit);
}

/// PTX that could not be executed, or whose answer is not determined, is no measure of machine code.
bool couldNotTell(const VerdictRecord& ptx) {
  switch (ptx.verdict) {
  case Verdict::Unsupported:
  case Verdict::InfraError:
  case Verdict::Approximate:
  case Verdict::Timeout: return true;
  default: return ptx.verdict != Verdict::Pass && detailsOf(ptx).contains("undefined");
  }
}

} // namespace

VerdictRecord BuildJudge::judgeImage(const Build& build, const Image& image, std::size_t index) const {
  const CaseManifest& manifest = *build.cell->manifest;
  const ExpectedAnswer& expected = launcher_.expected(build, index);
  bool isOracle = &image == &build.ptxCode && !manifest.reference;
  VerdictRecord record;
  std::string error = !image.error.empty() ? image.error
                      : isOracle           ? launcher_.inputs(manifest, index).error
                                           : expected.error;
  std::optional<VariantRuns> runs = launcher_.runs(image, index);
  if (error.empty() && !runs) error = kSharedFailed;
  if (error.empty()) {
    record = judgeRuns(manifest.shapes[index], expected, *runs,
                       [this](const std::string& hash) { return launcher_.outputs(hash); });
  } else {
    record.verdict = image.error.empty() && expected.unsupported ? Verdict::Unsupported : Verdict::InfraError;
    record.details = messageDetails(error);
  }
  if (isOracle) record.bytes = 0; // compared with itself
  record.executor = image.executor;
  record.shape = manifest.shapes[index].name;
  return record;
}

VerdictRecord BuildJudge::judgeMachineCode(const Build& build, std::size_t shape) const {
  VerdictRecord verdict = judgeImage(build, build.machineCode, shape);
  if (!build.cell->manifest->reference) addDetail(verdict, "oracle", std::string(kPtxExecutor));
  if (!build.hazards.empty() && verdict.verdict != worst(verdict.verdict, Verdict::Hazard)) {
    verdict.verdict = Verdict::Hazard;
    verdict.details = messageDetails(build.hazards);
  }
  if (build.illegalWords == 0) return verdict;
  verdict.verdict = worst(verdict.verdict, Verdict::IllegalEncoding);
  if (verdict.verdict == Verdict::IllegalEncoding)
    verdict.details = messageDetails(std::to_string(build.illegalWords) +
                                     (build.illegalWords == 1 ? " instruction" : " instructions") +
                                     " that nvdisasm calls illegal");
  return verdict;
}

VerdictRecord BuildJudge::judgeDevice(const Build& build, std::size_t shape) const {
  VerdictRecord verdict;
  if (build.deviceCode.refusal.empty()) {
    verdict = judgeImage(build, build.deviceCode, shape);
  } else {
    verdict.executor = kGpuExecutor;
    verdict.shape = build.cell->manifest->shapes[shape].name;
    verdict.verdict = Verdict::Skipped;
    verdict.details = messageDetails(build.deviceCode.refusal);
  }
  if (!build.cell->manifest->reference) addDetail(verdict, "oracle", std::string(kPtxExecutor));
  bool couldNot = verdict.verdict == Verdict::Skipped || verdict.verdict == Verdict::Unsupported;
  verdict.decides = !couldNot || !launcher_.has(kSassExecutor);
  return verdict;
}

VerdictRecord BuildJudge::judgePtx(const Build& build, std::size_t shape) const {
  VerdictRecord verdict = judgeImage(build, build.ptxCode, shape);
  bool isAlone = build.machineCode.hash.empty();
  verdict.decides = isAlone || !couldNotTell(verdict);
  return verdict;
}

void BuildJudge::judge(Build& build) const {
  build.verdicts.clear();
  std::size_t shapes = build.cell->manifest->shapes.size();
  if (const StageResult& last = build.lastStage(); last.status != CompileStatus::Ok) {
    VerdictRecord& verdict = build.verdicts.emplace_back();
    verdict.executor = "compiler";
    verdict.verdict = verdictOf(last.status);
    verdict.details = messageDetails(gist(last.log));
    return;
  }
  bool assembled = !build.cubin.hash.empty();
  for (std::size_t s = 0; s < shapes && assembled && launcher_.has(kSassExecutor); ++s)
    build.verdicts.push_back(judgeMachineCode(build, s));
  for (std::size_t s = 0; s < shapes && assembled && !build.deviceCode.hash.empty(); ++s)
    build.verdicts.push_back(judgeDevice(build, s));
  for (std::size_t s = 0; s < shapes && !build.ptxCode.hash.empty(); ++s)
    build.verdicts.push_back(judgePtx(build, s));
}

} // namespace harness

#include "harness/matrix/blamer.h"

#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/matrix/finding.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace harness {

namespace {

using Json = nlohmann::ordered_json;

bool isFaulty(const VerdictRecord* verdict) {
  return verdict && verdict->decides && judge(verdict->verdict, std::nullopt) == Outcome::Regressed;
}

void write(VerdictRecord& verdict, const Suspicion& finding, const std::vector<Trial>& trials) {
  verdict.blame = finding.blame;
  bool otherwise = verdict.executor == kPtxExecutor && !finding.ptxBecause.empty();
  Json blame{{"because", otherwise ? finding.ptxBecause : finding.because}};
  for (const Trial& trial : trials)
    blame["tried"][trial.name] = toString(trial.result);
  addDetail(verdict, "blame", std::move(blame));
}

std::string messageOf(const VerdictRecord& verdict) {
  return detailsOf(verdict).value("message", "");
}

std::string optionsOf(const std::vector<std::string>& options) {
  return '\n' + join(options, " ");
}

/// All that makes the machine code of a PTX.
std::string assemblyKey(const std::string& caseId, const std::string& ptx, const Ptxas& ptxas,
                        const OptPoint& opt) {
  return "assembly\n" + caseId + '\n' + ptx + '\n' + ptxas.sha256 + optionsOf(opt.ptxas);
}

/// All that makes the PTX of a case.
std::string frontEndKey(const std::string& caseId, const FrontEnd& frontEnd, const OptPoint& opt) {
  return "front end\n" + caseId + '\n' + frontEnd.identity + optionsOf(opt.frontEnd) + optionsOf(opt.cicc);
}

} // namespace

/// One shape of a wrong build.
struct Blamer::Question {
  Build* build = nullptr;
  std::size_t shape = 0;
  Suspicion suspicion;
  std::vector<std::vector<TrialBuild>> candidates; ///< those of one round are tried together
  std::vector<Trial> trials;
  bool answered = false;
};

void Blamer::blame(const Builds& builds) {
  blameFromTrials(builds);
  for (Build* build : builds)
    for (std::size_t s = 0; s < build->cell->manifest->shapes.size(); ++s)
      blameDevice(*build, s);
}

void Blamer::blameFromTrials(const Builds& builds) {
  std::vector<Question> questions;
  for (Build* build : builds) {
    if (build->lastStage().status != CompileStatus::Ok) {
      blameCompiler(*build);
      continue;
    }
    for (std::size_t s = 0; s < build->cell->manifest->shapes.size(); ++s) {
      if (!isFaulty(build->verdict(kSassExecutor, s)) && !isFaulty(build->verdict(kPtxExecutor, s))) continue;
      Question question{build, s, suspect(factsOf(*build, s)), {}, {}, false};
      question.candidates = candidates(*build, question.suspicion);
      questions.push_back(std::move(question));
    }
  }
  if (questions.empty()) return;
  for (Build* build : builds) {
    const PlannedCell& cell = *build->cell;
    known_.emplace(assemblyKey(cell.name.caseId, build->ptx.hash, cell.toolchain->ptxas, cell.opt), build);
    known_.emplace(frontEndKey(cell.name.caseId, cell.toolchain->frontEnd, cell.opt), build);
  }
  for (auto needed : {Suspicion::Evidence::OtherAssembly, Suspicion::Evidence::OtherFrontEnd})
    ask(questions, needed);
  for (const Question& question : questions) {
    bool needsMore = question.suspicion.needed != Suspicion::Evidence::None;
    Suspicion finding = needsMore ? settle(question.suspicion, question.trials) : question.suspicion;
    for (std::string_view executor : {kSassExecutor, kPtxExecutor}) {
      VerdictRecord* verdict = question.build->verdict(executor, question.shape);
      if (!isFaulty(verdict)) continue;
      if (verdict->verdict == Verdict::IllegalEncoding)
        write(*verdict, {Suspicion::Evidence::None, Blame::Ptxas, "ptxas made it"}, {});
      else
        write(*verdict, finding, question.trials);
    }
  }
}

/// Which process it was is known.
void Blamer::blameCompiler(Build& build) const {
  VerdictRecord& verdict = build.verdicts.front();
  if (!isFaulty(&verdict)) return;
  bool inFrontEnd = build.ptx.status != CompileStatus::Ok;
  std::string stage = inFrontEnd ? "the front end" : "ptxas";
  Suspicion finding;
  switch (verdict.verdict) {
  case Verdict::Ice:
    finding.blame = inFrontEnd ? Blame::FrontEnd : Blame::Ptxas;
    finding.because = stage + " failed";
    break;
  case Verdict::Timeout: finding.because = stage + " did not end within its limit"; break;
  default: finding.because = inFrontEnd ? "the front end refuses the source" : "ptxas refuses its PTX"; break;
  }
  write(verdict, finding, {});
}

/// What a device and the SASS executor made of the same machine code.
void Blamer::blameDevice(Build& build, std::size_t shape) const {
  VerdictRecord *device = build.verdict(kGpuExecutor, shape), *cpu = build.verdict(kSassExecutor, shape);
  if (!device) return;
  auto blame = [&](VerdictRecord& verdict, Blame whose, const std::string& because) {
    write(verdict, {Suspicion::Evidence::None, whose, because}, {});
  };
  bool deviceIsWrong = isFaulty(device);
  if (cpu && !deviceIsWrong) {
    bool disagree = device->verdict == Verdict::Pass &&
                    (cpu->verdict == Verdict::Mismatch || cpu->verdict == Verdict::Fault);
    if (disagree)
      blame(*cpu, Blame::HardwareOrExecutor, "a device gives the right answer from the same machine code");
    return;
  }
  if (!deviceIsWrong) return;
  if (!cpu || (!isFaulty(cpu) && cpu->verdict != Verdict::Pass)) {
    blame(*device, Blame::Unknown, "its machine code was not executed on the CPU");
    return;
  }
  bool alike = isFaulty(cpu) && (device->verdict == Verdict::Flaky || device->verdict == cpu->verdict);
  if (alike && device->verdict == Verdict::Mismatch)
    alike = wroteTheSame(build.machineCode, build.deviceCode, shape);
  if (alike)
    blame(*device, cpu->blame, detailsOf(*cpu).value("blame", Json::object()).value("because", ""));
  else if (device->verdict == Verdict::Flaky && races(build, shape))
    blame(*device, Blame::Source, "it races, as executed on the CPU");
  else
    blame(*device, Blame::HardwareOrExecutor,
          "executed on the CPU the same machine code is a " + std::string(toString(cpu->verdict)));
}

BlameFacts Blamer::factsOf(Build& build, std::size_t shape) const {
  BlameFacts facts;
  facts.hasFrontEnd = !build.cell->manifest->source.isPtx();
  if (const VerdictRecord* machineCode = build.verdict(kSassExecutor, shape)) {
    facts.machineCode = machineCode->verdict;
    facts.machineCodeMessage = messageOf(*machineCode);
  } else {
    facts.machineCode = Verdict::Skipped;
  }
  const VerdictRecord* ptx = build.verdict(kPtxExecutor, shape);
  facts.ptxExecuted = ptx != nullptr;
  if (!ptx) return facts;
  facts.ptx = ptx->verdict;
  facts.ptxMessage = messageOf(*ptx);
  for (const std::string line : detailsOf(*ptx).value("undefined", Json::array())) {
    if (!line.ends_with(kMayFuse))
      facts.undefined.push_back(line);
    else if (facts.mayFuse.empty())
      facts.mayFuse = line;
  }
  facts.sameAnswer = wroteTheSame(build.machineCode, build.ptxCode, shape);
  return facts;
}

// ---- trials

std::vector<std::vector<TrialBuild>> Blamer::candidates(const Build& build,
                                                        const Suspicion& suspicion) const {
  const PlannedCell& cell = *build.cell;
  std::vector<std::vector<TrialBuild>> rounds;
  std::vector<TrialBuild> others;
  switch (suspicion.needed) {
  case Suspicion::Evidence::None: return {};
  case Suspicion::Evidence::OtherAssembly:
    if (!suspicion.mayFuse.empty()) rounds.push_back({unfusedTrial(*cell.toolchain, cell.opt)});
    rounds.push_back(levelTrials(*cell.toolchain, cell.opt));
    others = ptxasTrials(*cell.toolchain, installed_, cell.name.arch, cell.opt,
                         ptxVersion(cache_.getArtifact(build.ptx.hash).value_or("")));
    break;
  case Suspicion::Evidence::OtherFrontEnd:
    others = frontEndTrials(*cell.toolchain, installed_, cell.name.arch, cell.opt);
    break;
  }
  for (TrialBuild& other : others)
    rounds.push_back({std::move(other)});
  return rounds;
}

void Blamer::ask(std::vector<Question>& questions, Suspicion::Evidence needed) {
  bool assembly = needed == Suspicion::Evidence::OtherAssembly;
  struct Asked {
    Question* question;
    std::string name;
    Build* build;
  };
  for (std::size_t round = 0;; ++round) {
    std::vector<Asked> asked;
    Builds fresh;
    for (Question& question : questions) {
      if (question.suspicion.needed != needed || question.answered || round >= question.candidates.size())
        continue;
      for (const TrialBuild& trial : question.candidates[round]) {
        bool isNew = false;
        Build& build = buildOf(question, trial, isNew);
        if (isNew) fresh.push_back(&build);
        asked.push_back({&question, trial.name, &build});
      }
    }
    if (asked.empty()) return;
    if (assembly)
      builder_.assemble(fresh);
    else
      builder_.translate(fresh);
    for (Build* build : fresh)
      if (!assembly && build->ptx.status == CompileStatus::Ok) build->ptxCode.hash = build->ptx.hash;
    launcher_.launch(fresh);
    for (Build* build : fresh)
      judge_.judge(*build);
    for (const Asked& one : asked) {
      Trial::Result result = resultOf(*one.question, *one.build);
      one.question->trials.push_back({one.name, result});
      one.question->answered |= result == Trial::Result::Right;
    }
  }
}

Build& Blamer::buildOf(const Question& question, const TrialBuild& trial, bool& isNew) {
  const PlannedCell& cell = *question.build->cell;
  bool assembly = question.suspicion.needed == Suspicion::Evidence::OtherAssembly;
  std::string key =
      assembly ? assemblyKey(cell.name.caseId, question.build->ptx.hash, trial.toolchain.ptxas, trial.opt)
               : frontEndKey(cell.name.caseId, trial.toolchain.frontEnd, trial.opt);
  Build*& known = known_[key];
  isNew = known == nullptr;
  if (known) return *known;
  const Toolchain& toolchain = toolchains_.emplace_back(trial.toolchain);
  CellName name{cell.name.caseId, toolchain.name, cell.name.arch, trial.opt.name};
  Build& build = trials_.emplace_back();
  build.cell = &cells_.emplace_back(PlannedCell{name, cell.manifest, &toolchain, trial.opt});
  if (assembly) {
    build.ptx = question.build->ptx;
    build.ptx.cached = true; // counted once
  }
  known = &build;
  return build;
}

Trial::Result Blamer::resultOf(const Question& question, Build& trial) const {
  const Build& build = *question.build;
  std::size_t shape = question.shape;
  bool assembly = question.suspicion.needed == Suspicion::Evidence::OtherAssembly;
  std::string_view executor = assembly ? kSassExecutor : kPtxExecutor;
  const VerdictRecord* there = trial.verdict(executor, shape);
  if (!there || (!isFaulty(there) && there->verdict != Verdict::Pass)) return Trial::Result::NotJudged;
  bool right = true;
  for (std::size_t s = 0; s < trial.cell->manifest->shapes.size(); ++s)
    right &= trial.verdict(executor, s)->verdict == Verdict::Pass;
  if (right)
    return assembly && races(build, shape) && races(trial, shape) ? Trial::Result::Races
                                                                  : Trial::Result::Right;
  const VerdictRecord& here = *question.build->verdict(executor, shape);
  bool same = wroteTheSame(assembly ? build.machineCode : build.ptxCode,
                           assembly ? trial.machineCode : trial.ptxCode, shape) ||
              (here.verdict == Verdict::Timeout && there->verdict == Verdict::Timeout) ||
              (here.verdict == Verdict::Fault && there->verdict == Verdict::Fault &&
               isSameFault(messageOf(here), messageOf(*there)));
  return same && here.verdict == there->verdict ? Trial::Result::AsWrong : Trial::Result::Wrong;
}

bool Blamer::wroteTheSame(const Image& one, const Image& other, std::size_t shape) const {
  std::optional<VariantRuns> a = launcher_.runs(one, shape), b = launcher_.runs(other, shape);
  if (!a || !b) return false;
  for (std::size_t v = 0; v < kVariantCount; ++v) {
    if (kVariants[v].purpose != Variant::Purpose::Answer) continue;
    const ExecutionRecord *left = (*a)[v], *right = (*b)[v];
    if (!left || !right || left->outputHash.empty() || left->outputHash != right->outputHash) return false;
  }
  return true;
}

bool Blamer::races(const Build& build, std::size_t shape) const {
  std::optional<VariantRuns> runs = launcher_.runs(build.machineCode, shape);
  for (std::size_t v = 0; v < kVariantCount && runs; ++v) {
    const ExecutionRecord* run = (*runs)[v];
    if (kVariants[v].purpose == Variant::Purpose::Answer && run && !run->observations.empty()) return true;
  }
  return false;
}

} // namespace harness

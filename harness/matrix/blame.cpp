#include "harness/matrix/blame.h"

#include "harness/base/text.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace harness {

namespace {

Suspicion settled(Blame blame, std::string because) {
  return {Suspicion::Evidence::None, blame, std::move(because)};
}

Suspicion unknown(std::string because) {
  return settled(Blame::Unknown, std::move(because));
}

/// The machine code's bytes are right, whatever else is said of it.
bool isRight(Verdict machineCode) {
  return machineCode == Verdict::Pass || machineCode == Verdict::Hazard ||
         machineCode == Verdict::IllegalEncoding;
}

bool tellsNothing(Verdict verdict) {
  return verdict == Verdict::Unsupported || verdict == Verdict::InfraError || verdict == Verdict::Skipped;
}

Suspicion suspectOfFault(const BlameFacts& facts) {
  // Without a reference the PTX's fault is all that is said of the machine code too.
  bool repeated = facts.machineCodeMessage.ends_with(facts.ptxMessage);
  if (facts.machineCode == Verdict::Fault && repeated) return settled(Blame::Source, "the source does it");
  if (facts.machineCode == Verdict::Fault && isSameFault(facts.machineCodeMessage, facts.ptxMessage))
    return {Suspicion::Evidence::None,
            Blame::Source,
            "the PTX does it too: " + facts.ptxMessage,
            {},
            "the machine code does it too"};
  if (isRight(facts.machineCode))
    return unknown("the machine code is right, but executing the PTX ends in a fault: " + facts.ptxMessage +
                   "; the PTX executor is suspected, or the source");
  return unknown("the PTX ends in another fault: " + facts.ptxMessage);
}

Suspicion suspectOfMismatch(const BlameFacts& facts) {
  if (!facts.mayFuse.empty() && !facts.sameAnswer)
    return isRight(facts.machineCode)
               ? settled(Blame::Source, "PTX leaves it undefined: " + facts.mayFuse)
               : unknown("PTX and machine code are wrong in different ways, and " + facts.mayFuse);
  if (isRight(facts.machineCode))
    return unknown(
        "the machine code is right, but executing the PTX gives another answer: the PTX executor is "
        "suspected, or a fault of the front end that ptxas undid");
  if (tellsNothing(facts.machineCode))
    return unknown("the PTX is wrong, and the machine code cannot be executed to confirm it");
  if (facts.machineCode != Verdict::Mismatch || !facts.sameAnswer)
    return unknown(
        "PTX and machine code are wrong in different ways: an executor, the source or the reference is "
        "suspected");
  if (!facts.hasFrontEnd)
    return unknown("the machine code does what its PTX says: the source or the reference is suspected");
  return {Suspicion::Evidence::OtherFrontEnd, Blame::FrontEnd, "the machine code does what its PTX says"};
}

Suspicion suspectOfRightPtx(const BlameFacts& facts) {
  switch (facts.machineCode) {
  case Verdict::Fault:
  case Verdict::Mismatch:
  case Verdict::Timeout:
  case Verdict::Hazard:
    return {Suspicion::Evidence::OtherAssembly, Blame::Ptxas, "the PTX is right", facts.mayFuse};
  case Verdict::ScheduleDependent:
    return unknown(
        "the PTX is right in every order that was tried; a race of the source may not show in them");
  default: return unknown("the PTX is right");
  }
}

enum class FaultKind { Other, Misaligned, Trap, Shared, Local, Global };

/// What the executors' messages have of each kind; the first found counts.
constexpr std::pair<std::string_view, FaultKind> kFaultWords[] = {
    {"illegal instruction", FaultKind::Other}, // PTX has none
    {"misaligned", FaultKind::Misaligned},
    {"access to shared", FaultKind::Shared},
    {"of shared memory", FaultKind::Shared},
    {"access to local", FaultKind::Local},
    {"of local memory", FaultKind::Local},
    {"access to", FaultKind::Global},
    {"trap", FaultKind::Trap},
};

FaultKind kindOf(std::string_view fault) {
  for (auto [word, kind] : kFaultWords)
    if (fault.find(word) != std::string_view::npos) return kind;
  return FaultKind::Other;
}

/// The buffer that an access missed, as GlobalMemory::describe names it.
std::string_view bufferOf(std::string_view fault) {
  for (std::string_view before : {"start of '", "end of '", "bytes at '"}) {
    std::size_t at = fault.find(before);
    if (at == std::string_view::npos) continue;
    at += before.size();
    return fault.substr(at, fault.find('\'', at) - at);
  }
  return {};
}

const Trial* firstOf(const std::vector<Trial>& trials, Trial::Result result) {
  auto found =
      std::find_if(trials.begin(), trials.end(), [&](const Trial& trial) { return trial.result == result; });
  return found == trials.end() ? nullptr : &*found;
}

bool allAre(const std::vector<Trial>& trials, Trial::Result result) {
  return std::all_of(trials.begin(), trials.end(),
                     [&](const Trial& trial) { return trial.result == result; });
}

std::string namesOf(const std::vector<Trial>& trials) {
  std::vector<std::string> names;
  for (const Trial& trial : trials)
    if (trial.result != Trial::Result::NotJudged) names.push_back(trial.name);
  return join(names, ", ");
}

} // namespace

bool isSameFault(std::string_view one, std::string_view other) {
  if (kindOf(one) == FaultKind::Other || kindOf(one) != kindOf(other)) return false;
  return bufferOf(one).empty() || bufferOf(other).empty() || bufferOf(one) == bufferOf(other);
}

Suspicion suspect(const BlameFacts& facts) {
  if (!facts.ptxExecuted) return unknown("its PTX was not executed");
  if (!facts.undefined.empty())
    return settled(Blame::Source, "PTX leaves it undefined: " + facts.undefined.front());
  if (facts.machineCode == Verdict::Approximate)
    return unknown("it depends on results that are known to within an ulp only");
  switch (facts.ptx) {
  case Verdict::Pass: return suspectOfRightPtx(facts);
  case Verdict::Mismatch: return suspectOfMismatch(facts);
  case Verdict::Fault: return suspectOfFault(facts);
  case Verdict::ScheduleDependent:
    return settled(Blame::Source, "the PTX too depends on the order of diverged paths: " + facts.ptxMessage);
  case Verdict::Approximate:
    return unknown("the PTX depends on results that are known to within an ulp only, or on sums of products "
                   "whose order and rounding it leaves open");
  case Verdict::Timeout: return unknown("the PTX does not end: " + facts.ptxMessage);
  default: return unknown("its PTX cannot be executed: " + facts.ptxMessage);
  }
}

std::string_view toString(Trial::Result result) {
  switch (result) {
  case Trial::Result::Right: return "right";
  case Trial::Result::AsWrong: return "as wrong";
  case Trial::Result::Wrong: return "wrong in another way";
  case Trial::Result::Races: return "right, but it races";
  case Trial::Result::NotJudged: break;
  }
  return "not judged";
}

Suspicion settle(const Suspicion& suspicion, const std::vector<Trial>& trials) {
  bool assembly = suspicion.needed == Suspicion::Evidence::OtherAssembly;
  if (!suspicion.mayFuse.empty() && !trials.empty() && trials.front().result == Trial::Result::Right)
    return settled(Blame::Source, "PTX leaves it undefined: " + suspicion.mayFuse +
                                      "; right from the same PTX with " + trials.front().name);
  if (const Trial* right = firstOf(trials, Trial::Result::Right))
    return settled(suspicion.blame, assembly
                                        ? "right from the same PTX with " + right->name
                                        : suspicion.because + "; right with the front end of " + right->name);
  if (const Trial* races = firstOf(trials, Trial::Result::Races))
    return unknown(suspicion.because + ", and so is the build with " + races->name +
                   ", but both race in shared memory: the source is suspected");
  std::string what = assembly ? "other build of it" : "other front end";
  if (allAre(trials, Trial::Result::NotJudged))
    return unknown(suspicion.because + ", but there is no " + what +
                   " to compare with; 'harness toolchain install' another");
  std::vector<Trial> judged;
  std::copy_if(trials.begin(), trials.end(), std::back_inserter(judged),
               [](const Trial& trial) { return trial.result != Trial::Result::NotJudged; });
  return unknown(
      suspicion.because + ", but every " + what + " that was tried is wrong too" +
      (allAre(judged, Trial::Result::AsWrong) ? ", in the same way" : "") + " (" + namesOf(trials) + "): " +
      (assembly ? "our executor or the source is suspected" : "the source or the reference is suspected"));
}

} // namespace harness

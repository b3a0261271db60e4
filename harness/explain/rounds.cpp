#include "harness/explain/rounds.h"

#include "harness/explain/flow.h"

#include <algorithm>

namespace harness::explain {

namespace {

constexpr unsigned kMostDecisions = 4096; ///< that are looked at
constexpr std::uint64_t kWord = 0xffffffff;

bool isGuardedBranch(History& ptx, StepRef step) {
  return ptx.isGuarded(step) && ptx.instruction(step).text.find(" bra") != std::string::npos;
}

/// The steps of a thread that executed an instruction, in order.
std::vector<StepRef> executionsOf(History& history, ThreadId thread, std::uint32_t instruction) {
  std::vector<StepRef> found;
  const std::vector<TraceStep>& steps = history.trace(thread).steps();
  for (std::uint32_t i = 0; i < steps.size(); ++i)
    if (steps[i].executed && steps[i].instruction == instruction) found.push_back({thread, i});
  return found;
}

/// The step of PTX that made a value that PTX reads.
std::optional<ValueRef> madeBy(History& ptx, const ValueRef& read) {
  Origin origin = ptx.originOf(read);
  if (origin.kind != Origin::Kind::Step || !origin.value.written) return std::nullopt;
  return origin.value;
}

/// The step of PTX that made what a match found, which may be a read of it.
std::optional<ValueRef> madeBy(History& ptx, const std::optional<Match>& match) {
  if (!match || match->upper) return std::nullopt;
  return match->ptx.written ? std::optional(match->ptx) : madeBy(ptx, match->ptx);
}

/// What was made before the loop that its first round reads.
std::vector<ValueRef> begins(History& ptx, StepRef firstRound) {
  std::vector<ValueRef> found;
  auto count = static_cast<std::uint32_t>(ptx.reads(firstRound).size());
  for (std::uint32_t i = 0; i < count; ++i)
    if (auto value = madeBy(ptx, ValueRef{firstRound, false, i})) found.push_back(*value);
  return found;
}

/// The step does nothing but set the value of SASS that the PTX instruction of its line sets.
bool isConstantOf(History& sass, History& ptx, const RegionStep& step, const ValueRef& value) {
  std::span<const TraceValue> written = sass.writes(step.step);
  return step.inputs.empty() && written.size() == 1 &&
         sass.instruction(step.step).line == ptx.instruction(value.at).line &&
         (written[0].bits & kWord) == (ptx.value(value).bits & kWord);
}

/// SASS has the value of PTX's last round, whatever became of it.
bool hasMade(History& sass, ThreadId thread, std::uint32_t line, std::uint64_t bits) {
  const Trace& trace = sass.trace(thread);
  return std::any_of(trace.steps().begin(), trace.steps().end(), [&](const TraceStep& step) {
    if (!step.executed || trace.instruction(step).line != line) return false;
    std::span<const TraceValue> written = trace.writes(step);
    return std::any_of(written.begin(), written.end(), [&](const TraceValue& value) {
      return value.width > 1 && (value.bits & kWord) == (bits & kWord);
    });
  });
}

/// SASS stores a value that PTX has: after how many rounds?
std::optional<std::uint32_t> roundsDone(History& sass, History& ptx, const Region& region,
                                        const ValueRef& made, const std::vector<StepRef>& rounds) {
  const RegionStep* first = region.first();
  if (!first || rounds.size() < 2) return std::nullopt;
  std::vector<ValueRef> beginning = begins(ptx, rounds.front());
  if (first != &region.steps.back()) {
    bool passed = std::any_of(beginning.begin(), beginning.end(),
                              [&](const ValueRef& value) { return isConstantOf(sass, ptx, *first, value); });
    return passed ? std::optional(0u) : std::nullopt;
  }
  for (const Input& input : first->inputs) {
    auto stored = madeBy(ptx, input.match);
    if (!stored) continue;
    auto round = std::find(rounds.begin(), rounds.end(), stored->at);
    if (round != rounds.end() && stored->index == made.index && stored->at < made.at)
      return static_cast<std::uint32_t>(round - rounds.begin()) + 1;
    if (std::find(beginning.begin(), beginning.end(), *stored) != beginning.end()) return 0;
  }
  return std::nullopt;
}

/// A step of the region computes from the value that would have been right, and then once more what makes it.
bool goesOn(History& sass, History& ptx, const Region& region, const ValueRef& made, std::uint32_t line) {
  auto usesIt = [&](const RegionStep& step) {
    return std::any_of(step.inputs.begin(), step.inputs.end(), [&](const Input& input) {
      return !input.read.written && madeBy(ptx, input.match) == made;
    });
  };
  auto user = std::find_if(region.steps.begin(), region.steps.end(), usesIt);
  return user != region.steps.end() && std::any_of(user, region.steps.end() - 1, [&](const RegionStep& step) {
           return sass.instruction(step.step).line == line;
         });
}

/// The branch that ends a round: the last guarded one before the next round, or the first after the last.
std::optional<StepRef> branchAfter(History& ptx, StepRef round, std::optional<StepRef> next) {
  std::optional<StepRef> found;
  auto end = next ? next->step : static_cast<std::uint32_t>(ptx.trace(round.thread).steps().size());
  for (std::uint32_t i = round.step + 1; i < end && (next || !found); ++i)
    if (isGuardedBranch(ptx, {round.thread, i})) found = StepRef{round.thread, i};
  return found;
}

std::vector<std::uint32_t> linesBetween(History& ptx, StepRef begin, StepRef end) {
  std::vector<std::uint32_t> lines;
  for (std::uint32_t i = begin.step; i <= end.step; ++i)
    lines.push_back(ptx.instruction({begin.thread, i}).line);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

} // namespace

std::optional<Rounds> findRounds(History& sass, History& ptx, const Region& region, const ValueRef& right) {
  auto made = madeBy(ptx, right);
  ThreadId thread = region.steps.back().step.thread;
  if (!made || made->at.thread != thread) return std::nullopt;
  std::uint32_t line = ptx.instruction(made->at).line;
  std::vector<StepRef> rounds = executionsOf(ptx, thread, ptx.step(made->at).instruction);
  if (line == 0 || rounds.empty() || rounds.back() != made->at) return std::nullopt;

  Rounds result;
  result.last = made->at;
  result.ptx = static_cast<std::uint32_t>(rounds.size());
  result.sass = roundsDone(sass, ptx, region, *made, rounds);
  if (result.sass ? hasMade(sass, thread, line, ptx.value(*made).bits)
                  : !goesOn(sass, ptx, region, *made, line))
    return std::nullopt;

  auto leaves = branchAfter(ptx, made->at, std::nullopt);
  StepRef begin = rounds.size() > 1 ? rounds[rounds.size() - 2] : made->at;
  result.lines = linesBetween(ptx, begin, leaves ? *leaves : made->at);
  bool stays = result.sass && *result.sass > 0;
  result.ptxDecision = stays ? branchAfter(ptx, rounds[*result.sass - 1], rounds[*result.sass]) : leaves;
  return result;
}

std::optional<Region> findStrangeDecision(History& sass, History& ptx, Alignment& alignment,
                                          const Rounds& rounds, StepRef end) {
  const Trace& trace = sass.trace(end.thread);
  unsigned looks = 0;
  for (std::uint32_t i = 0; i < end.step && looks < kMostDecisions; ++i) {
    StepRef step{end.thread, i};
    if (!sass.isGuarded(step) || !std::binary_search(rounds.lines.begin(), rounds.lines.end(),
                                                     trace.instruction(trace.steps()[i]).line))
      continue;
    ++looks;
    Region region = findRegion(sass, ptx, alignment, step, TraceRole::Guard);
    if (const RegionStep* first = region.first(); first && first != &region.steps.back()) return region;
  }
  return std::nullopt;
}

} // namespace harness::explain

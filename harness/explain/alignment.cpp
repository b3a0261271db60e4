#include "harness/explain/alignment.h"

#include <algorithm>
#include <bit>

namespace harness::explain {

namespace {

constexpr std::uint64_t kWord = 0xffffffff, kHalf = 0xffff, kByte = 0xff;

/// R19, but not R18, can be the upper word of a pair.
bool mayBeUpper(const std::string& name) {
  return !name.empty() && (name.back() - '0') % 2 != 0;
}

/// Whether a register of SASS holds a value of PTX: words of 64 bits, and what is narrower in a part of it.
bool holds(const TraceValue& sass, const std::string& name, const TraceValue& ptx) {
  std::uint64_t bits = sass.bits & kWord;
  switch (ptx.width) {
  case 64: return bits == (ptx.bits & kWord) || (bits == ptx.bits >> 32 && mayBeUpper(name));
  case 32: return bits == (ptx.bits & kWord);
  case 16: return (bits & kHalf) == (ptx.bits & kHalf) || bits >> 16 == (ptx.bits & kHalf);
  case 8: return (bits & kByte) == (ptx.bits & kByte);
  default: return false;
  }
}

} // namespace

bool isOdd(std::uint64_t bits) {
  constexpr std::uint64_t kNear = 0x1000;
  auto word = static_cast<std::uint32_t>(bits);
  return word >= kNear && ~word >= kNear && std::popcount(word) > 2;
}

const Alignment::Index& Alignment::index(ThreadId thread) {
  auto [entry, isNew] = indices_.try_emplace(thread);
  Index& index = entry->second;
  if (!isNew) return index;
  const Trace& trace = ptx_.trace(thread);
  for (std::uint32_t i = 0; i < trace.steps().size(); ++i) {
    const TraceStep& step = trace.steps()[i];
    if (!step.executed) continue;
    index.byLine[trace.instruction(step).line].push_back(i);
    std::span<const TraceValue> written = trace.writes(step);
    for (std::uint32_t w = 0; w < written.size(); ++w) {
      ValueRef ref{{thread, i}, true, w};
      std::uint64_t bits = written[w].bits;
      index.byBits[bits & kWord].push_back(ref);
      if (written[w].width == 64 && bits >> 32 != (bits & kWord)) index.byBits[bits >> 32].push_back(ref);
    }
  }
  return index;
}

std::uint32_t Alignment::executions(ThreadId thread, std::uint32_t instruction) {
  auto [entry, isNew] = executions_.try_emplace(thread);
  std::vector<std::uint32_t>& counts = entry->second;
  if (isNew) {
    const Trace& trace = sass_.trace(thread);
    counts.resize(trace.instructions.size());
    for (const TraceStep& step : trace.steps())
      counts[step.instruction] = step.occurrence + 1;
  }
  return counts[instruction];
}

bool Alignment::executed(ThreadId thread, std::uint32_t line) {
  return index(thread).byLine.contains(line);
}

std::vector<StepRef> Alignment::candidates(StepRef sass) {
  std::uint32_t line = sass_.instruction(sass).line;
  const auto& byLine = index(sass.thread).byLine;
  auto found = byLine.find(line);
  if (line == 0 || found == byLine.end()) return {};
  const std::vector<std::uint32_t>& steps = found->second;
  const TraceStep& step = sass_.step(sass);
  std::size_t count = executions(sass.thread, step.instruction), place = step.occurrence;
  std::vector<StepRef> order;
  auto add = [&](std::size_t i) {
    if (i >= steps.size()) return;
    StepRef ref{sass.thread, steps[i]};
    if (std::find(order.begin(), order.end(), ref) == order.end()) order.push_back(ref);
  };
  add(place);
  // Of loops whose first or last round stands apart.
  if (count != steps.size()) add(steps.size() - std::min(steps.size(), count - place));
  return order;
}

std::optional<StepRef> Alignment::counterpart(StepRef sass) {
  std::vector<StepRef> steps = candidates(sass);
  if (steps.empty()) return std::nullopt;
  return steps.front();
}

std::optional<Match> Alignment::match(const ValueRef& sassWritten) {
  const TraceValue& value = sass_.value(sassWritten);
  if (value.width == 1) return std::nullopt;
  bool odd = isOdd(value.bits);
  const std::string& name = sass_.trace(sassWritten.at.thread).name(value);
  for (StepRef step : candidates(sassWritten.at)) {
    std::span<const TraceValue> written = ptx_.writes(step), read = ptx_.reads(step);
    for (std::uint32_t w = 0; w < written.size(); ++w)
      if (holds(value, name, written[w])) return Match{{step, true, w}, true};
    for (std::uint32_t r = 0; odd && r < read.size(); ++r)
      if (holds(value, name, read[r])) return Match{{step, false, r}, true};
  }
  if (!odd) return std::nullopt;
  const auto& byBits = index(sassWritten.at.thread).byBits;
  auto found = byBits.find(value.bits & kWord);
  if (found == byBits.end()) return std::nullopt;
  return Match{found->second.back(), false};
}

} // namespace harness::explain

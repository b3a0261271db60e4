#include "harness/explain/alignment.h"

#include <algorithm>
#include <bit>

namespace harness::explain {

namespace {

constexpr std::uint64_t kWord = 0xffffffff, kHalf = 0xffff, kByte = 0xff;
constexpr unsigned kMostCopies = 8; ///< one after the other

/// R19, but not R18, can be the upper word of a pair.
bool mayBeUpper(const std::string& name) {
  return !name.empty() && (name.back() - '0') % 2 != 0;
}

/// All that is looked at of a word: whole halves.
Bytes halvesOf(Bytes wanted) {
  return static_cast<Bytes>((wanted & kLowHalf ? kLowHalf : 0) | (wanted & kHighHalf ? kHighHalf : 0));
}

/// Whether `wanted` of a register of SASS is a value of PTX: a word of one of 64 bits, and what is narrower
/// extended, or in a part of it.
bool holds(const TraceValue& sass, const std::string& name, const TraceValue& ptx, Bytes wanted) {
  std::uint64_t bits = sass.bits & kWord, mask = maskOf(halvesOf(wanted));
  bool low = (wanted & kHighHalf) == 0, high = (wanted & kLowHalf) == 0;
  std::uint64_t half = ptx.bits & kHalf;
  switch (ptx.width) {
  case 64: return (bits & mask) == (ptx.bits & mask) || (bits == ptx.bits >> 32 && mayBeUpper(name));
  case 32: return (bits & mask) == (ptx.bits & mask);
  case 16:
    if (high) return bits >> 16 == half; // zeros or a sign above a half are of no other value
    return (bits & kHalf) == half && (low || isZeroExtended(bits) || isSignExtended(bits));
  case 8: {
    std::uint64_t byte = ptx.bits & kByte, negative = byte & 0x80 ? (kWord & ~kByte) | byte : byte;
    return wanted == 1 ? (bits & kByte) == byte : (bits & mask) == byte || (bits & mask) == (negative & mask);
  }
  default: return false;
  }
}

/// Not among the numbers that every program is full of. Says enough where both come from the same line.
bool isRare(std::uint64_t word) {
  constexpr std::uint64_t kNear = 0x100;
  return word >= kNear && (~word & kWord) >= kNear;
}

/// What it makes is one of the values that it reads: to be the right one, PTX must have made it there too.
bool chooses(const std::string& sass) {
  std::size_t begin = sass.starts_with("@") ? sass.find(' ') + 1 : 0;
  std::string opcode = sass.substr(begin, sass.find_first_of(". ", begin) - begin);
  return opcode == "SEL" || opcode == "FSEL" || opcode.ends_with("MNMX");
}

bool isOddHalf(std::uint64_t half) {
  constexpr std::uint64_t kNear = 0x100;
  return half >= kNear && (~half & kHalf) >= kNear && std::popcount(half) > 2;
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
      if (written[w].width == 16) index.byHalf[bits & kHalf].push_back(ref);
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

std::optional<Match> Alignment::matchByLine(const ValueRef& written, Bytes wanted) {
  const TraceValue& value = sass_.value(written);
  std::uint64_t compared = value.bits & maskOf(halvesOf(wanted)) & kWord;
  bool rare = isRare((wanted & kLowHalf) != 0 ? compared : compared >> 16) &&
              !chooses(sass_.instruction(written.at).text);
  const std::string& name = sass_.trace(written.at.thread).name(value);
  for (StepRef step : candidates(written.at)) {
    std::span<const TraceValue> made = ptx_.writes(step), read = ptx_.reads(step);
    for (std::uint32_t w = 0; w < made.size(); ++w)
      if (holds(value, name, made[w], wanted)) return Match{{step, true, w}, std::nullopt, true};
    for (std::uint32_t r = 0; rare && r < read.size(); ++r)
      if (holds(value, name, read[r], wanted)) return Match{{step, false, r}, std::nullopt, true};
  }
  return std::nullopt;
}

std::optional<ValueRef> Alignment::halfOfLine(StepRef sass, std::uint64_t half) {
  for (StepRef step : candidates(sass))
    for (bool isWritten : {true, false}) {
      std::span<const TraceValue> values = isWritten ? ptx_.writes(step) : ptx_.reads(step);
      for (std::uint32_t i = 0; i < values.size(); ++i)
        if (values[i].width == 16 && (values[i].bits & kHalf) == half && (isWritten || isRare(half)))
          return ValueRef{step, isWritten, i};
    }
  return std::nullopt;
}

std::optional<ValueRef> Alignment::halfAnywhere(ThreadId thread, std::uint64_t half) {
  const auto& byHalf = index(thread).byHalf;
  auto found = byHalf.find(half);
  if (found == byHalf.end() || !isOddHalf(half)) return std::nullopt;
  return found->second.back();
}

std::optional<Match> Alignment::matchByBits(const ValueRef& written, Bytes wanted) {
  std::uint64_t bits = sass_.value(written).bits & kWord, low = bits & kHalf, high = bits >> 16;
  bool lowOnly = (wanted & kHighHalf) == 0, highOnly = (wanted & kLowHalf) == 0;
  StepRef step = written.at;
  if (isOdd(bits)) {
    const auto& byBits = index(step.thread).byBits;
    if (auto found = byBits.find(bits); found != byBits.end())
      for (auto ref = found->second.rbegin(); ref != found->second.rend(); ++ref)
        if (!highOnly || ptx_.value(*ref).width > 16) return Match{*ref, std::nullopt, false};
  }
  auto half = [&](std::uint64_t one) {
    auto found = halfOfLine(step, one);
    return found ? found : halfAnywhere(step.thread, one);
  };
  auto wantedHalf = half(highOnly ? high : low);
  if (!wantedHalf) return std::nullopt;
  if (lowOnly || highOnly || isZeroExtended(bits) || isSignExtended(bits))
    return Match{*wantedHalf, std::nullopt, false};
  auto upper = half(high);
  if (!upper) return std::nullopt;
  return Match{*wantedHalf, upper, false};
}

std::optional<Match> Alignment::matchOfCopied(const ValueRef& written, Bytes wanted, unsigned depth) {
  if (depth == kMostCopies || sass_.writes(written.at).size() != 1) return std::nullopt;
  auto copied = copiedBy(sass_.instruction(written.at).text);
  if (!copied) return std::nullopt;
  const TraceValue& value = sass_.value(written);
  const Trace& trace = sass_.trace(written.at.thread);
  std::span<const TraceValue> reads = sass_.reads(written.at);
  for (std::uint32_t i = 0; i < reads.size(); ++i) {
    if (trace.name(reads[i]) != copied->name || reads[i].role != TraceRole::Data) continue;
    Origin origin = sass_.originOf({written.at, false, i});
    if (origin.kind != Origin::Kind::Step || !origin.value.written) return std::nullopt;
    auto match = this->match(origin.value, copied->bytes, depth + 1);
    if (!match || match->upper) return (wanted & ~copied->bytes) ? std::nullopt : match;
    if (holds(value, trace.name(value), ptx_.value(match->ptx), wanted)) return match;
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Match> Alignment::match(const ValueRef& written, Bytes wanted, unsigned depth) {
  if (sass_.value(written).width == 1) return std::nullopt;
  if (auto found = matchByLine(written, wanted)) return found;
  if (chooses(sass_.instruction(written.at).text) && !candidates(written.at).empty()) return std::nullopt;
  if (auto found = matchByBits(written, wanted)) return found;
  return matchOfCopied(written, wanted, depth);
}

std::optional<Match> Alignment::match(const ValueRef& sassWritten, Bytes wanted) {
  return match(sassWritten, wanted, 0);
}

} // namespace harness::explain

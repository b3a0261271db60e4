#include "harness/parity/verdict.h"

#include <algorithm>
#include <array>

namespace harness {

namespace {

// In the order of the enumerations.
constexpr std::array<std::string_view, 14> kVerdicts{"fault",
                                                     "mismatch",
                                                     "flaky",
                                                     "schedule-dependent",
                                                     "hazard",
                                                     "approximate",
                                                     "timeout",
                                                     "ice",
                                                     "illegal-encoding",
                                                     "compile-error",
                                                     "infra-error",
                                                     "unsupported",
                                                     "skipped",
                                                     "pass"};
constexpr std::array<std::string_view, 6> kBlames{"front-end", "ptxas", "source", "hardware-or-executor",
                                                  "unknown",   "none"};
constexpr std::array<std::string_view, 5> kOutcomes{"ok", "expected", "fixed", "regressed", "undecided"};
constexpr std::array<std::string_view, 3> kStandings{"good", "bad", "undecided"};

static_assert(kVerdicts.size() == static_cast<std::size_t>(Verdict::Pass) + 1);
static_assert(kBlames.size() == static_cast<std::size_t>(Blame::None) + 1);
static_assert(kOutcomes.size() == static_cast<std::size_t>(Outcome::Undecided) + 1);

template <typename Enum, std::size_t N>
std::optional<Enum> parse(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto* found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

/// Nothing was learnt about the machine code.
bool saysNothing(Verdict verdict) {
  return verdict == Verdict::InfraError || verdict == Verdict::Unsupported || verdict == Verdict::Skipped;
}

} // namespace

std::string_view toString(Verdict verdict) {
  return kVerdicts[static_cast<std::size_t>(verdict)];
}
std::string_view toString(Blame blame) {
  return kBlames[static_cast<std::size_t>(blame)];
}
std::string_view toString(Outcome outcome) {
  return kOutcomes[static_cast<std::size_t>(outcome)];
}

std::string_view toString(Standing standing) {
  return kStandings[static_cast<std::size_t>(standing)];
}

std::optional<Verdict> parseVerdict(std::string_view name) {
  return parse<Verdict>(kVerdicts, name);
}
std::optional<Blame> parseBlame(std::string_view name) {
  return parse<Blame>(kBlames, name);
}
std::optional<Outcome> parseOutcome(std::string_view name) {
  return parse<Outcome>(kOutcomes, name);
}

Verdict worst(Verdict a, Verdict b) {
  return std::min(a, b);
}

Standing standingOf(Verdict verdict) {
  if (verdict == Verdict::Pass) return Standing::Good;
  return saysNothing(verdict) || verdict == Verdict::CompileError ? Standing::Undecided : Standing::Bad;
}

Outcome judge(Verdict verdict, std::optional<Verdict> expected) {
  Verdict wanted = expected.value_or(Verdict::Pass);
  if (verdict == wanted) return wanted == Verdict::Pass ? Outcome::Ok : Outcome::Expected;
  if (saysNothing(verdict)) return Outcome::Undecided;
  return verdict == Verdict::Pass ? Outcome::Fixed : Outcome::Regressed;
}

} // namespace harness

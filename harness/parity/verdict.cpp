#include "harness/parity/verdict.h"

#include <algorithm>
#include <array>
#include <utility>

namespace harness {

namespace {

template <typename Enum, std::size_t N> using Names = std::array<std::pair<Enum, std::string_view>, N>;

constexpr Names<Verdict, 14> kVerdicts = {{{Verdict::Fault, "fault"},
                                           {Verdict::Mismatch, "mismatch"},
                                           {Verdict::Flaky, "flaky"},
                                           {Verdict::ScheduleDependent, "schedule-dependent"},
                                           {Verdict::Hazard, "hazard"},
                                           {Verdict::Approximate, "approximate"},
                                           {Verdict::Timeout, "timeout"},
                                           {Verdict::Ice, "ice"},
                                           {Verdict::IllegalEncoding, "illegal-encoding"},
                                           {Verdict::CompileError, "compile-error"},
                                           {Verdict::InfraError, "infra-error"},
                                           {Verdict::Unsupported, "unsupported"},
                                           {Verdict::Skipped, "skipped"},
                                           {Verdict::Pass, "pass"}}};

constexpr Names<Blame, 6> kBlames = {{{Blame::FrontEnd, "front-end"},
                                      {Blame::Ptxas, "ptxas"},
                                      {Blame::Source, "source"},
                                      {Blame::HardwareOrExecutor, "hardware-or-executor"},
                                      {Blame::Unknown, "unknown"},
                                      {Blame::None, "none"}}};

constexpr Names<Outcome, 5> kOutcomes = {{{Outcome::Ok, "ok"},
                                          {Outcome::Expected, "expected"},
                                          {Outcome::Fixed, "fixed"},
                                          {Outcome::Regressed, "regressed"},
                                          {Outcome::Undecided, "undecided"}}};

template <typename Enum, std::size_t N> std::string_view nameOf(const Names<Enum, N>& names, Enum value) {
  for (const auto& [item, name] : names)
    if (item == value) return name;
  return "?";
}

template <typename Enum, std::size_t N>
std::optional<Enum> valueOf(const Names<Enum, N>& names, std::string_view text) {
  for (const auto& [item, name] : names)
    if (name == text) return item;
  return std::nullopt;
}

} // namespace

std::string_view toString(Verdict verdict) {
  return nameOf(kVerdicts, verdict);
}
std::string_view toString(Blame blame) {
  return nameOf(kBlames, blame);
}
std::string_view toString(Outcome outcome) {
  return nameOf(kOutcomes, outcome);
}
std::optional<Verdict> parseVerdict(std::string_view name) {
  return valueOf(kVerdicts, name);
}
std::optional<Blame> parseBlame(std::string_view name) {
  return valueOf(kBlames, name);
}
std::optional<Outcome> parseOutcome(std::string_view name) {
  return valueOf(kOutcomes, name);
}

Verdict worst(Verdict a, Verdict b) {
  return std::min(a, b);
}

Outcome judge(Verdict verdict, std::optional<Verdict> expected) {
  Verdict wanted = expected.value_or(Verdict::Pass);
  if (verdict == wanted) return wanted == Verdict::Pass ? Outcome::Ok : Outcome::Expected;
  switch (verdict) {
  case Verdict::Pass: return Outcome::Fixed;
  case Verdict::InfraError:
  case Verdict::Unsupported:
  case Verdict::Skipped: return Outcome::Undecided;
  default: return Outcome::Regressed;
  }
}

} // namespace harness

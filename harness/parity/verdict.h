#pragma once

#include <optional>
#include <string_view>

namespace harness {

/// Worst first: a cell's verdict is the smallest. README, "Reading a verdict", says what each means.
enum class Verdict {
  Fault,
  Mismatch,
  Flaky,
  ScheduleDependent,
  Hazard,
  Approximate,
  Timeout,
  Ice,
  IllegalEncoding,
  CompileError,
  InfraError,
  Unsupported,
  Skipped,
  Pass,
};
/// Whose fault it is; None: there is none.
enum class Blame { FrontEnd, Ptxas, Source, HardwareOrExecutor, Unknown, None };
/// How a verdict stands to what the manifest expects.
enum class Outcome { Ok, Expected, Fixed, Regressed, Undecided };

std::string_view toString(Verdict verdict); ///< "mismatch", "schedule-dependent" …
std::string_view toString(Blame blame);     ///< "front-end", "hardware-or-executor" …
std::string_view toString(Outcome outcome); ///< "ok", "regressed" …
/// What toString gives; nothing for any other text.
std::optional<Verdict> parseVerdict(std::string_view name);
std::optional<Blame> parseBlame(std::string_view name);
std::optional<Outcome> parseOutcome(std::string_view name);

/// The worse of the two.
Verdict worst(Verdict a, Verdict b);

/// What a verdict says of the compilers, to someone who asks whether the code is right. Undecided: nothing,
/// or that the source was refused.
enum class Standing { Good, Bad, Undecided };
Standing standingOf(Verdict verdict);
std::string_view toString(Standing standing); ///< "good", "bad", "undecided"

/// How a verdict stands to what was expected: `expected` defaults to Pass.
Outcome judge(Verdict verdict, std::optional<Verdict> expected);

} // namespace harness

#pragma once

#include "harness/base/version.h"
#include "harness/parity/verdict.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// One cell of a case, as last judged, and the builds that made it.
struct GuardCell {
  std::string toolchain;
  Version frontEnd, ptxas; ///< builds; NVRTC's may be lower than that of its release's ptxas
  std::string arch, opt;
  Verdict verdict = Verdict::Pass;
  Blame blame = Blame::None;
};

/// Neighbouring builds on which a case is bad, all compared with the front end's build.
struct GuardRange {
  Version from; ///< the first bad one
  Version end;  ///< the first good one, or, `endIncluded`, the last bad one
  bool endIncluded = false;
  bool unlimited = false; ///< no end: nothing newer is good, and the user asked for it
  std::string lastGood;   ///< toolchains; the one before `from`, empty: nothing older was good
  std::string firstBad, lastBad;
  std::string firstGood; ///< empty: nothing newer was good

  bool contains(const Version& build) const;
  bool operator==(const GuardRange& other) const = default;
};

/// Architectures with one history. `archs` are those that were measured.
struct GuardRule {
  std::vector<std::string> archs;
  std::vector<GuardRange> ranges;
};

/// What is to be kept from compiling a case.
struct Guard {
  std::string caseId;
  std::vector<GuardRule> rules;        ///< none: nothing is to be guarded
  std::vector<std::string> archs;      ///< all that were measured, in order
  std::vector<std::string> toolchains; ///< the same
  std::vector<std::string> badLevels;  ///< points of the options axis that are bad somewhere
  std::vector<std::string> goodLevels; ///< those that are right where others are bad
  std::vector<std::string> unmeasured; ///< releases inside a range that were not measured
  std::vector<std::string> exceptions; ///< sentences: where the rules cannot do what was measured
  bool sourceAtFault = false;          ///< something was wrong that is the source's own fault
  std::size_t badCells = 0,
              unblamedCells = 0; ///< wrong ones, and those of them that no compiler is blamed for

  bool selects(const Version& frontEnd, std::string_view arch) const;
};

struct GuardOptions {
  std::vector<Version> releases; ///< known to exist, measured or not
  /// Where nothing newer than the last bad build is good, all newer ones are guarded too.
  bool unlimited = false;
};

/// Finds the ranges of bad builds, architecture by architecture. A range goes from the first bad build up to,
/// but without, the first good one: what lies between was not measured. A build is bad for an architecture if
/// it is so at any level, good if it is right at one of the levels that are bad anywhere. Swapped pairs
/// do not count, an NVRTC twin does only where its release was not measured with its own compiler; neither
/// does what is the source's own fault, an executor's, or cannot be told (approximate). Cells may come in any
/// order.
Guard findGuard(std::string caseId, const std::vector<GuardCell>& cells, const GuardOptions& options);

} // namespace harness

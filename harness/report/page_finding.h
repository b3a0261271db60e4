#pragma once

#include "harness/report/groups.h"
#include "harness/store/store.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// What rows do not say of a cell. Empty where it is not known.
struct CellEvidence {
  std::string title;                 ///< of the case
  std::vector<std::string> commands; ///< of both compilers
  std::string log;                   ///< what they printed
  std::string explanation;           ///< `harness explain`
  std::string noExplanation;         ///< why there is none, in words
};

/// Where it is got; `explain`: with an explanation, if it can be had.
using EvidenceSource = std::function<CellEvidence(const QueryRow& cell, bool explain)>;

/// A wrong byte.
struct PageDifference {
  std::uint64_t offset = 0;
  unsigned expected = 0, actual = 0;
};

/// An output of the cell that is shown.
struct PageBuffer {
  std::string name, pattern;
  std::uint64_t bytes = 0, bad = 0, record = 0; ///< record: 0 = none
  std::vector<std::uint64_t> histogram;         ///< wrong bytes by offset in the record
  std::vector<PageDifference> first;
};

/// The same thing found in some cells of one case on one toolchain, and one of these cells closely.
struct PageFinding {
  std::string anchor; ///< its id on the page
  std::string toolchain;
  Outcome outcome = Outcome::Ok;
  Verdict verdict = Verdict::Pass;
  Blame blame = Blame::None;
  std::string expectedBlame; ///< if another is blamed than expected
  std::size_t cells = 0;
  std::string where;   ///< "all 18 × O0–O3"
  std::string found;   ///< one line over all cells
  std::string why;     ///< what the case says of it, where it is expected
  std::string shown;   ///< the cell that what follows is about, as `case@toolchain/arch/opt`
  std::string because; ///< of the blame
  std::vector<std::pair<std::string, std::string>>
      tried; ///< to find out who is to blame: what, and the result
  std::string message;
  std::vector<std::string> notes; ///< observed, undefined
  std::vector<PageBuffer> buffers;
  std::vector<std::string> paste; ///< commands to go on with
  CellEvidence evidence;
};

/// Of rows of one case and toolchain (at least one) that agree. `passing`: a cell of the case that passes, to
/// compare with; null if there is none. `databaseArgument` follows commands that read the database.
PageFinding describeFinding(std::span<const QueryRow* const> rows, const ArchAxis& axis,
                            const QueryRow* passing, const std::string& databaseArgument);

/// Which of these rows is looked at closely: the last at O3, else the last.
const QueryRow& representative(std::span<const QueryRow* const> rows);

/// Splits rows of one case and toolchain into those that show the same: verdict, outcome, blame, and the
/// message, pattern and place but for the numbers in them. What is as expected and passes is left out. The
/// most alarming first.
std::vector<std::vector<const QueryRow*>> groupFindings(std::span<const QueryRow* const> rows);

/// "all 18 × O0–O3; sm_90 × G": where cells are, on both axes. At most `most` parts, "… and 3 more" after
/// them.
std::string describePlaces(std::span<const QueryRow* const> rows, const ArchAxis& axis, std::size_t most);

} // namespace harness

#pragma once

#include "harness/report/changes.h"
#include "harness/report/page_finding.h"
#include "harness/store/store.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace harness {

/// What the page for the morning after a run shows. The markup is made of it elsewhere.
struct Page {
  struct Total {
    Outcome outcome = Outcome::Ok;
    std::size_t cells = 0;
  };
  struct Changed {
    ChangeKind change = ChangeKind::Other;
    std::string caseId, toolchain, where, verdict, found;
    Outcome outcome = Outcome::Ok;
    Blame blame = Blame::None;
    std::string anchor; ///< of the finding; empty = none
  };
  /// Some cells of a field that stand alike.
  struct Part {
    Outcome outcome = Outcome::Ok;
    Verdict verdict = Verdict::Pass;
    Blame blame = Blame::None;
    std::string where; ///< empty: all cells of the field, or all others
    std::size_t cells = 0;
    std::string anchor; ///< of the finding; empty = none
  };
  /// How a case stands on a toolchain: the most alarming part first; empty = not judged.
  struct Field {
    std::vector<Part> parts;
  };
  struct Line {
    std::string caseId;
    std::vector<Field> fields; ///< one a toolchain
  };
  /// A case of which every cell is as a case without a fault should be.
  struct Clean {
    std::string caseId;
    std::size_t passed = 0, skipped = 0;
  };
  struct Case {
    std::string caseId, title;
    std::vector<PageFinding> findings;
  };

  RunRecord run;
  std::optional<RunRecord> before;
  std::string headline, work, totalsInWords, archLegend;
  std::vector<Total> totals; ///< the most alarming first
  std::string changes;       ///< "4 regressed, 12 fixed"
  std::vector<Changed> changed;
  std::vector<std::string> quietChanges;
  std::vector<std::string> toolchains;
  std::vector<Line> lines;
  std::vector<Clean> clean;
  std::vector<std::string> blameDifferences;
  std::vector<Case> cases; ///< those with findings, the most alarming first
};

/// What a page is made of. The rows outlive it.
struct PageInput {
  RunRecord run;
  std::optional<RunRecord> before; ///< the run before it
  const std::vector<QueryRow>& rows;
  const std::vector<QueryRow>& changed; ///< query with `changed`
  std::size_t explanations = 0; ///< at most; what regressed first, and every case before any case again
  std::string databaseArgument; ///< follows commands that read the database: " --db FILE"
};

/// Orders, sums up and words it; asks `evidence` for every finding, explained for at most `explanations`.
Page makePage(const PageInput& input, const EvidenceSource& evidence);

} // namespace harness

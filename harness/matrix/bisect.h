#pragma once

#include "harness/base/version.h"
#include "harness/matrix/cell.h"
#include "harness/matrix/cell_finding.h"
#include "harness/matrix/manifest.h"
#include "harness/parity/verdict.h"
#include "harness/store/store.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// What was found of a cell, and whether it had to be found out.
struct JudgedCell {
  CellName cell;
  Verdict verdict = Verdict::Skipped;
  bool known = false;                 ///< the database had it, and nothing has changed since
  Standing ptx = Standing::Undecided; ///< of its PTX by itself
  std::string reason;                 ///< of an undecided one: why

  Standing standing() const { return standingOf(verdict); }
};

/// Where findings come from.
class CellSource {
public:
  virtual ~CellSource() = default;
  /// What is known without judging; nothing if it is not, or no longer true.
  virtual std::optional<CellFinding> known(const CellName& cell) = 0;
  /// Judges cells, none of which is known, and gives what was found of each, in order.
  virtual std::vector<CellFinding> judge(const std::vector<CellName>& cells) = 0;
};

/// True for an architecture that machine code is executed for: sm_75 and later.
bool isExecutableArch(std::string_view arch);

/// A toolchain as a point of the axis.
struct AxisPoint {
  std::string name;
  Version build;                  ///< of ptxas
  std::vector<std::string> archs; ///< that its ptxas knows, and that are executable
};

/// The toolchains to look at, by the build of ptxas.
struct Axis {
  std::vector<AxisPoint> installed;
  std::vector<std::string> installable; ///< names that could be installed, in order
};

/// One architecture and option: the line along which the toolchains are compared.
struct Place {
  enum class Origin {
    Given,    ///< the user named both
    Known,    ///< the database has a fault there
    Expected, ///< the manifest expects one there
    Default,  ///< none of these
  };
  std::string arch, opt;
  Origin origin = Origin::Default;
};

/// The place that tells most of a case: of those where a fault is known, else expected, the one whose
/// architecture is known to the most toolchains of the axis; of equal ones level O3. `arch` and `opt` are
/// the user's wish, or empty.
Place choosePlace(const CaseManifest& manifest, const Axis& axis, const std::vector<StandingRow>& standings,
                  const std::string& arch, const std::string& opt);

/// Where the fault lies that came or went with the step from one toolchain to the next. A front end is named
/// only where its PTX is wrong by itself, as executed: of PTX that is right, what ptxas makes wrong is the
/// fault of ptxas, with whichever toolchain's.
enum class Stage {
  Ptxas,    ///< right PTX is wrong with the bad ptxas
  FrontEnd, ///< the PTX of the bad one is wrong, with the good ptxas too
  Either,   ///< both of these
  Together, ///< the PTX of the bad one is wrong, and it takes the ptxas of the bad one to see it
  Unknown,  ///< what would tell is undecided
};
std::string_view toString(Stage stage); ///< "ptxas", "front-end", "either", "together", "unknown"

/// Two neighbours in the history that differ.
struct Change {
  JudgedCell before, after;
  Stage stage = Stage::Unknown;
  /// The good ptxas is wrong too on the right PTX of the bad one: what is good is so only because its front
  /// end writes other PTX, and nothing was repaired.
  bool avoided = false;
  std::vector<JudgedCell> swaps;        ///< the pairs that decide the stage; none for a source that is PTX
  std::vector<std::string> undecided;   ///< toolchains between them that were judged and say nothing
  std::vector<std::string> installable; ///< toolchains between them that are not installed

  bool turnsBad() const { return after.standing() == Standing::Bad; }
  const JudgedCell& good() const { return turnsBad() ? before : after; }
  const JudgedCell& bad() const { return turnsBad() ? after : before; }
};

/// One toolchain of the history; `verdict` is nothing where it was not judged, because its neighbours agree.
struct HistoryPoint {
  std::string toolchain;
  std::optional<JudgedCell> cell;
};

/// All that was found out about a case.
struct Bisection {
  std::string caseId;
  Place place;
  std::vector<HistoryPoint> history; ///< in the order of the axis
  std::vector<Change> changes;       ///< in that order
  std::vector<JudgedCell> levels;    ///< of the first bad toolchain (of the last time it went bad)
  std::vector<JudgedCell> archs;     ///< of the last bad toolchain
  std::vector<std::string> older;    ///< installable toolchains older than the first decided point
  std::size_t known = 0, judged = 0; ///< cells of both kinds that all this rests on

  bool anyGood() const { return any(Standing::Good); }
  bool anyBad() const { return any(Standing::Bad); }
  /// It went good or bad more than once in a direction.
  bool monotone() const { return changes.size() < 2 || (changes.size() == 2 && changes[0].turnsBad()); }

private:
  bool any(Standing standing) const;
};

/// Finds where along `axis` the case goes bad and good, what stage brought it, and which levels and
/// architectures are concerned. Between two toolchains that differ it halves; where all that is known agrees,
/// or with `everywhere`, it judges every toolchain. One that says nothing (skipped, unsupported, refused) is
/// stepped over.
Bisection bisect(const CaseManifest& manifest, const Axis& axis, const Place& place, bool everywhere,
                 CellSource& cells);

} // namespace harness

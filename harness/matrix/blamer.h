#pragma once

#include "harness/matrix/blame.h"
#include "harness/matrix/build_judge.h"
#include "harness/matrix/builder.h"
#include "harness/matrix/launcher.h"
#include "harness/matrix/trials.h"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace harness {

/// Finds out who is at fault where judged builds are wrong, by compiling and executing others if need be:
/// like all else, once, and then remembered.
class Blamer {
public:
  /// `installed`: what may be tried. All must outlive it.
  Blamer(Builder& builder, Launcher& launcher, const BuildJudge& judge, ArtifactCache& cache,
         const std::vector<Toolchain>& installed)
      : builder_(builder), launcher_(launcher), judge_(judge), cache_(cache), installed_(installed) {}

  /// Writes blame, and into the details why, into the verdicts of `builds`: those that are judged together,
  /// of one arch.
  ///   {"blame": {"because": "right from the same PTX with 13.1.80", "tried": {"13.0.88 at O0": "as wrong",
  ///   …}}}
  void blame(const Builds& builds);

  /// All that were built beside `builds`.
  const std::deque<Build>& trials() const { return trials_; }

private:
  struct Question;

  void blameCompiler(Build& build) const;
  void blameFromTrials(const Builds& builds);
  void blameDevice(Build& build, std::size_t shape) const;
  BlameFacts factsOf(Build& build, std::size_t shape) const;
  std::vector<std::vector<TrialBuild>> candidates(const Build& build, const Suspicion& suspicion) const;
  void ask(std::vector<Question>& questions, Suspicion::Evidence needed);
  Build& buildOf(const Question& question, const TrialBuild& trial, bool& isNew);
  Trial::Result resultOf(const Question& question, Build& trial) const;
  bool wroteTheSame(const Image& one, const Image& other, std::size_t shape) const;
  bool races(const Build& build, std::size_t shape) const;

  Builder& builder_;
  Launcher& launcher_;
  const BuildJudge& judge_;
  ArtifactCache& cache_;
  const std::vector<Toolchain>& installed_;
  std::map<std::string, Build*> known_; ///< by all that makes a build
  std::deque<Build> trials_;
  std::deque<PlannedCell> cells_;    ///< of the trials
  std::deque<Toolchain> toolchains_; ///< of the cells
};

} // namespace harness

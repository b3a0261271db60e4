#pragma once

#include "harness/matrix/build.h"
#include "harness/matrix/launcher.h"
#include "harness/store/store.h"

#include <cstddef>

namespace harness {

/// Judges what was executed. Says nothing of blame and outcome.
class BuildJudge {
public:
  explicit BuildJudge(Launcher& launcher) : launcher_(launcher) {}

  /// Fills in the build's verdicts.
  void judge(Build& build) const;
  /// What was executed of an image on a shape, compared with what is expected.
  VerdictRecord judgeImage(const Build& build, const Image& image, std::size_t shape) const;

private:
  VerdictRecord judgeMachineCode(const Build& build, std::size_t shape) const;
  VerdictRecord judgeDevice(const Build& build, std::size_t shape) const;
  VerdictRecord judgePtx(const Build& build, std::size_t shape) const;

  Launcher& launcher_;
};

} // namespace harness

#pragma once

#include "harness/sass/op.h"

#include <cstdint>

namespace harness::sass {

/// Finds out that the running path waits in a loop for what another path or warp must do. Depth first it
/// would wait for ever; on hardware (sm_70 and later) every thread makes progress, so such a path must let
/// others go first.
///
/// A path spins if it has run for long and then comes back to where it was with every register and predicate
/// as before: without a change from outside it will do so for ever. A path that sleeps (NANOSLEEP) is
/// believed without that, and one that has run for very long is not believed any more. A path that only
/// computes is left alone, so the order of the paths stays that of the schedule.
class Patience {
public:
  /// A path begins to run. `tried`: all paths of the warp were found to spin, and none has got anywhere
  /// since.
  void begin(bool tried) {
    ran_ = 0;
    lookAt_ = tried ? kTried : kFirst;
    watching_ = false;
  }
  /// Instructions that may pass before the next question.
  std::uint64_t left() const { return watching_ ? kWatched : lookAt_ - ran_; }
  /// Asked after `count` more instructions, mostly at a branch.
  bool spins(const Warp& warp, std::uint64_t count) {
    ran_ += count;
    return ran_ >= lookAt_ && look(warp);
  }

  // Warp instructions.
  static constexpr std::uint64_t kFirst = 10'000;
  static constexpr std::uint64_t kTried = 500;
  static constexpr std::uint64_t kWatched = 2'000; ///< a round of the longest loop that is recognised
  static constexpr std::uint64_t kLongest = std::uint64_t{1} << 20;

private:
  bool look(const Warp& warp);

  std::uint64_t ran_ = 0, lookAt_ = kFirst, longest_ = kLongest;
  bool watching_ = false;
  // What is watched for.
  std::uint64_t until_ = 0, pc_ = 0, state_ = 0;
  LaneMask active_ = 0;
};

} // namespace harness::sass

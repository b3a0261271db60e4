#pragma once

#include "harness/explain/alignment.h"
#include "harness/explain/history.h"

#include <optional>
#include <string>
#include <vector>

namespace harness::explain {

/// How a value that a SASS step reads compares with PTX.
struct Input {
  enum class Status : std::uint8_t {
    Same,      ///< PTX computed it too: `match`
    Given,     ///< a constant, a parameter, memory as it was: the same for both (a constant that is handed
               ///< on as it is to where it is wrong is Different)
    Different, ///< PTX has no such value: what made it is in the region
    Undecided, ///< a predicate, or what a store of a part wrote: not to be told by its bits
  };
  ValueRef read;
  Status status = Status::Given;
  std::optional<Match> match;
  Origin origin;
};

/// A SASS step that a wrong value goes through.
struct RegionStep {
  StepRef step;
  std::vector<Input> inputs;
  /// PTX has all that it reads.
  bool first = false;
};

/// From a wrong value back to where all that SASS computes with is what PTX computed too.
struct Region {
  std::vector<RegionStep> steps; ///< the earliest first; the last one is where the search began
  std::vector<StepRef> deciders; ///< steps that wrote predicates which choose among the values
  bool complete = true;          ///< false: given up after too many steps

  /// From the wrong value back, the first step whose inputs PTX has, while it has not its result; null if
  /// there is none. (Where several ways lead back, others may end further up: at what ptxas computes by the
  /// way.)
  const RegionStep* first() const;
};

/// Walks back from some bytes of one value that `root` reads, and from what they are made of, as far as that
/// is known; from all data that it reads, if that is not given.
Region findRegion(History& sass, History& ptx, Alignment& alignment, StepRef root,
                  std::optional<ValueRef> wrong, Bytes bytes = kWholeWord);
/// From what decides whether it is executed, or where its memory access goes.
Region findRegion(History& sass, History& ptx, Alignment& alignment, StepRef root, TraceRole role);

/// The PTX steps that made a value, back to `frontier` (steps that are known to be the same on both sides) or
/// to `limit` steps; the earliest first.
std::vector<StepRef> ptxSlice(History& ptx, StepRef root, std::optional<ValueRef> value,
                              const std::vector<StepRef>& frontier, std::size_t limit);

} // namespace harness::explain

#pragma once

#include "harness/explain/history.h"
#include "harness/explain/parting.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace harness::explain {

/// That a thread of SASS goes round a loop less or more often than that of PTX: it stores what PTX has after
/// an earlier round, or goes on with what PTX has after the last one.
struct Rounds {
  StepRef last;                       ///< of PTX: the step of its last round that makes the right value
  std::uint32_t ptx = 0;              ///< its rounds
  std::optional<std::uint32_t> sass;  ///< those of SASS; nothing: more than PTX
  std::optional<StepRef> ptxDecision; ///< the branch by which PTX stays in the loop, or leaves it
  std::vector<std::uint32_t> lines;   ///< of PTX, that the loop consists of; sorted
};

/// From the region of a wrong value that is stored, and the value that PTX stores in its place. Nothing if
/// the values do not show it, or the line table is missing.
std::optional<Rounds> findRounds(History& sass, History& ptx, const Region& region, const ValueRef& right);

/// The earliest decision of SASS in that loop, before `end`, that rests on a value which PTX does not have or
/// is another than PTX takes: what leads to it. Nothing if there is none among the first thousands.
std::optional<Region> findStrangeDecision(History& sass, History& ptx, Alignment& alignment,
                                          const Rounds& rounds, StepRef end);

} // namespace harness::explain

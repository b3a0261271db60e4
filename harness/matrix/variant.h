#pragma once

#include "harness/parity/compare.h"
#include "harness/simt/launch.h"

#include <cstddef>
#include <cstdint>

namespace harness {

/// One way in which a shape of a case is executed.
struct Variant {
  enum class Purpose {
    Answer,        ///< its outputs are the answer that is judged
    Order,         ///< the paths of diverged warps in another order
    Approximation, ///< results known to within an ulp only, moved by −1, 0 or +1 ulp
    Unwritten,     ///< looks for what a wrong answer has of things that nobody wrote
  };
  Purpose purpose = Purpose::Answer;
  std::size_t poison = 0; ///< index into kPoison
  Schedule schedule = Schedule::FallThroughFirst;
  std::uint64_t seed = 0; ///< of the random schedule, or of the approximations; 0 = none
};

/// All of them. Those that are no answers are executed only where an answer's execution met something that
/// they would change.
inline constexpr Variant kVariants[] = {
    {Variant::Purpose::Answer, 0, Schedule::FallThroughFirst, 0},
    {Variant::Purpose::Answer, 1, Schedule::FallThroughFirst, 0},
    {Variant::Purpose::Order, 0, Schedule::TakenFirst, 0},
    {Variant::Purpose::Order, 0, Schedule::LowestPcFirst, 0},
    {Variant::Purpose::Order, 0, Schedule::Random, 1},
    {Variant::Purpose::Approximation, 0, Schedule::FallThroughFirst, 1},
    {Variant::Purpose::Approximation, 0, Schedule::FallThroughFirst, 2},
    {Variant::Purpose::Approximation, 0, Schedule::FallThroughFirst, 3},
    {Variant::Purpose::Approximation, 0, Schedule::FallThroughFirst, 4},
    {Variant::Purpose::Approximation, 0, Schedule::FallThroughFirst, 5},
    {Variant::Purpose::Approximation, 0, Schedule::FallThroughFirst, 6},
    {Variant::Purpose::Approximation, 0, Schedule::FallThroughFirst, 7},
    {Variant::Purpose::Approximation, 0, Schedule::FallThroughFirst, 8},
    {Variant::Purpose::Unwritten, 0, Schedule::FallThroughFirst, 0},
};
inline constexpr std::size_t kVariantCount = std::size(kVariants);
inline constexpr std::size_t kPoisons = std::size(kPoison);

} // namespace harness

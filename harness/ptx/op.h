#pragma once

#include "harness/ptx/type.h"

#include <array>
#include <bit>
#include <cstdint>

namespace harness::ptx {

inline constexpr unsigned kLanes = 32;
using LaneMask = std::uint32_t;
inline constexpr LaneMask kAllLanes = ~LaneMask{0};
constexpr LaneMask laneBit(unsigned lane) {
  return LaneMask{1} << lane;
}

/// One value a lane: a register of up to 64 bits, zero-extended. (A .b128 register is two of them, lower half
/// first.)
struct alignas(64) Lanes {
  std::uint64_t v[kLanes];
};

struct Op;
struct Warp;
/// Executes `op` for the lanes of `mask` (already guarded, never empty).
using OpFunction = void (*)(Warp& warp, const Op& op, LaneMask mask);

/// A register of a function's frame: a place in Frame::registers, or in Frame::predicates.
using Slot = std::uint32_t;

/// Where a value comes from.
struct Source {
  enum class Kind : std::uint8_t {
    Register, ///< index = slot in the frame
    Constant, ///< index in Code::constants: numbers and addresses
    Special,  ///< index = Special
    Stack,    ///< index = offset of a local variable in the frame: the value is its address in local memory
  };
  Kind kind = Kind::Constant;
  std::uint32_t index = 0;
};

struct Destination {
  Slot slot = 0;          ///< a frame has slots for what goes to the sink `_`
  std::uint8_t bits = 32; ///< of the register
};

struct PredicateSource {
  Slot slot = 0;
  bool negated = false;
  bool always = true; ///< no predicate: true (negated: false)
};

/// State spaces as memory instructions address them.
enum class AddressSpace : std::uint8_t { Generic, Global, Const, Shared, Local, Param };

/// [base + offset]
struct Address {
  AddressSpace space = AddressSpace::Generic;
  Source base;
  std::int64_t offset = 0;
};

/// How lanes must come together before an instruction is executed.
enum class Together : std::uint8_t {
  No,
  Members, ///< all live lanes of the member mask in `members` are at this instruction
  Barrier, ///< the barrier src[0] of the block has opened; src[1], if it is there: how many threads it takes.
           ///< psrc[0] is what they vote.
  Cluster, ///< the cluster's barrier has opened at which they arrived before
};

/// Where control goes after an instruction.
enum class Flow : std::uint8_t {
  Next,
  Branch,  ///< to Op::target, or on if it is guarded
  Indexed, ///< to one of the table Op::target
  End,     ///< nowhere (ret, exit, trap), or on if it is guarded
};

inline constexpr unsigned kOperands = 8; ///< sources or destinations of an instruction at most (.v8)

/// One instruction, its operands looked up once. What an operand list of the opcode means is the opcode's
/// own.
struct Op {
  OpFunction run = nullptr;
  PredicateSource guard;
  std::uint8_t sources = 0, destinations = 0; ///< how many of src and dst are used
  std::array<Source, kOperands> src{};
  std::array<Destination, kOperands> dst{};
  PredicateSource psrc[2];
  Slot pdst[2] = {0, 0};
  std::uint8_t predicateDestinations = 0;
  Address address;
  Address second; ///< of instructions with two or three addresses
  Address third;
  std::uint32_t option[4] = {}; ///< the opcode's own
  std::uint32_t target = 0;     ///< of a branch: index into Code::ops; else into Code::tables or calls
  std::uint32_t join = 0;       ///< of a branch: where its sides meet again (Code::kNowhere: they do not)
  Flow flow = Flow::Next;
  Together together = Together::No;
  Source members;       ///< the member mask
  bool aligned = false; ///< of a barrier: all live lanes of a warp come to the same instruction
  std::uint32_t moreBegin = 0, moreEnd = 0; ///< sources beyond `src`: in Code::moreSources
  /// Frame places that are read and written, for the watch on values that nobody wrote: in Code::places. A
  /// predicate's place is its slot + the function's registers.
  std::uint32_t readsBegin = 0, readsEnd = 0, writesBegin = 0, writesEnd = 0;
  /// A value that nobody wrote must not reach this instruction (it writes memory, or is a branch …).
  bool needsDefined = false;
};

} // namespace harness::ptx

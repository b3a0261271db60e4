#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace harness::sass {

inline constexpr unsigned kLanes = 32;
using LaneMask = std::uint32_t;
inline constexpr LaneMask kAllLanes = ~LaneMask{0};
constexpr LaneMask laneBit(unsigned lane) {
  return LaneMask{1} << lane;
}
/// One 32-bit value a lane.
struct alignas(64) Lanes {
  std::uint32_t v[kLanes];
};

struct Op;
class MmaOperation;
struct Warp;
/// Executes `op` for the lanes of `mask` (already guarded, never empty).
using OpFunction = void (*)(Warp& warp, const Op& op, LaneMask mask);

/// What is done to a source value before the operation sees it.
enum class Transform : std::uint8_t {
  None,
  IntNegate,
  IntNot,
  FloatNegate, ///< flip the sign bit of an f32, or of the upper word of an f64
  FloatAbs,
  FloatNegateAbs,
};

/// Where the lanes of a source lie, found once when a program is decoded. A copy does not have it: whoever
/// changes a source works on a copy.
struct SourcePlace {
  enum Table : std::uint8_t {
    Registers, ///< slot = register
    Numbers,   ///< slot in Numbers of the program: immediates and RZ
    Uniforms,  ///< slot = uniform register
    Constants, ///< slot in the constants of the program; in a launch one may be unknown
    Elsewhere, ///< is fetched by Source::kind
  };
  Table table = Elsewhere;
  std::uint16_t slot = 0;

  SourcePlace() = default;
  SourcePlace(const SourcePlace&) {}
  SourcePlace& operator=(const SourcePlace&) {
    table = Elsewhere;
    return *this;
  }
  void set(Table newTable, std::size_t newSlot) {
    table = newTable;
    slot = static_cast<std::uint16_t>(newSlot);
  }
};

/// Where a 32-bit or 64-bit source comes from. A 64-bit register source is the pair index, index+1.
struct Source {
  enum class Kind : std::uint8_t { Immediate, Register, Uniform, Constant, ConstantIndexed };
  Kind kind = Kind::Immediate;
  Transform transform = Transform::None;
  std::uint8_t index = 0; ///< register or uniform register; the index register of ConstantIndexed
  std::uint8_t bank = 0;
  bool uniformIndex = false;   ///< ConstantIndexed: the index is a uniform register
  std::uint32_t offset = 0;    ///< bytes, of constants
  std::uint64_t immediate = 0; ///< already in the width of the slot
  SourcePlace place;
};

struct PredicateSource {
  std::uint8_t index = 7;
  bool uniform = false;
  bool negated = false;
};

/// A register destination: 255 = none.
struct Destination {
  std::uint8_t index = 255;
  bool uniform = false;
};

/// A predicate destination: 7 = none.
struct PredicateDestination {
  std::uint8_t index = 7;
  bool uniform = false;
};

/// [base + uniform + offset]
struct Address {
  std::uint8_t base = 255;
  std::uint8_t uniform = 255;
  bool base64 = false;
  bool uniform64 = false;
  std::uint8_t scale = 0; ///< log2 of what the base is multiplied by (.X4 = 2)
  std::int64_t offset = 0;
};

/// One instruction, its operands decoded once.
struct Op {
  OpFunction run = nullptr;
  PredicateSource guard;
  bool uniform = false; ///< executed once a warp, whatever lanes are active
  Destination dst;
  PredicateDestination pdst[2];
  Source src[4];
  PredicateSource psrc[3];
  std::uint32_t option[4] = {}; ///< the opcode's own
  Address address;
  const MmaOperation* mma = nullptr; ///< of a tensor-core instruction
  std::uint64_t target = 0;          ///< address in the code space
  std::uint32_t line = 0;            ///< index into the program's instructions
  std::uint32_t uniformsBefore = 0;  ///< instructions of the uniform datapath among those before it
};

} // namespace harness::sass

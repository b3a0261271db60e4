#pragma once

#include "harness/mma/format.h"

#include <array>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace harness::mma {

/// What is asked for does not exist, or no model of it. The text says what does.
class UnknownModel : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

enum class Instruction : std::uint8_t {
  MmaSync,
  Wgmma,
  Tcgen05,
  MmaSyncExpanded, ///< mma.sync that ptxas makes several instructions of
};
/// "mma.sync", "wgmma", "tcgen05", "mma.sync-expanded".
std::string_view toString(Instruction instruction);
/// Throws UnknownModel.
Instruction parseInstruction(std::string_view name);

enum class Rounding : std::uint8_t { TowardZero, NearestEven };

/// A fused step: an accumulator and up to `products` products are added at once, and rounded once.
struct Step {
  int products; ///< of one step; a sum along k is a chain of steps
  int fraction; ///< every term is cut, toward zero, to multiples of 2^(E − fraction), E the greatest exponent
  int floor;    ///< E is at least this
  int outFraction; ///< fraction bits of the result: 23 (f32), 13 (the upper bits of an f32), 10 (f16)
  Rounding rounding;
  bool operator==(const Step&) const = default;
};

enum class Arithmetic : std::uint8_t {
  Fused,         ///< a chain of steps
  ExpandedChain, ///< low = steps of k mod 4 < 2, high = steps of the others from low on, then a rounded sum
                 ///< with C
  ExpandedTree,  ///< low and high each from 0, a rounded sum of both, then one with C
  ScaledBlocks, ///< FP4: exact sums of 16 products, each with its scales; these and C are the terms of a step
  FmaChain,     ///< IEEE fused multiply-add, k after k
  Integers,     ///< exact; wraps, or is clamped once at the end
  Bits,         ///< population count of xor or and
};

/// How a row of the table is known.
enum class Status : std::uint8_t {
  Measured,         ///< hardware results that this project's tests check
  MeasuredByOthers, ///< others report a sweep of hardware without a mismatch
  ModelOnly,        ///< a published simulator says so
  Defined,          ///< by the PTX manual: nothing is left open
  Unverified,       ///< an assumption
};
/// "measured", "measured by others", "model only", "defined", "unverified".
std::string_view toString(Status status);

/// What is multiplied: the formats of A and B, and their scales.
struct Inputs {
  Format a, b;
  Scaling scaling = Scaling::None;
  auto operator<=>(const Inputs&) const = default;
};
/// "f16"; "e4m3*e5m2" where A and B differ; with scales "mx-e4m3" (kind::mxf8f6f4), "mxf4" and "nvf4" (E2M1
/// in k64 with UE8M0 per 32, UE4M3 per 16). Throws UnknownModel.
Inputs parseInputs(std::string_view name);
std::string toString(const Inputs& inputs);

struct Shape {
  int m, n, k;
  auto operator<=>(const Shape&) const = default;
};
/// "m16n8k16". Throws UnknownModel.
Shape parseShape(std::string_view name);
std::string toString(const Shape& shape);

/// A row of the table: what an instruction computes on an architecture.
struct Model {
  unsigned sm; ///< 80 for sm_80; others may share it (`alike`)
  Instruction instruction;
  std::vector<Format> formats; ///< A and B are any of these
  Scaling scaling;
  Format accumulator; ///< of D, and of C but for mma.sync's C in f32 with D in f16
  Arithmetic arithmetic;
  Step step;                 ///< where arithmetic has one; of the inner instruction if it is expanded
  std::vector<Shape> shapes; ///< wgmma, tcgen05: the largest n of each m and k; n is any multiple of 8
  Status status;
  std::string_view evidence;
  std::string_view open; ///< what is not known, and what would settle it; empty = nothing

  bool takes(const Inputs& inputs) const;
  /// True if the instruction exists in that shape.
  bool has(const Shape& shape) const;
  /// "sm_90/mma.sync/f16" with its first format, as the benchmarks are named; "/f16" for an f16 accumulator
  /// follows.
  std::string name() const;
};

/// The table.
std::span<const Model> models();

/// "sm_90", "sm_90a", "90", "hopper", "H100" … as the number 90. Throws UnknownModel.
unsigned parseArch(std::string_view name);
/// The architecture whose rows hold for this one: 80 for 86, 87 and 88; 100 for 103 and 110; 120 for 121.
unsigned tableArch(unsigned sm);

/// The row for these inputs and the format of D. Throws UnknownModel, which says what there is instead.
const Model& findModel(unsigned sm, Instruction instruction, const Inputs& inputs, Format accumulator);

} // namespace harness::mma

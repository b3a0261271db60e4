#pragma once

#include "harness/sass/listing.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace harness {

/// A register that ptxas allocates, as one number: `file` × kRegistersPerFile + index. RZ, PT and the like
/// are constants, not registers.
using RegisterId = std::uint16_t;

enum class NamedFile : std::uint8_t { General, Uniform, Predicate, UniformPredicate, Barrier };
inline constexpr unsigned kRegistersPerFile = 256, kRegisterIds = 5 * kRegistersPerFile;

RegisterId registerId(NamedFile file, unsigned index);
std::string registerName(RegisterId id); ///< "R4", "UP0"

/// What of an instruction is the same however its registers are named and its code is placed.
struct InstructionShape {
  std::string skeleton;              ///< the text, registers and branch target left blank, without `.reuse`
  std::string opcode;                ///< "IMAD.WIDE.U32"; empty for what nvdisasm refuses
  std::string operation;             ///< "IMAD"
  std::vector<RegisterId> registers; ///< in the order of the text
  std::optional<std::size_t> target; ///< the instruction that it branches to, of the same code
  std::optional<RegisterId> guard;   ///< its predicate
  bool guardInverted = false;
  bool isCall = false;
  bool goesOn = true;                    ///< to the instruction that follows
  std::vector<RegisterId> reads, writes; ///< as far as they are known; equal skeletons list them alike
};

/// `count`: instructions of the code that it belongs to.
InstructionShape shapeOf(const sass::ListedInstruction& instruction, std::size_t count);

} // namespace harness

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::sass {

enum class OperandKind {
  Register,         ///< R0…R254, RZ (index 255)
  UniformRegister,  ///< UR0…, URZ (index 255)
  Predicate,        ///< P0…P6, PT (index 7)
  UniformPredicate, ///< UP0…UP6, UPT (index 7)
  Number,           ///< integer or float as printed
  Constant,         ///< c[bank][offset], c[bank][R+offset]
  Memory,           ///< [R4.64+0x8], desc[UR4][R2.64+UR6+0x8]
  Special,          ///< SR_TID.X and the like
  Barrier,          ///< B0…B15
  Other,            ///< anything else, kept as text
};

inline constexpr unsigned kZeroRegister = 255;
inline constexpr unsigned kTruePredicate = 7;

/// One operand as printed, taken apart.
struct TextOperand {
  OperandKind kind = OperandKind::Other;
  unsigned index = 0;
  bool negated = false;                  ///< '-' before it, on a register or constant
  bool inverted = false;                 ///< '~' or '!' before it
  bool absolute = false;                 ///< |…|
  std::vector<std::string> suffixes;     ///< ".H0_H0" → "H0_H0"; `.reuse` is dropped
  std::int64_t number = 0;               ///< Number: integer value; Constant, Memory: byte offset
  bool isFloat = false;                  ///< Number was printed as a float: take its bits from the encoding
  unsigned bank = 0;                     ///< Constant
  std::optional<unsigned> base;          ///< Constant, Memory: register
  std::vector<std::string> baseSuffixes; ///< ".64", ".U32", ".X4" …
  std::optional<unsigned> uniform;       ///< Memory, Constant: uniform register added or descriptor-free base
  bool uniformBase64 = false;            ///< Memory: "[UR4.64…]" style suffix on the uniform register
  std::string text;                      ///< as printed
};

/// One instruction as printed, taken apart. What a part means is the opcode's business.
struct TextInstruction {
  std::optional<TextOperand> guard; ///< @P0, @!UP1
  std::string opcode;               ///< "IMAD"
  std::vector<std::string> modifiers;
  std::vector<TextOperand> operands;
};

/// Nothing if `text` has not the form of an instruction.
std::optional<TextInstruction> parseInstruction(std::string_view text);

} // namespace harness::sass

#pragma once

#include "harness/sass/op.h"
#include "harness/sass/text.h"

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace harness::sass {

/// Where an instruction stands and how it is encoded: what its text does not say.
struct Encoding {
  std::uint64_t low = 0, high = 0;
  unsigned sm = 0;                  ///< 75, 90, 120 …
  std::uint64_t address = 0;        ///< in the code space
  std::uint64_t sectionAddress = 0; ///< of the section it lies in: what printed targets count from
};

/// Turns a parsed instruction into an Op. An opcode's bind function takes modifiers and operands one by one;
/// whatever it leaves untaken, or asks for and does not find, makes the instruction `unsupported`.
class Binder {
public:
  Binder(const TextInstruction& text, const Encoding& encoding);

  const Encoding& encoding() const { return encoding_; }
  /// The whole instruction, for opcodes whose modifiers mean something together only.
  const TextInstruction& text() const { return text_; }

  // Modifiers, in any order.
  /// Takes `name` if it is there.
  bool take(std::string_view name);
  /// Takes modifiers that change no value.
  void ignore(std::initializer_list<std::string_view> names);
  /// Takes the first of `names` that is there and returns its place, or `otherwise`.
  unsigned choice(std::initializer_list<std::string_view> names, unsigned otherwise);
  /// Takes the next modifier in printed order, whatever it is; empty if there is none.
  std::string nextModifier();

  // Operands, in printed order. An instruction of the uniform datapath (op.uniform, to be set first) has only
  // uniform registers and predicates; any other writes only per-lane ones, except by uniformDestination().
  Destination destination();
  /// A pair of registers: even, and inside the register file.
  Destination destination64();
  /// A uniform register written by an instruction that lanes execute (R2UR, S2UR).
  Destination uniformDestination();
  PredicateDestination predicateDestination();
  /// A uniform predicate written by an instruction that lanes execute (VOTEU).
  PredicateDestination uniformPredicateDestination();
  PredicateSource predicate();
  /// A 32-bit integer: '-' negates, '~' inverts.
  Source integer();
  /// A 64-bit integer: a register pair, a constant, a sign-extended number.
  Source integer64();
  /// An f32: '-' flips the sign, |…| clears it; a number's bits come from the encoding.
  Source real();
  /// An f64: a number's upper word comes from the encoding.
  Source real64();
  /// A 32-bit register or constant of which the opcode sees a part (".H1", ".B2", ".H0_H0"), its signs and
  /// suffix taken off. The suffix is empty if there is none.
  struct Part {
    Source source;
    std::string suffix;
    bool negated = false, absolute = false;
  };
  Part part();
  /// A number that is part of the instruction (a LUT, a barrier).
  std::uint64_t number();
  Address address();
  /// An address in the code space.
  std::uint64_t target();
  unsigned barrier();
  /// The next operand as it was printed, taken whole.
  const TextOperand* any();
  /// The next operand, not taken; null at the end.
  const TextOperand* peek() const;
  bool peekPredicate() const;
  std::size_t operandsLeft() const { return text_.operands.size() - next_; }

  /// Declares the instruction not understood.
  void refuse() { refused_ = true; }
  /// True if everything was taken and nothing was refused.
  bool complete() const;

  Op op; ///< what is being built

private:
  const TextOperand* next();
  Destination destination(bool uniform);
  PredicateDestination predicateDestination(bool uniform);
  bool isPair(bool uniform, unsigned index) const;
  Source source(Transform negate, Transform absolute, Transform negateAbsolute, Transform invert, bool wide);
  std::optional<Source> fromRegisterOrConstant(const TextOperand& operand, bool wide);

  const TextInstruction& text_;
  const Encoding& encoding_;
  std::vector<std::string> modifiers_;
  std::size_t next_ = 0;
  bool refused_ = false;
};

/// Where the part that a suffix names begins, in bits: none, "H0" and "B0" = 0, "H1" = 16, "B1" … "B3".
/// Nothing if it is no part of `width` bits.
std::optional<unsigned> partOffset(std::string_view suffix, unsigned width);

/// One row of the instruction set.
struct OpcodeRow {
  std::string_view name;
  void (*bind)(Binder&);
};

// The instruction set, a family a file (ops_<family>.cpp). The files are compiled once for every level of the
// host's instruction set (CMakeLists.txt), each in a namespace of its own.
#define HARNESS_SASS_FAMILIES(X)                                                                             \
  X(integer)                                                                                                 \
  X(video)                                                                                                   \
  X(float)                                                                                                   \
  X(double)                                                                                                  \
  X(mufu)                                                                                                    \
  X(half)                                                                                                    \
  X(convert)                                                                                                 \
  X(pack)                                                                                                    \
  X(memory)                                                                                                  \
  X(predicate)                                                                                               \
  X(barrier)                                                                                                 \
  X(atomic)                                                                                                  \
  X(async)                                                                                                   \
  X(matrix)                                                                                                  \
  X(mma)                                                                                                     \
  X(warp)                                                                                                    \
  X(control)
#define HARNESS_SASS_DECLARE(family) std::span<const OpcodeRow> family##Opcodes();
#ifndef HARNESS_SASS_ISA
#define HARNESS_SASS_ISA baseline
#endif
namespace HARNESS_SASS_ISA {
HARNESS_SASS_FAMILIES(HARNESS_SASS_DECLARE)
} // namespace HARNESS_SASS_ISA

/// The whole instruction set, as compiled for this processor.
const std::vector<std::span<const OpcodeRow>>& opcodeFamilies();

/// The row of an opcode, or null.
const OpcodeRow* findOpcode(std::string_view name);

/// What an instruction means; nothing if it is not understood.
std::optional<Op> bindInstruction(std::string_view text, const Encoding& encoding);

} // namespace harness::sass

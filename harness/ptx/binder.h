#pragma once

#include "harness/ptx/code.h"
#include "harness/ptx/op.h"
#include "harness/ptx/symbols.h"
#include "harness/ptx/syntax.h"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness::ptx {

/// Turns an instruction of the parse tree into an Op. An opcode's bind function takes modifiers and operands
/// one by one; whatever it leaves untaken, or asks for and does not find, makes the instruction
/// `unsupported`.
class Binder {
public:
  Binder(const Instruction& instruction, FunctionSymbols& symbols);

  // Modifiers, in any order.
  /// Takes `name` if it is there.
  bool take(std::string_view name);
  bool has(std::string_view name) const;
  /// Takes modifiers that change no value.
  void ignore(std::initializer_list<std::string_view> names);
  /// Takes all modifiers that begin so and change no value ("L2::").
  void ignorePrefix(std::string_view prefix);
  /// Takes the first of `names` that is there and returns its place, or `otherwise`.
  unsigned choice(std::initializer_list<std::string_view> names, unsigned otherwise);
  /// Takes the first modifier left that is a type; refuses, and gives B32, if there is none.
  Type type();
  /// The first modifier left that is a type, not taken.
  std::optional<Type> peekType() const;
  /// All that are left, in order.
  const std::vector<std::string_view>& modifiersLeft() const { return modifiers_; }
  /// A `.vN`: N, taken; 1 if there is none.
  unsigned vectorLength();

  // Operands, in written order.
  /// Appends a source of that type to op.src: a register at least as wide, a number, an address, a special
  /// register. Of b128: two, lower half first.
  void source(Type type);
  /// Appends the elements of a vector {a, b, …}, all of that type; refuses another count.
  void sources(Type type, unsigned count);
  /// Appends a destination to op.dst: a register at least as wide, or the sink.
  void destination(Type type);
  void destinations(Type type, unsigned count);
  /// Appends registers and numbers, one or a vector of them, to Code::moreSources: instructions that have
  /// more than op.src holds.
  void moreSources(Type type);
  /// The same of operands of video instructions, `%r1.h10`: returns what selects a part of them, "" for all.
  std::string selectedSource(Type type);
  std::string selectedDestination(Type type);
  /// p, !p: to op.psrc[place].
  void predicate(unsigned place);
  /// p, or p|q: to op.pdst.
  void predicateDestination();
  /// For an instruction whose destination is `d|p` (shfl.sync, lop3 with a predicate): the register, and the
  /// predicate if it is there.
  void destinationAndPredicate(Type type);
  /// The carry flag, to op.psrc[0].
  void carryIn();
  /// To op.pdst.
  void carryOut();
  /// A source that says nothing about values (a cache policy): it is checked and dropped.
  void ignoreSource(Type type);
  /// [base+offset]: to op.address.
  void address(AddressSpace space);
  /// Also returns it, for instructions with more than one.
  Address takeAddress(AddressSpace space);
  /// An integer that is part of the instruction.
  std::optional<std::int64_t> number();
  bool peekNumber() const;
  /// The next operand is a predicate, or `!` one.
  bool peekPredicate() const;
  /// The next operand as it is written, not taken; null at the end.
  const Operand* peek() const;
  /// The next operand as it is written, taken.
  const Operand* any();
  std::size_t operandsLeft() const { return instruction_.operands.size() - next_; }
  /// The width of the register that is the next operand, in bits; nothing if it is something else.
  std::optional<unsigned> peekRegisterBits() const;

  /// What a source reads is the member mask of the lanes that execute the instruction together.
  void together(Source members);
  /// A value that nobody wrote must not reach the instruction.
  void needsDefined() { op.needsDefined = true; }

  FunctionSymbols& symbols() { return symbols_; }
  const Instruction& instruction() const { return instruction_; }

  /// Declares the instruction not understood. The first reason that is given counts.
  void refuse() { refused_ = true; }
  void refuse(std::string why) {
    refused_ = true;
    if (why_.empty()) why_ = std::move(why);
  }
  const std::string& whyRefused() const { return why_; }
  /// True if everything was taken and nothing was refused.
  bool complete() const;

  /// A source from an operand of the tree.
  std::optional<Source> sourceOf(const Operand& operand, Type type);
  /// The places that the operands read and write, for Op::reads… and writes….
  const std::vector<std::uint32_t>& reads() const { return reads_; }
  const std::vector<std::uint32_t>& writes() const { return writes_; }

  Op op; ///< what is being built

private:
  void appendSource(const Operand& operand, Type type);
  void appendDestination(const Operand& operand, Type type);
  void appendPredicateDestination(const Operand& operand);
  std::optional<Slot> predicateOf(const Operand& operand);

  const Instruction& instruction_;
  FunctionSymbols& symbols_;
  std::vector<std::string_view> modifiers_; ///< not taken yet
  std::size_t next_ = 0;
  bool refused_ = false;
  std::string why_;
  std::vector<std::uint32_t> reads_, writes_;
};

/// Which of the rows of an opcode's name an instruction is: by its first type.
enum class TypeClass : std::uint8_t {
  Any,
  Integer, ///< u, s, b, also packed
  Real,    ///< f32, f32x2, f64
  Half,    ///< f16, bf16 and packed
};

/// One row of the instruction set.
struct OpcodeRow {
  std::string_view name;
  TypeClass types;
  void (*bind)(Binder&);
};

// The instruction set, a family a file (ops_<family>.cpp).
#define HARNESS_PTX_FAMILIES(X)                                                                              \
  X(approximate)                                                                                             \
  X(atomic)                                                                                                  \
  X(barrier)                                                                                                 \
  X(bits)                                                                                                    \
  X(carry)                                                                                                   \
  X(cluster)                                                                                                 \
  X(compare)                                                                                                 \
  X(control)                                                                                                 \
  X(convert)                                                                                                 \
  X(copy)                                                                                                    \
  X(half)                                                                                                    \
  X(integer)                                                                                                 \
  X(matrix)                                                                                                  \
  X(mbarrier)                                                                                                \
  X(memory)                                                                                                  \
  X(minmax)                                                                                                  \
  X(mma)                                                                                                     \
  X(move)                                                                                                    \
  X(ordering)                                                                                                \
  X(real)                                                                                                    \
  X(video)                                                                                                   \
  X(warp)                                                                                                    \
  X(wmma)
#define HARNESS_PTX_DECLARE(family) std::span<const OpcodeRow> family##Opcodes();
HARNESS_PTX_FAMILIES(HARNESS_PTX_DECLARE)

/// All families.
const std::vector<std::span<const OpcodeRow>>& opcodeFamilies();

/// The row of an instruction, or null.
const OpcodeRow* findOpcode(const Instruction& instruction);

} // namespace harness::ptx

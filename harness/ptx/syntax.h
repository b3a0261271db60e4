#pragma once

#include "harness/ptx/type.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace harness::ptx {

// The parse tree of a PTX module (PTX ISA, sections 4 and 11). It keeps what is written, in order, and knows
// no meaning of any instruction: names are not looked up, types not checked.

/// A number in the source.
struct Number {
  enum class Kind : std::uint8_t {
    Signed,   ///< 12, -3
    Unsigned, ///< 12U, or too large for s64
    Single,   ///< 0f3F800000
    Double,   ///< 0d3FF0000000000000, 1.5
  };
  Kind kind = Kind::Signed;
  std::uint64_t bits = 0; ///< two's complement; of an f32 the lower 32 bits
};

/// name + offset, as addresses and initialisers have it.
struct SymbolOffset {
  std::string name;
  std::int64_t offset = 0;
};

/// An operand of an instruction.
struct Operand {
  enum class Kind : std::uint8_t {
    Name, ///< a register, variable, label, function or special register (%tid.x); `_` is the sink
    Number,
    Address, ///< [name+offset], [number]; more coordinates of tensor instructions stand in `elements`
    Vector,  ///< {a, b}: elements
    List,    ///< (a, b): elements of a call
    Pair,    ///< p|q: two destinations, elements
  };
  Kind kind = Kind::Name;
  bool negated = false; ///< !p, or -a of vmad
  bool minus = false;   ///< negated by a minus
  std::string name;     ///< Name; Address: of its base, empty if it is a number
  std::string selector; ///< Name: "b0", "h1" of a video operand `%r1.b0`; "x" of a vector register's element;
                        ///< Address: "unified" of `[a].unified`
  Number number;        ///< Number
  std::int64_t offset = 0;       ///< Address: bytes; a Name in an initialiser or `mov` may have one too
  std::vector<Operand> elements; ///< Vector, List, Pair
};

/// @p, @!p
struct Guard {
  std::string name;
  bool negated = false;
};

/// opcode.modifier.modifier a, b, c;
struct Instruction {
  std::uint32_t line = 0; ///< in the file, from 1
  std::optional<Guard> guard;
  std::string opcode;                 ///< up to the first dot
  std::vector<std::string> modifiers; ///< without their dots, in order; "::" stays: "shared::cta"
  std::vector<Operand> operands;
};

enum class Space : std::uint8_t { Reg, Const, Global, Local, Param, Shared, Tex };
std::string_view toString(Space space);

/// One element of an initialiser.
struct Initialiser {
  /// Of the element (of the array taken row by row, its vectors' elements counted too). Usually the same as
  /// its place in the list; more where inner braces left elements out, which are 0.
  std::uint64_t index = 0;
  std::variant<Number, SymbolOffset> value;
  /// `generic(name)`: the variable's generic address.
  bool generic = false;
  /// `0xff(name)`, `0xff00(name)`: only these bits of the address, shifted down; 0 = all.
  std::uint64_t mask = 0;
};

/// A declaration: .reg .b32 %r<10>; .shared .align 4 .b8 tile[64]; .param .u64 a
struct Variable {
  std::uint32_t line = 0;
  Space space = Space::Reg;
  Type type = Type::B32; ///< B64 if opaque
  /// "texref", "samplerref", "surfref" instead of a type; with its fields if they are initialised, as
  /// written: "samplerref = { filter_mode = nearest }".
  std::string opaque;
  unsigned vector = 1;                   ///< .v2, .v4, .v8
  std::uint64_t align = 0;               ///< bytes; 0 = not given
  std::string name;                      ///< with a count: the prefix
  std::optional<std::uint32_t> count;    ///< of %r<10>: names %r0 … %r9
  std::vector<std::uint64_t> dimensions; ///< of arrays; 0 = [] (extern, or from the initialiser)
  std::vector<Initialiser> initialisers; ///< flattened
  bool initialised = false;              ///< it has an `=`
  std::string linkage;                   ///< "extern", "visible", "weak", "common" or ""
  /// `.ptr` attributes of a kernel parameter, as written: "ptr global align 16".
  std::string pointer;
  std::string attributes; ///< `.attribute(…)` as written
};

struct Label {
  std::uint32_t line = 0;
  std::string name;
};

/// .loc file line column …, with which `-lineinfo` code names its source.
struct Location {
  std::uint32_t line = 0; ///< in the PTX file
  std::uint32_t file = 0, sourceLine = 0, column = 0;
  std::string rest; ///< `, function_name …, inlined_at …` as written
};

/// name: .branchtargets a, b;   name: .calltargets f, g;
struct Targets {
  std::uint32_t line = 0;
  bool calls = false;
  std::string name;
  std::vector<std::string> targets;
};

/// name: .callprototype (.param .b32 _) _ (.param .b32 _);
struct Prototype {
  std::uint32_t line = 0;
  std::string name;
  std::vector<Variable> results, parameters;
  std::string attributes; ///< `.noreturn` and the like, as written
};

/// .pragma "nounroll"; and other directives of a body that change no meaning, as written without the `;`.
struct Remark {
  std::uint32_t line = 0;
  std::string text;
};

struct Scope;
using Statement =
    std::variant<Instruction, Variable, Label, Location, Targets, Prototype, Remark, std::unique_ptr<Scope>>;

/// { … }
struct Scope {
  std::uint32_t line = 0;
  std::vector<Statement> statements;
};

/// .entry or .func
struct Function {
  std::uint32_t line = 0;
  bool entry = false;
  std::string linkage;
  std::string name;
  std::vector<Variable> results, parameters;
  /// `.maxntid 32, 1, 1`, `.noreturn` …, as written, in order.
  std::vector<std::string> directives;
  std::optional<Scope> body; ///< none: a declaration
};

/// .alias a, b;
struct Alias {
  std::uint32_t line = 0;
  std::string name, target;
};

/// A part of the module that is neither code nor data: .file, .section with its contents, .pragma; as
/// written.
using Item = std::variant<Variable, Function, Alias, Location, Remark>;

struct Module {
  unsigned versionMajor = 0, versionMinor = 0;
  std::vector<std::string> targets; ///< "sm_90a", "debug", "texmode_independent"
  unsigned addressSize = 64;
  std::vector<Item> items;
};

/// Bounds of what is accepted.
struct ParseLimits {
  std::uint64_t bytes = std::uint64_t{64} << 20;        ///< of the text
  unsigned depth = 64;                                  ///< of nested scopes, vectors and expressions
  std::uint64_t registers = std::uint64_t{1} << 20;     ///< of one declaration `%r<n>`
  std::uint64_t variableBytes = std::uint64_t{1} << 32; ///< of one variable
  std::uint64_t treeBytes = std::uint64_t{1} << 29;     ///< of items, statements, operands and initialisers
};

/// Parses the text of a PTX module. Throws Error(Usage) "NAME:LINE: what is wrong" for the first thing that
/// is no PTX; `name` stands for the file in messages. Time and memory are linear in the text.
Module parseModule(std::string_view text, std::string_view name, const ParseLimits& limits = {});

/// The module as text again; parseModule of it gives the same tree, but for lines.
std::string print(const Module& module);
/// "st.global.u8 [%rd4+1], %rs1": one instruction, as messages show it; with its guard, without the
/// semicolon.
std::string print(const Instruction& instruction);

} // namespace harness::ptx

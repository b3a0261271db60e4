#include "harness/sass/register_access.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Support/FormatVariadic.h>

#include <algorithm>

namespace harness::sass {

namespace {

/// How many registers a register operand stands for.
enum class Width : std::uint8_t {
  One,     ///< one; two where a modifier says 64
  Data,    ///< what is moved: .64, .128, .F64
  Tiles,   ///< .2 or .4 at the end: 8×8 matrices
  Double,  ///< f64
  Wide,    ///< IMAD: with .WIDE the result and the addend are pairs
  Convert, ///< the first type is the result's, the second the source's
  Matrix,  ///< at least a pair for result and addend; the fragments' sizes are not looked up
  Clock,   ///< CS2R: a pair, unless .32
};

struct Row {
  std::string_view name;
  std::uint8_t results = 1;    ///< register operands that are written, after leading predicates
  std::uint8_t predicates = 2; ///< at most so many leading predicates are written
  Width width = Width::One;
  Latency latency = Latency::Fixed;
  bool queued = false;
};

constexpr Latency kVariable = Latency::Variable;
constexpr Latency kStrict = Latency::Strict;

// Latency: what ptxas 11.8 … 13.5 does in code for sm_75 … sm_121. Strict are those whose used results never
// lack a scoreboard of their own.
constexpr Row kRows[] = {
    // integer, logic, moves
    {"BMSK"},
    {"FLO", 1, 2, Width::One, kVariable},
    {"BREV", 1, 2, Width::One, kVariable},
    {"POPC", 1, 2, Width::One, kVariable},
    {"IABS"},
    {"IADD"},
    {"IADD3"},
    {"IDP"},
    {"IDP4A"},
    {"IMAD", 1, 2, Width::Wide},
    {"IMNMX"},
    {"ISETP", 0},
    {"LEA"},
    {"LOP3"},
    {"MOV"},
    {"PLOP3", 0},
    {"PRMT"},
    {"PSETP", 0},
    {"P2R"},
    {"R2P", 0},
    {"SEL"},
    {"SGXT"},
    {"SHF"},
    {"VABSDIFF"},
    {"VABSDIFF4"},
    {"VIADD"},
    {"VIADDMNMX"},
    {"VIMNMX"},
    {"VIMNMX3"},
    {"I2I"},
    {"LEPC", 1, 2, Width::Double},
    {"I2FP"},
    {"F2FP"},
    {"F2IP"},
    {"I2IP"},
    {"CS2R", 1, 2, Width::Clock},
    // float
    {"FADD"},
    {"FFMA"},
    {"FMUL"},
    {"FMNMX"},
    {"FMNMX3"},
    {"FSEL"},
    {"FSET"},
    {"FSETP", 0},
    {"FSWZADD"},
    {"FCHK", 0, 1, Width::One, kStrict},
    {"HADD2"},
    {"HFMA2"},
    {"HMUL2"},
    {"HMNMX2"},
    {"HSET2"},
    {"HSETP2", 0},
    {"DADD", 1, 2, Width::Double, kVariable},
    {"DFMA", 1, 2, Width::Double, kVariable},
    {"DMUL", 1, 2, Width::Double, kVariable},
    {"DSETP", 0, 2, Width::Double, kVariable},
    {"MUFU", 1, 2, Width::One, kVariable},
    {"F2F", 1, 2, Width::Convert, kStrict},
    {"F2I", 1, 2, Width::Convert, kVariable},
    {"I2F", 1, 2, Width::Convert, kVariable},
    {"FRND", 1, 2, Width::Convert, kVariable},
    // tensor cores
    {"HMMA", 1, 2, Width::Matrix, kVariable},
    {"IMMA", 1, 2, Width::Matrix, kVariable},
    {"BMMA", 1, 2, Width::Matrix, kVariable},
    {"DMMA", 1, 2, Width::Matrix, kVariable},
    {"QMMA", 1, 2, Width::Matrix, kVariable},
    {"OMMA", 1, 2, Width::Matrix, kVariable},
    {"MOVM", 1, 2, Width::One, kVariable},
    // memory
    {"LD", 1, 1, Width::Data, kStrict, true},
    {"LDG", 1, 1, Width::Data, kStrict, true},
    {"LDL", 1, 1, Width::Data, kStrict, true},
    {"LDS", 1, 1, Width::Data, kVariable, true},
    {"LDC", 1, 0, Width::Data, kVariable},
    {"LDSM", 1, 0, Width::Tiles, kVariable, true},
    {"ST", 0, 0, Width::Data, kVariable, true},
    {"STG", 0, 0, Width::Data, kVariable, true},
    {"STL", 0, 0, Width::Data, kVariable, true},
    {"STS", 0, 0, Width::Data, kVariable, true},
    {"STSM", 0, 0, Width::Tiles, kVariable, true},
    {"ATOM", 1, 1, Width::Data, kVariable, true},
    {"ATOMG", 1, 1, Width::Data, kVariable, true},
    {"ATOMS", 1, 1, Width::Data, kVariable, true},
    {"RED", 0, 0, Width::Data, kVariable, true},
    {"REDG", 0, 0, Width::Data, kVariable, true},
    {"LDGSTS", 0, 0, Width::One, kVariable, true},
    {"CCTL", 0, 0},
    {"QSPC", 1, 1, Width::One, kVariable},
    // warps, special registers, barriers
    {"SHFL", 1, 1, Width::One, kVariable, true},
    {"MATCH", 1, 1, Width::One, kStrict},
    {"REDUX", 1, 0, Width::One, kVariable},
    {"CREDUX", 1, 0, Width::One, kVariable},
    {"VOTE", 1, 1},
    {"VOTEU", 1, 1},
    {"ELECT", 1, 1},
    {"S2R", 1, 0, Width::One, kStrict},
    {"S2UR", 1, 0, Width::One, kStrict},
    {"R2UR", 1, 1, Width::One, kVariable},
    {"B2R", 1, 0, Width::One, kVariable},
    {"BAR", 0, 0, Width::One, kVariable},
    {"NANOSLEEP", 0, 0},
    {"WARPSYNC", 0, 0},
    {"BRA", 0, 0},
    {"BRX", 0, 0, Width::Double},
    {"RET", 0, 0, Width::Double},
    {"EXIT", 0, 0},
    // uniform
    {"UBMSK"},
    {"UBREV"},
    {"UF2I"},
    {"UFADD"},
    {"UFFMA"},
    {"UFLO"},
    {"UFMUL"},
    {"UFRND"},
    {"UFSEL"},
    {"UFSETP", 0},
    {"UI2F"},
    {"UI2FP"},
    {"UIADD3"},
    {"UIMAD", 1, 2, Width::Wide},
    {"UIMNMX"},
    {"UISETP", 0},
    {"ULDC", 1, 0, Width::Data},
    {"LDCU", 1, 0, Width::Data, kStrict},
    {"ULEA"},
    {"ULOP3"},
    {"UMOV"},
    {"UP2UR"},
    {"UPLOP3", 0},
    {"UPOPC"},
    {"UPRMT"},
    {"USEL"},
    {"USGXT"},
    {"USHF"},
    {"UVIMNMX"},
    {"UVIADD"},
};

const Row* findRow(std::string_view opcode) {
  static const llvm::StringMap<const Row*> kIndex = [] {
    llvm::StringMap<const Row*> index;
    for (const Row& row : kRows)
      index[llvm::StringRef(row.name.data(), row.name.size())] = &row;
    return index;
  }();
  auto found = kIndex.find(llvm::StringRef(opcode.data(), opcode.size()));
  return found == kIndex.end() ? nullptr : found->second;
}

/// The widths of an instruction's register operands.
class Widths {
public:
  Widths(Width rule, const TextInstruction& instruction) : rule_(rule), instruction_(instruction) {}

  unsigned result() const {
    switch (rule_) {
    case Width::Wide: return has("WIDE") ? 2 : data();
    case Width::Convert: return types(0);
    case Width::Clock: return has("32") ? 1 : 2;
    default: return common();
    }
  }
  /// Of a source; `last` if nothing but predicates follows it.
  unsigned source(bool last) const {
    switch (rule_) {
    case Width::Wide: return last && has("WIDE") ? 2 : data();
    case Width::Convert: return types(1);
    case Width::Matrix: return 1;
    case Width::Clock: return 1;
    default: return common();
    }
  }

private:
  unsigned common() const {
    switch (rule_) {
    case Width::Tiles: return has("4") ? 4 : has("2") ? 2 : 1;
    case Width::Double:
    case Width::Matrix: return 2;
    default: return data();
    }
  }
  unsigned data() const {
    if (has("128")) return 4;
    return has("64") || (rule_ == Width::Data && has("F64")) ? 2 : 1;
  }
  /// F2F.F64.F32, I2F.F64.S64, F2I.S64.F64.TRUNC, FRND.F64: what is not printed is of 32 bits. F2F names the
  /// result's type first; elsewhere float and integer tell the two apart.
  unsigned types(unsigned place) const {
    std::vector<std::string> named;
    for (const std::string& modifier : instruction_.modifiers) {
      llvm::StringRef width(modifier);
      unsigned bits = 0;
      if ((width.consume_front("F") || width.consume_front("S") || width.consume_front("U")) &&
          !width.getAsInteger(10, bits))
        named.push_back(modifier);
    }
    if (instruction_.opcode == "FRND") return !named.empty() && named[0] == "F64" ? 2 : 1;
    if (instruction_.opcode == "F2F") return named.size() == 2 && named[place] == "F64" ? 2 : 1;
    bool isFloat = (instruction_.opcode == "I2F") == (place == 0);
    return std::any_of(named.begin(), named.end(),
                       [=](const std::string& type) {
                         return type.ends_with("64") && type.starts_with("F") == isFloat;
                       })
               ? 2
               : 1;
  }
  bool has(std::string_view name) const {
    const auto& modifiers = instruction_.modifiers;
    return std::find(modifiers.begin(), modifiers.end(), name) != modifiers.end();
  }

  Width rule_;
  const TextInstruction& instruction_;
};

/// Collects ranges, leaving out what is always zero or true.
void append(std::vector<RegisterRange>& ranges, RegisterFile file, unsigned first, unsigned count = 1) {
  bool predicate = file == RegisterFile::Predicate || file == RegisterFile::UniformPredicate;
  if (first == (predicate ? kTruePredicate : kZeroRegister)) return;
  ranges.push_back({file, first, count});
}

void appendOperand(std::vector<RegisterRange>& ranges, const TextOperand& operand, unsigned width) {
  switch (operand.kind) {
  case OperandKind::Register: return append(ranges, RegisterFile::General, operand.index, width);
  case OperandKind::UniformRegister: return append(ranges, RegisterFile::Uniform, operand.index, width);
  case OperandKind::Predicate: return append(ranges, RegisterFile::Predicate, operand.index);
  case OperandKind::UniformPredicate: return append(ranges, RegisterFile::UniformPredicate, operand.index);
  default: return;
  }
}

/// Registers of "[R4.64+UR6+0x8]", "c[0x0][R4+0x10]", "desc[UR4][R2.64]".
void appendAddress(std::vector<RegisterRange>& ranges, const TextOperand& operand) {
  const auto& suffixes = operand.baseSuffixes;
  bool wide = std::find(suffixes.begin(), suffixes.end(), "64") != suffixes.end();
  if (operand.base) append(ranges, RegisterFile::General, *operand.base, wide ? 2 : 1);
  if (operand.uniform) append(ranges, RegisterFile::Uniform, *operand.uniform, operand.uniformBase64 ? 2 : 1);
  llvm::StringRef text(operand.text);
  unsigned descriptor = 0;
  if (text.consume_front("desc[UR") && !text.consumeInteger(10, descriptor) && text.starts_with("]"))
    append(ranges, RegisterFile::Uniform, descriptor, 2);
}

bool isPredicate(const TextOperand& operand) {
  return operand.kind == OperandKind::Predicate || operand.kind == OperandKind::UniformPredicate;
}

bool isRegister(const TextOperand& operand) {
  return operand.kind == OperandKind::Register || operand.kind == OperandKind::UniformRegister;
}

} // namespace

std::string RegisterRange::str() const {
  static constexpr const char* kPrefixes[] = {"R", "UR", "P", "UP"};
  const char* prefix = kPrefixes[static_cast<std::size_t>(file)];
  std::string text = prefix + std::to_string(first);
  return count == 1 ? text : text + "-" + prefix + std::to_string(first + count - 1);
}

RegisterAccess accessOf(const TextInstruction& instruction) {
  RegisterAccess access;
  const Row* row = findRow(instruction.opcode);
  if (!row) return access;
  access.known = true;
  access.latency = row->latency;
  access.queued = row->queued;
  if (instruction.guard) appendOperand(access.reads, *instruction.guard, 1);

  const std::vector<TextOperand>& operands = instruction.operands;
  Widths widths(row->width, instruction);
  std::size_t next = 0;
  for (unsigned left = row->predicates; left && next < operands.size() && isPredicate(operands[next]); --left)
    appendOperand(access.writes, operands[next++], 1);
  for (unsigned left = row->results; left && next < operands.size() && isRegister(operands[next]); --left)
    appendOperand(access.writes, operands[next++], widths.result());
  for (; next < operands.size(); ++next) {
    const TextOperand& operand = operands[next];
    if (operand.kind == OperandKind::Memory || operand.kind == OperandKind::Constant) {
      appendAddress(access.reads, operand);
      continue;
    }
    bool last =
        std::all_of(operands.begin() + static_cast<std::ptrdiff_t>(next) + 1, operands.end(), isPredicate);
    appendOperand(access.reads, operand, widths.source(last));
  }
  return access;
}

} // namespace harness::sass

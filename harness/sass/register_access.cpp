#include "harness/sass/register_access.h"

#include "harness/sass/mma_form.h"

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
  Matrix,  ///< of tensor cores: parts of matrices
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
    {"F2F", 1, 2, Width::Convert, kVariable},
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
  Widths(Width rule, const TextInstruction& instruction) : rule_(rule), instruction_(instruction) {
    if (rule == Width::Matrix) matrices_ = mmaForm(instruction);
  }

  unsigned result() const {
    switch (rule_) {
    case Width::Matrix: return matrices_ ? matrices_->dWords() : 1;
    case Width::Wide: return has("WIDE") ? 2 : data();
    case Width::Convert: return types(0);
    case Width::Clock: return has("32") ? 1 : 2;
    default: return common();
    }
  }
  /// Of the source at `place` among the operands; `last` if nothing but predicates follows it.
  unsigned source(int place, bool last) const {
    switch (rule_) {
    case Width::Matrix: return matrix(place);
    case Width::Wide: return last && has("WIDE") ? 2 : data();
    case Width::Convert: return types(1);
    case Width::Clock: return 1;
    default: return common();
    }
  }
  /// LDG.256, STG.256: two operands of four registers each.
  bool twoGroups() const { return rule_ == Width::Data && has("256"); }

private:
  /// A, B, C; what follows are single registers, and so is all of a form that is not known.
  unsigned matrix(int place) const {
    if (!matrices_) return 1;
    switch (place) {
    case 1: return matrices_->aWords();
    case 2: return matrices_->bWords();
    case 3: return matrices_->cWords();
    default: return 1;
    }
  }
  unsigned common() const {
    switch (rule_) {
    case Width::Tiles: return has("4") ? 4 : has("2") ? 2 : 1;
    case Width::Double: return 2;
    default: return data();
    }
  }
  unsigned data() const {
    if (has("128") || twoGroups()) return 4;
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
  std::optional<MmaForm> matrices_;
};

/// Collects ranges, leaving out what is always zero or true.
class Ranges {
public:
  explicit Ranges(std::vector<RegisterRange>& ranges) : ranges_(ranges) {}

  /// A register operand; its place among the operands, or kGuard.
  void add(const TextOperand& operand, int place, unsigned width) {
    switch (operand.kind) {
    case OperandKind::Register: return add(RegisterFile::General, operand.index, width, place);
    case OperandKind::UniformRegister: return add(RegisterFile::Uniform, operand.index, width, place);
    case OperandKind::Predicate: return add(RegisterFile::Predicate, operand.index, 1, place);
    case OperandKind::UniformPredicate: return add(RegisterFile::UniformPredicate, operand.index, 1, place);
    default: return;
    }
  }
  /// Registers of "[R4.64+UR6+0x8]", "c[0x0][R4+0x10]", "desc[UR4][R2.64]".
  void addAddress(const TextOperand& operand, int place) {
    const auto& suffixes = operand.baseSuffixes;
    bool wide = std::find(suffixes.begin(), suffixes.end(), "64") != suffixes.end();
    if (operand.base) add(RegisterFile::General, *operand.base, wide ? 2 : 1, place);
    if (operand.uniform) add(RegisterFile::Uniform, *operand.uniform, operand.uniformBase64 ? 2 : 1, place);
    llvm::StringRef text(operand.text);
    unsigned descriptor = 0;
    if (text.consume_front("desc[UR") && !text.consumeInteger(10, descriptor) && text.starts_with("]"))
      add(RegisterFile::Uniform, descriptor, 2, place);
  }

private:
  void add(RegisterFile file, unsigned first, unsigned count, int place) {
    bool predicate = file == RegisterFile::Predicate || file == RegisterFile::UniformPredicate;
    if (first != (predicate ? kTruePredicate : kZeroRegister)) ranges_.push_back({file, first, count, place});
  }

  std::vector<RegisterRange>& ranges_;
};

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
  Ranges reads(access.reads), writes(access.writes);
  if (instruction.guard) reads.add(*instruction.guard, RegisterRange::kGuard, 1);

  const std::vector<TextOperand>& operands = instruction.operands;
  Widths widths(row->width, instruction);
  int next = 0, count = static_cast<int>(operands.size());
  auto at = [&operands](int place) -> const TextOperand& {
    return operands[static_cast<std::size_t>(place)];
  };
  for (unsigned left = row->predicates; left && next < count && isPredicate(at(next)); --left, ++next)
    writes.add(at(next), next, 1);
  unsigned results = row->results && widths.twoGroups() ? 2 : row->results;
  for (unsigned left = results; left && next < count && isRegister(at(next)); --left, ++next)
    writes.add(at(next), next, widths.result());
  for (; next < count; ++next) {
    if (at(next).kind == OperandKind::Memory || at(next).kind == OperandKind::Constant) {
      reads.addAddress(at(next), next);
      continue;
    }
    bool last = std::all_of(operands.begin() + next + 1, operands.end(), isPredicate);
    reads.add(at(next), next, widths.source(next, last));
  }
  return access;
}

} // namespace harness::sass

#include "harness/report/instruction_shape.h"

#include "harness/sass/register_access.h"
#include "harness/sass/text.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace harness {

namespace {

// By NamedFile.
constexpr std::array<const char*, 5> kPrefixes = {"R", "UR", "P", "UP", "B"};

bool isWordPart(char c) {
  return llvm::isAlnum(c) || c == '_';
}

/// "R4", "UP0"; nothing for RZ, SR_TID, R2UR.
std::optional<RegisterId> parseRegister(llvm::StringRef word) {
  for (std::size_t file = 0; file < kPrefixes.size(); ++file) {
    llvm::StringRef number = word;
    unsigned index = 0;
    if (number.consume_front(kPrefixes[file]) && !number.empty() && llvm::isDigit(number.front()) &&
        !number.getAsInteger(10, index) && index < kRegistersPerFile)
      return registerId(static_cast<NamedFile>(file), index);
  }
  return std::nullopt;
}

/// Splits the text into words and what lies between, and blanks the registers.
void blankRegisters(llvm::StringRef text, InstructionShape& shape) {
  while (!text.empty()) {
    llvm::StringRef word = text.take_while(isWordPart);
    text = text.drop_front(word.size());
    bool afterDot = !shape.skeleton.empty() && shape.skeleton.back() == '.';
    if (auto id = afterDot ? std::nullopt : parseRegister(word)) {
      shape.registers.push_back(*id);
      shape.skeleton += '#';
    } else if (afterDot && word == "reuse") {
      shape.skeleton.pop_back();
    } else {
      shape.skeleton += word;
    }
    llvm::StringRef rest = text.take_until(isWordPart);
    text = text.drop_front(rest.size());
    shape.skeleton += rest;
  }
}

bool hasTarget(const sass::TextInstruction& text) {
  static const std::set<std::string_view> kBranches = {"BRA", "BSSY", "CALL", "WARPSYNC", "LEPC"};
  auto isAbsolute = [](const std::string& modifier) { return modifier == "ABS"; };
  return kBranches.contains(text.opcode) &&
         std::none_of(text.modifiers.begin(), text.modifiers.end(), isAbsolute);
}

void readTarget(const sass::TextInstruction& text, std::size_t count, InstructionShape& shape) {
  if (!hasTarget(text) || text.operands.empty()) return;
  const sass::TextOperand& operand = text.operands.back();
  if (operand.kind != sass::OperandKind::Number || operand.number < 0 || operand.number % 16) return;
  auto target = static_cast<std::uint64_t>(operand.number) / 16;
  std::size_t at = shape.skeleton.rfind(operand.text);
  if (target >= count || at == std::string::npos) return;
  shape.target = target;
  shape.skeleton.replace(at, operand.text.size(), "@");
}

void readFlow(const sass::TextInstruction& text, InstructionShape& shape) {
  static const std::set<std::string_view> kEnds = {"EXIT", "RET",  "BRX",  "BRXU", "JMP",
                                                   "JMX",  "JMXU", "KILL", "BPT",  "RTT"};
  if (text.guard && text.guard->index != sass::kTruePredicate) {
    bool uniform = text.guard->kind == sass::OperandKind::UniformPredicate;
    shape.guard = registerId(uniform ? NamedFile::UniformPredicate : NamedFile::Predicate, text.guard->index);
    shape.guardInverted = text.guard->inverted;
  }
  shape.isCall = text.opcode == "CALL";
  bool always = kEnds.contains(text.opcode) || (text.opcode == "BRA" && text.operands.size() == 1);
  shape.goesOn = text.guard || !always;
}

std::vector<RegisterId> idsOf(const std::vector<sass::RegisterRange>& ranges) {
  std::vector<RegisterId> ids;
  for (const sass::RegisterRange& range : ranges)
    for (unsigned i = range.first; i < range.first + range.count && i < kRegistersPerFile; ++i)
      ids.push_back(registerId(static_cast<NamedFile>(range.file), i));
  return ids;
}

/// A register of the text that the table does not account for counts as read.
void readAccess(const sass::TextInstruction& text, InstructionShape& shape) {
  sass::RegisterAccess access = sass::accessOf(text);
  shape.reads = idsOf(access.reads);
  shape.writes = idsOf(access.writes);
  auto in = [](const std::vector<RegisterId>& ids, RegisterId id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  bool makesBarrier = text.opcode == "BSSY";
  for (RegisterId id : shape.registers)
    if (makesBarrier && id >= registerId(NamedFile::Barrier, 0))
      shape.writes.push_back(id);
    else if (!in(shape.reads, id) && !in(shape.writes, id))
      shape.reads.push_back(id);
}

} // namespace

RegisterId registerId(NamedFile file, unsigned index) {
  return static_cast<RegisterId>(static_cast<unsigned>(file) * kRegistersPerFile + index);
}

std::string registerName(RegisterId id) {
  return kPrefixes[id / kRegistersPerFile] + std::to_string(id % kRegistersPerFile);
}

InstructionShape shapeOf(const sass::ListedInstruction& instruction, std::size_t count) {
  InstructionShape shape;
  auto text = instruction.illegal ? std::nullopt : sass::parseInstruction(instruction.text);
  if (!text) {
    shape.skeleton = instruction.illegal
                         ? llvm::formatv("{0:x16} {1:x16}", instruction.high, instruction.low).str()
                         : instruction.text;
    return shape;
  }
  blankRegisters(instruction.text, shape);
  shape.operation = shape.opcode = text->opcode;
  for (const std::string& modifier : text->modifiers)
    shape.opcode += "." + modifier;
  readTarget(*text, count, shape);
  readFlow(*text, shape);
  readAccess(*text, shape);
  return shape;
}

} // namespace harness

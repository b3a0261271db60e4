#include "harness/sass/text.h"

#include "harness/base/text.h"

#include <llvm/ADT/StringRef.h>

#include <cctype>

namespace harness::sass {

namespace {

/// Splits at `separator` outside of brackets and bars.
std::vector<std::string_view> splitOutside(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '{' || text[i] == '(') ++depth;
    if (text[i] == ']' || text[i] == '}' || text[i] == ')') --depth;
    if (text[i] == separator && depth == 0) {
      parts.push_back(trim(text.substr(from, i - from)));
      from = i + 1;
    }
  }
  parts.push_back(trim(text.substr(from)));
  return parts;
}

/// "0x1f", "-0x1", "12": an integer.
std::optional<std::int64_t> parseInteger(std::string_view text) {
  bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  std::uint64_t value = 0;
  if (text.empty() || llvm::StringRef(text.data(), text.size()).getAsInteger(0, value)) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

/// "R12" with prefix "R" → 12, "RZ" → `zero`.
std::optional<unsigned> parseIndexed(std::string_view text, std::string_view prefix,
                                     std::string_view zeroName, unsigned zero, unsigned limit) {
  if (!zeroName.empty() && text == zeroName) return zero;
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  unsigned index = 0;
  if (text.empty() || !std::isdigit(static_cast<unsigned char>(text.front())) ||
      llvm::StringRef(text.data(), text.size()).getAsInteger(10, index) || index >= limit)
    return std::nullopt;
  return index;
}

bool isFloatText(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with("INF") || text.starts_with("QNAN") || text.starts_with("SNAN")) return true;
  if (text.empty() || !std::isdigit(static_cast<unsigned char>(text.front()))) return false;
  return text.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
         text.find_first_of(".eE") != std::string_view::npos;
}

/// A term inside brackets: "R4.64", "UR4", "0x10", "-0x8".
bool parseAddressTerm(std::string_view term, TextOperand& operand) {
  if (auto number = parseInteger(term)) {
    // Wraps, as addresses do.
    operand.number = static_cast<std::int64_t>(static_cast<std::uint64_t>(operand.number) +
                                               static_cast<std::uint64_t>(*number));
    return true;
  }
  std::vector<std::string> parts = split(term, '.');
  if (auto index = parseIndexed(parts[0], "R", "RZ", kZeroRegister, 255)) {
    if (operand.base) return false;
    operand.base = index;
    operand.baseSuffixes.assign(parts.begin() + 1, parts.end());
    return true;
  }
  if (auto index = parseIndexed(parts[0], "UR", "URZ", kZeroRegister, 255)) {
    if (operand.uniform) return false;
    operand.uniform = index;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (parts[i] != "64") return false;
      operand.uniformBase64 = true;
    }
    return true;
  }
  return false;
}

/// The inside of one pair of brackets: terms joined by '+' (a negative offset prints as "+-0x8").
bool parseAddress(std::string_view inside, TextOperand& operand) {
  for (std::string_view term : splitOutside(inside, '+'))
    if (!parseAddressTerm(term, operand)) return false;
  return true;
}

/// ".H0_H0.reuse" after a closing bracket or bar.
void takeSuffixes(std::string_view text, TextOperand& operand) {
  for (const std::string& suffix : split(text, '.'))
    if (!suffix.empty() && suffix != "reuse") operand.suffixes.push_back(suffix);
}

/// `text` starts with '[': what is inside the pair; `rest` is what follows.
std::optional<std::string_view> bracketed(std::string_view text, std::string_view& rest) {
  std::size_t close = text.find(']');
  if (!text.starts_with('[') || close == std::string_view::npos) return std::nullopt;
  rest = trim(text.substr(close + 1));
  return text.substr(1, close - 1);
}

bool parseConstant(std::string_view text, TextOperand& operand) {
  std::string_view rest;
  auto bank = bracketed(text.substr(1), rest);
  if (!bank) return false;
  auto number = parseInteger(*bank);
  auto inside = bracketed(rest, rest);
  if (!number || !inside || *number < 0 || *number > 31 || !parseAddress(*inside, operand)) return false;
  operand.bank = static_cast<unsigned>(*number);
  operand.kind = OperandKind::Constant;
  takeSuffixes(rest, operand);
  return true;
}

bool parseMemory(std::string_view text, TextOperand& operand) {
  std::string_view rest = text;
  if (text.starts_with("desc[")) {
    // The descriptor holds access rights and cache policy; it does not change a value.
    if (!bracketed(text.substr(4), rest)) return false;
  }
  auto inside = bracketed(rest, rest);
  if (!inside || !parseAddress(*inside, operand)) return false;
  operand.kind = OperandKind::Memory;
  takeSuffixes(rest, operand);
  return true;
}

/// "R4.H0_H0.reuse", "P0", "UR6", "B1", "SR_TID.X", "0x10", "+INF ".
void parsePlain(std::string_view text, TextOperand& operand) {
  if (text.starts_with("SR_") || text.starts_with("SRZ")) {
    operand.kind = OperandKind::Special;
    return;
  }
  if (auto number = parseInteger(text)) {
    operand.kind = OperandKind::Number;
    operand.number = *number;
    return;
  }
  if (isFloatText(text)) {
    operand.kind = OperandKind::Number;
    operand.isFloat = true;
    return;
  }
  struct Form {
    OperandKind kind;
    std::string_view prefix, zeroName;
    unsigned zero, limit;
  };
  static constexpr Form kForms[] = {
      {OperandKind::Register, "R", "RZ", kZeroRegister, 255},
      {OperandKind::UniformRegister, "UR", "URZ", kZeroRegister, 255},
      {OperandKind::Predicate, "P", "PT", kTruePredicate, 7},
      {OperandKind::UniformPredicate, "UP", "UPT", kTruePredicate, 7},
      {OperandKind::Barrier, "B", "", 0, 16},
  };
  std::size_t dot = std::min(text.find('.'), text.size());
  for (const Form& form : kForms) {
    auto index = parseIndexed(text.substr(0, dot), form.prefix, form.zeroName, form.zero, form.limit);
    if (!index) continue;
    operand.kind = form.kind;
    operand.index = *index;
    takeSuffixes(text.substr(dot), operand);
    return;
  }
}

TextOperand parseOperand(std::string_view text) {
  TextOperand operand;
  operand.text = text;
  std::string_view rest = text;
  // A minus sign belongs to a number, but negates a register.
  if (parseInteger(rest) || isFloatText(rest)) {
    parsePlain(rest, operand);
    return operand;
  }
  if (rest.starts_with('!') || rest.starts_with('~')) {
    operand.inverted = true;
    rest.remove_prefix(1);
  }
  if (rest.starts_with('-')) {
    operand.negated = true;
    rest.remove_prefix(1);
  }
  if (rest.starts_with('|')) {
    std::size_t close = rest.find('|', 1);
    if (close == std::string_view::npos) return operand;
    operand.absolute = true;
    takeSuffixes(rest.substr(close + 1), operand);
    rest = rest.substr(1, close - 1);
  }
  bool understood = true;
  if (rest.starts_with("c["))
    understood = parseConstant(rest, operand);
  else if (rest.starts_with("[") || rest.starts_with("desc["))
    understood = parseMemory(rest, operand);
  else
    parsePlain(rest, operand);
  if (!understood) {
    operand = TextOperand();
    operand.text = text;
  }
  return operand;
}

} // namespace

std::optional<TextInstruction> parseInstruction(std::string_view text) {
  TextInstruction instruction;
  text = trim(text);
  if (text.starts_with('@')) {
    std::size_t space = text.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    instruction.guard = parseOperand(text.substr(1, space - 1));
    OperandKind kind = instruction.guard->kind;
    if (kind != OperandKind::Predicate && kind != OperandKind::UniformPredicate) return std::nullopt;
    text = trim(text.substr(space));
  }
  std::size_t space = std::min(text.find(' '), text.size());
  std::vector<std::string> mnemonic = split(text.substr(0, space), '.');
  if (mnemonic[0].empty()) return std::nullopt;
  instruction.opcode = mnemonic[0];
  instruction.modifiers.assign(mnemonic.begin() + 1, mnemonic.end());
  std::string_view operands = trim(text.substr(space));
  if (!operands.empty())
    for (std::string_view operand : splitOutside(operands, ','))
      instruction.operands.push_back(parseOperand(operand));
  return instruction;
}

} // namespace harness::sass

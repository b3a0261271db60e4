#include "harness/ptx/syntax.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>

#include <limits>

namespace harness::ptx {
namespace {

class Printer {
public:
  std::string take() { return std::move(text_); }

  void module(const Module& module) {
    text_ += llvm::formatv(".version {0}.{1}\n", module.versionMajor, module.versionMinor).str();
    text_ += ".target " + llvm::join(module.targets, ", ") + "\n";
    text_ += ".address_size " + std::to_string(module.addressSize) + "\n";
    for (const Item& item : module.items)
      std::visit([this](const auto& what) { line(what); }, item);
  }

  void operator()(const Instruction& instruction) {
    if (instruction.guard) {
      text_ += instruction.guard->negated ? "@!" : "@";
      text_ += instruction.guard->name + " ";
    }
    text_ += instruction.opcode;
    for (const std::string& modifier : instruction.modifiers) {
      text_ += '.';
      text_ += modifier;
    }
    if (instruction.operands.empty()) return;
    text_ += ' ';
    operands(instruction.operands);
  }

private:
  void indent() { text_.append(depth_, '\t'); }

  void line(const Instruction& instruction) {
    indent();
    (*this)(instruction);
    text_ += ";\n";
  }

  void line(const Variable& declared) {
    indent();
    variable(declared);
    text_ += ";\n";
  }

  void line(const Label& label) { text_ += label.name + ":\n"; }

  void line(const Location& location) {
    indent();
    text_ += llvm::formatv(".loc {0} {1} {2}{3}\n", location.file, location.sourceLine, location.column,
                           location.rest)
                 .str();
  }

  void line(const Targets& targets) {
    text_ += targets.name + (targets.calls ? ": .calltargets " : ": .branchtargets ");
    text_ += llvm::join(targets.targets, ", ") + ";\n";
  }

  void line(const Prototype& prototype) {
    text_ += prototype.name + ": .callprototype ";
    if (!prototype.results.empty()) {
      parameters(prototype.results, ", ");
      text_ += ' ';
    }
    text_ += "_ ";
    parameters(prototype.parameters, ", ");
    if (!prototype.attributes.empty()) text_ += " " + prototype.attributes;
    text_ += ";\n";
  }

  void line(const Remark& remark) {
    indent();
    text_ += remark.text;
    text_ += llvm::StringRef(remark.text).starts_with(".pragma") ? ";\n" : "\n";
  }

  void line(const Alias& alias) { text_ += ".alias " + alias.name + ", " + alias.target + ";\n"; }

  void line(const std::unique_ptr<Scope>& inner) {
    indent();
    scope(*inner);
  }

  void line(const Function& function) {
    linkage(function.linkage);
    text_ += function.entry ? ".entry " : ".func ";
    std::size_t leading = 0;
    while (leading < function.directives.size() &&
           llvm::StringRef(function.directives[leading]).starts_with(".attribute"))
      text_ += function.directives[leading++] + " ";
    if (!function.results.empty()) {
      parameters(function.results, ", ");
      text_ += ' ';
    }
    text_ += function.name;
    parameters(function.parameters, ",\n\t");
    for (std::size_t i = leading; i < function.directives.size(); ++i)
      text_ += "\n" + function.directives[i];
    if (!function.body) {
      text_ += ";\n";
      return;
    }
    text_ += '\n';
    scope(*function.body);
  }

  void scope(const Scope& scope) {
    text_ += "{\n";
    ++depth_;
    for (const Statement& statement : scope.statements)
      std::visit([this](const auto& what) { line(what); }, statement);
    --depth_;
    indent();
    text_ += "}\n";
  }

  void parameters(const std::vector<Variable>& all, const char* separator) {
    text_ += '(';
    for (const Variable& parameter : all) {
      if (&parameter != &all.front()) text_ += separator;
      variable(parameter);
    }
    text_ += ')';
  }

  void linkage(const std::string& name) {
    if (!name.empty()) text_ += "." + name + " ";
  }

  void variable(const Variable& variable) {
    linkage(variable.linkage);
    text_ += '.';
    text_ += toString(variable.space);
    if (!variable.attributes.empty()) text_ += " " + variable.attributes;
    if (variable.align) text_ += " .align " + std::to_string(variable.align);
    if (variable.vector > 1) text_ += " .v" + std::to_string(variable.vector);
    auto [opaque, fields] = llvm::StringRef(variable.opaque).split(' ');
    text_ += " ." + (opaque.empty() ? std::string(toString(variable.type)) : opaque.str());
    pointer(variable.pointer);
    text_ += ' ';
    text_ += variable.name;
    if (variable.count) text_ += "<" + std::to_string(*variable.count) + ">";
    for (std::uint64_t extent : variable.dimensions)
      text_ += extent ? "[" + std::to_string(extent) + "]" : "[]";
    if (!fields.empty())
      text_ += " " + fields.str();
    else if (variable.initialised)
      initialiser(variable);
  }

  /// "ptr global align 16" → .ptr .global .align 16
  void pointer(llvm::StringRef words) {
    while (!words.empty()) {
      auto [word, rest] = words.split(' ');
      text_ += llvm::isDigit(word[0]) ? " " : " .";
      text_ += word;
      words = rest;
    }
  }

  void initialiser(const Variable& variable) {
    text_ += " = ";
    const std::vector<Initialiser>& elements = variable.initialisers;
    if (variable.dimensions.empty() && variable.vector == 1 && elements.size() == 1) {
      element(elements[0]);
      return;
    }
    bool gaps = !elements.empty() && elements.back().index != elements.size() - 1;
    std::vector<std::uint64_t> inner; // how many elements each level of braces holds, from within
    if (gaps) {
      if (variable.vector > 1) inner.push_back(variable.vector);
      for (std::size_t i = variable.dimensions.size(); i-- > 1;)
        inner.push_back(variable.dimensions[i] * (inner.empty() ? 1 : inner.back()));
    }
    std::size_t next = 0;
    braces(elements, inner, 0, std::numeric_limits<std::uint64_t>::max(), next);
  }

  /// The elements from `next` on with indices in [begin, end), in braces, and in inner ones for what `inner`
  /// says.
  void braces(const std::vector<Initialiser>& elements, const std::vector<std::uint64_t>& inner,
              std::uint64_t begin, std::uint64_t end, std::size_t& next) {
    text_ += '{';
    std::uint64_t index = begin;
    while (next < elements.size() && elements[next].index < end) {
      if (index != begin) text_ += ", ";
      if (inner.empty()) {
        element(elements[next++]);
        ++index;
        continue;
      }
      std::uint64_t size = inner.back();
      std::vector<std::uint64_t> deeper(inner.begin(), inner.end() - 1);
      braces(elements, deeper, index, index + size, next);
      index += size;
    }
    text_ += '}';
  }

  void element(const Initialiser& element) {
    if (const Number* value = std::get_if<Number>(&element.value)) {
      number(*value);
      return;
    }
    const SymbolOffset& symbol = std::get<SymbolOffset>(element.value);
    if (element.mask) text_ += "0x" + llvm::utohexstr(element.mask, true) + "(";
    text_ += element.generic ? "generic(" + symbol.name + ")" : symbol.name;
    offset(symbol.offset);
    if (element.mask) text_ += ')';
  }

  void operands(const std::vector<Operand>& all) {
    for (const Operand& one : all) {
      if (&one != &all.front()) text_ += ", ";
      operand(one);
    }
  }

  void operand(const Operand& operand) {
    switch (operand.kind) {
    case Operand::Kind::Name: name(operand); break;
    case Operand::Kind::Number: number(operand.number); break;
    case Operand::Kind::Address: address(operand); break;
    case Operand::Kind::Vector: enclosed('{', operand.elements, '}'); break;
    case Operand::Kind::List: enclosed('(', operand.elements, ')'); break;
    case Operand::Kind::Pair:
      for (const Operand& one : operand.elements) {
        if (&one != &operand.elements.front()) text_ += '|';
        this->operand(one);
      }
      break;
    }
  }

  void enclosed(char open, const std::vector<Operand>& elements, char close) {
    text_ += open;
    operands(elements);
    text_ += close;
  }

  void name(const Operand& operand) {
    if (operand.negated) text_ += operand.minus ? '-' : '!';
    text_ += operand.name;
    if (!operand.selector.empty()) text_ += "." + operand.selector;
    offset(operand.offset);
  }

  void address(const Operand& operand) {
    text_ += '[';
    bool unified = operand.selector == "unified";
    Operand base;
    base.name = operand.name;
    base.offset = operand.offset;
    if (!unified) base.selector = operand.selector;
    if (operand.name.empty())
      text_ += std::to_string(operand.offset);
    else
      name(base);
    if (!operand.elements.empty()) {
      text_ += ", ";
      operands(operand.elements);
    }
    text_ += unified ? "].unified" : "]";
  }

  /// +4, -4, or nothing
  void offset(std::int64_t bytes) {
    if (bytes > 0) text_ += '+';
    if (bytes) text_ += std::to_string(bytes);
  }

  void number(const Number& number) {
    switch (number.kind) {
    case Number::Kind::Signed:
      // 9223372036854775808 is unsigned, with a minus before it too.
      if (number.bits == std::uint64_t{1} << 63)
        text_ += "(-9223372036854775807-1)";
      else
        text_ += std::to_string(static_cast<std::int64_t>(number.bits));
      break;
    case Number::Kind::Unsigned: text_ += std::to_string(number.bits) + "U"; break;
    case Number::Kind::Single: text_ += llvm::formatv("0f{0:X-8}", number.bits).str(); break;
    case Number::Kind::Double: text_ += llvm::formatv("0d{0:X-16}", number.bits).str(); break;
    }
  }

  std::string text_;
  unsigned depth_ = 0;
};

} // namespace

std::string print(const Module& module) {
  Printer printer;
  printer.module(module);
  return printer.take();
}

std::string print(const Instruction& instruction) {
  Printer printer;
  printer(instruction);
  return printer.take();
}

} // namespace harness::ptx

#include "harness/ptx/symbols.h"

#include "harness/base/error.h"
#include "harness/ptx/quote.h"

#include <charconv>

namespace harness::ptx {

namespace {

constexpr std::uint64_t kStackLimit = std::uint64_t{1} << 20; ///< bytes of local memory of one function
constexpr Slot kRegisterLimit = Slot{1} << 22;
constexpr std::uint64_t kVariablesLimit = std::uint64_t{1} << 30; ///< bytes of .global and .const of a module
constexpr std::size_t kConstantsLimit = std::size_t{1} << 20;

} // namespace

std::uint64_t alignOf(const Variable& variable) {
  std::uint64_t natural = std::max(1u, bitsOf(variable.type) / 8) * variable.vector;
  return std::max<std::uint64_t>(variable.align, natural);
}

std::uint64_t sizeOf(const Variable& variable, const std::string& file) {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 32;
  std::uint64_t size = std::uint64_t{std::max(1u, bitsOf(variable.type) / 8)} * variable.vector;
  std::uint64_t element = size / variable.vector;
  for (std::uint64_t dimension : variable.dimensions) {
    if (dimension == 0) continue;
    if (dimension > kLimit / size)
      failUsage("{0}:{1}: {2} is larger than 4 GiB", file, variable.line, quote(variable.name));
    size *= dimension;
  }
  // `x[] = {…}` is as long as what it is initialised with.
  bool open = !variable.dimensions.empty() && variable.dimensions.front() == 0;
  if (!open) return size;
  std::uint64_t count = 0;
  for (const Initialiser& one : variable.initialisers)
    count = std::max(count, one.index + 1);
  std::uint64_t row = size / element; // braces may have left out its end
  count = (count + row - 1) / row * row;
  if (count > kLimit / element)
    failUsage("{0}:{1}: {2} is larger than 4 GiB", file, variable.line, quote(variable.name));
  return element * count;
}

std::uint32_t appendVariable(Code& code, const Variable& variable) {
  std::uint64_t size = sizeOf(variable, code.name), before = 0;
  if (!code.variables.empty()) before = code.variables.back().offset + code.variables.back().size;
  if (before + size > kVariablesLimit)
    failUsage("{0}:{1}: with {2} the variables of the module need {3} bytes; at most {4} are accepted",
              code.name, variable.line, quote(variable.name), before + size, kVariablesLimit);
  code.variables.push_back({&variable, before, size, alignOf(variable)});
  return static_cast<std::uint32_t>(code.variables.size() - 1);
}

FunctionSymbols::FunctionSymbols(Code& code, const ModuleSymbols& module, FunctionCode& function, bool entry)
    : code_(code), module_(module), function_(function), entry_(entry) {
  function_.registers = 2;  // the sink, also of 128 bits
  function_.predicates = 2; // the sink, the carry flag
  open();
}

void FunctionSymbols::fail(std::uint32_t line, const std::string& what) const {
  failUsage("{0}:{1}: {2}", code_.name, line, what);
}

void FunctionSymbols::close() {
  stackTop_ = scopes_.back().stackTop;
  scopes_.pop_back();
}

void FunctionSymbols::declare(const std::string& name, Symbol symbol, std::uint32_t line) {
  if (!scopes_.back().names.emplace(name, symbol).second)
    fail(line, quote(name) + " is declared twice in one scope");
}

void FunctionSymbols::declare(const Variable& variable) {
  if (variable.space == Space::Reg)
    declareRegisters(variable);
  else
    declareMemory(variable);
}

void FunctionSymbols::declareRegisters(const Variable& variable) {
  if (variable.vector > 1 || !variable.dimensions.empty())
    fail(variable.line, "vector and array registers are not supported: " + quote(variable.name));
  bool predicate = variable.type == Type::Pred;
  std::uint32_t each = variable.type == Type::B128 ? 2 : 1;
  std::uint64_t count = std::uint64_t{variable.count.value_or(1)} * each;
  Slot& next = predicate ? function_.predicates : function_.registers;
  if (count + next > kRegisterLimit)
    fail(variable.line, "the function has more than " + std::to_string(kRegisterLimit) + " registers");
  Symbol symbol;
  symbol.kind = predicate ? Symbol::Kind::Predicate : Symbol::Kind::Register;
  symbol.index = next;
  symbol.type = variable.type;
  next += static_cast<Slot>(count);
  if (!variable.count) return declare(variable.name, symbol, variable.line);
  symbol.count = *variable.count;
  if (!scopes_.back().ranges.emplace(variable.name, symbol).second)
    fail(variable.line, quote(variable.name + "<…>") + " is declared twice in one scope");
}

std::uint32_t FunctionSymbols::allocateStack(std::uint64_t size, std::uint64_t align, std::uint32_t line) {
  std::uint64_t offset = (stackTop_ + align - 1) / align * align;
  if (size > kStackLimit || offset + size > kStackLimit)
    fail(line, "the function has more than 1 MiB of local memory");
  stackTop_ = static_cast<std::uint32_t>(offset + size);
  function_.stackBytes = std::max(function_.stackBytes, stackTop_);
  return static_cast<std::uint32_t>(offset);
}

void FunctionSymbols::declareMemory(const Variable& variable) {
  Symbol symbol;
  symbol.type = variable.type;
  symbol.size = sizeOf(variable, code_.name);
  std::uint64_t align = alignOf(variable);
  if (align > 4096) fail(variable.line, quote(variable.name) + " has an alignment above 4096");
  switch (variable.space) {
  case Space::Local:
  case Space::Param:
    symbol.kind = Symbol::Kind::Stack;
    symbol.index = allocateStack(symbol.size, align, variable.line);
    break;
  case Space::Shared: {
    symbol.kind = Symbol::Kind::Shared;
    std::uint64_t offset = (code_.sharedBytes + align - 1) / align * align;
    if (offset + symbol.size > (1u << 20))
      fail(variable.line, "the module has more than 1 MiB of shared memory");
    code_.shared.push_back({&variable, offset, symbol.size, align});
    code_.sharedBytes = static_cast<std::uint32_t>(offset + symbol.size);
    symbol.index = static_cast<std::uint32_t>(offset);
    break;
  }
  case Space::Global:
  case Space::Const:
    symbol.kind = Symbol::Kind::Variable;
    symbol.index = appendVariable(code_, variable);
    break;
  default: fail(variable.line, quote(variable.name) + " is in a space that functions do not have");
  }
  declare(variable.name, symbol, variable.line);
}

void FunctionSymbols::declareKernelParameter(const Variable& variable) {
  if (variable.space != Space::Param || variable.count)
    fail(variable.line, quote(variable.name) + " is no parameter of a kernel: those are in .param");
  std::uint64_t size = sizeOf(variable, code_.name), align = alignOf(variable);
  std::uint64_t offset = (function_.parameterBytes + align - 1) / align * align;
  if (offset + size > 32764) fail(variable.line, "the kernel has more than 32,764 bytes of parameters");
  function_.kernelParameters.push_back({&variable, offset, size, align});
  function_.parameterBytes = static_cast<std::uint32_t>(offset + size);
  Symbol symbol;
  symbol.kind = Symbol::Kind::Parameter;
  symbol.index = static_cast<std::uint32_t>(offset);
  symbol.type = variable.type;
  symbol.size = size;
  declare(variable.name, symbol, variable.line);
}

Passed FunctionSymbols::declareFormal(const Variable& variable) {
  if ((variable.space != Space::Param && variable.space != Space::Reg) || variable.count)
    fail(variable.line, quote(variable.name) + " is no parameter of a function: those are in .reg or .param");
  declare(variable);
  std::optional<Symbol> symbol = find(variable.name);
  Passed passed;
  passed.isRegister = variable.space == Space::Reg;
  if (passed.isRegister) {
    if (symbol->kind != Symbol::Kind::Register || symbol->type == Type::B128)
      fail(variable.line, quote(variable.name) + " cannot be passed in a register");
    passed.source = {Source::Kind::Register, symbol->index};
    passed.destination = {symbol->index, static_cast<std::uint8_t>(bitsOf(symbol->type))};
    passed.size = bitsOf(symbol->type) / 8;
  } else {
    passed.offset = symbol->index;
    passed.size = static_cast<std::uint32_t>(symbol->size);
  }
  return passed;
}

std::optional<Symbol> FunctionSymbols::find(std::string_view name) const {
  for (auto level = scopes_.rbegin(); level != scopes_.rend(); ++level) {
    if (auto found = level->names.find(name); found != level->names.end()) return found->second;
    if (level->ranges.empty()) continue;
    // %r12 may be %r<20> or %r1<5>.
    constexpr std::size_t kMostDigits = 10;
    std::size_t digits = std::max<std::size_t>(name.find_last_not_of("0123456789") + 1, 1);
    if (name.size() > kMostDigits) digits = std::max(digits, name.size() - kMostDigits);
    for (std::size_t at = digits; at < name.size(); ++at) {
      auto range = level->ranges.find(name.substr(0, at));
      std::string_view number = name.substr(at);
      if (range == level->ranges.end() || (number.size() > 1 && number.front() == '0')) continue;
      std::uint32_t value = 0;
      if (std::from_chars(number.data(), number.data() + number.size(), value).ec != std::errc() ||
          value >= range->second.count)
        continue;
      Symbol symbol = range->second;
      symbol.index += value * (symbol.type == Type::B128 ? 2 : 1);
      symbol.count = 0;
      return symbol;
    }
  }
  auto found = module_.find(name);
  if (found == module_.end()) return std::nullopt;
  return found->second;
}

Source FunctionSymbols::append(std::uint64_t value) {
  if (code_.constants.size() == kConstantsLimit)
    failUsage("{0}: the module has more than {1} different numbers and addresses", code_.name,
              kConstantsLimit);
  Lanes& lanes = code_.constants.emplace_back();
  std::fill_n(lanes.v, kLanes, value);
  return {Source::Kind::Constant, static_cast<std::uint32_t>(code_.constants.size() - 1)};
}

Source FunctionSymbols::constant(std::uint64_t value) {
  auto [place, added] = code_.numbers.emplace(value, code_.constants.size());
  return added ? append(value) : Source{Source::Kind::Constant, place->second};
}

Source FunctionSymbols::addressOf(std::uint32_t variable, std::int64_t offset) {
  Source source = append(0);
  code_.addresses.push_back({source.index, variable, offset});
  return source;
}

std::uint32_t FunctionSymbols::labelOf(const std::string& name, std::uint32_t line) const {
  auto symbol = find(name);
  if (!symbol || symbol->kind != Symbol::Kind::Label) fail(line, "there is no label " + quote(name));
  return symbol->index;
}

std::uint32_t FunctionSymbols::tableOf(const Targets& targets, std::uint32_t line) {
  auto [place, added] = tables_.emplace(&targets, code_.tables.size());
  if (!added) return place->second;
  std::vector<std::uint32_t> table;
  for (const std::string& target : targets.targets)
    table.push_back(labelOf(target, line));
  code_.tables.push_back(std::move(table));
  return place->second;
}

} // namespace harness::ptx

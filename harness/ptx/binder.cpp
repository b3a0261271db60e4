#include "harness/ptx/binder.h"

#include "harness/ptx/numbers.h"
#include "harness/ptx/quote.h"
#include "harness/ptx/special.h"

#include <algorithm>
#include <map>

namespace harness::ptx {

namespace {

TypeClass classOf(Type type) {
  switch (type) {
  case Type::F32:
  case Type::F32x2:
  case Type::F64: return TypeClass::Real;
  case Type::F16:
  case Type::F16x2:
  case Type::BF16:
  case Type::BF16x2: return TypeClass::Half;
  default: return isFloat(type) ? TypeClass::Real : TypeClass::Integer;
  }
}

} // namespace

Binder::Binder(const Instruction& instruction, FunctionSymbols& symbols)
    : instruction_(instruction), symbols_(symbols),
      modifiers_(instruction.modifiers.begin(), instruction.modifiers.end()) {
  if (!instruction.guard) return;
  Operand operand;
  operand.name = instruction.guard->name;
  auto slot = predicateOf(operand);
  if (!slot) symbols_.fail(instruction.line, quote(operand.name) + " is no predicate");
  op.guard = {*slot, instruction.guard->negated, false};
}

// ---- modifiers

bool Binder::take(std::string_view name) {
  auto found = std::find(modifiers_.begin(), modifiers_.end(), name);
  if (found == modifiers_.end()) return false;
  modifiers_.erase(found);
  return true;
}

bool Binder::has(std::string_view name) const {
  return std::find(modifiers_.begin(), modifiers_.end(), name) != modifiers_.end();
}

void Binder::ignore(std::initializer_list<std::string_view> names) {
  for (std::string_view name : names)
    take(name);
}

void Binder::ignorePrefix(std::string_view prefix) {
  std::erase_if(modifiers_, [&](std::string_view name) { return name.starts_with(prefix); });
}

unsigned Binder::choice(std::initializer_list<std::string_view> names, unsigned otherwise) {
  unsigned place = 0;
  for (std::string_view name : names) {
    if (take(name)) return place;
    ++place;
  }
  return otherwise;
}

std::optional<Type> Binder::peekType() const {
  for (std::string_view name : modifiers_)
    if (auto type = typeNamed(name)) return type;
  return std::nullopt;
}

Type Binder::type() {
  std::optional<Type> type = peekType();
  if (!type) {
    refuse();
    return Type::B32;
  }
  take(toString(*type));
  return *type;
}

unsigned Binder::vectorLength() {
  static constexpr unsigned kLengths[] = {2, 4, 8, 1};
  return kLengths[choice({"v2", "v4", "v8"}, 3)];
}

// ---- operands

const Operand* Binder::peek() const {
  return next_ < instruction_.operands.size() ? &instruction_.operands[next_] : nullptr;
}

const Operand* Binder::any() {
  const Operand* operand = peek();
  if (operand)
    ++next_;
  else
    refuse();
  return operand;
}

bool Binder::complete() const {
  return !refused_ && modifiers_.empty() && next_ == instruction_.operands.size();
}

std::optional<Source> Binder::sourceOf(const Operand& operand, Type type) {
  if (!operand.selector.empty() || operand.negated) return std::nullopt;
  if (operand.kind == Operand::Kind::Number) {
    auto bits = bitsAs(operand.number, type);
    if (!bits) return std::nullopt;
    return symbols_.constant(*bits);
  }
  if (operand.kind != Operand::Kind::Name) return std::nullopt;
  if (operand.name == "WARP_SZ") return symbols_.constant(kLanes);
  if (auto symbol = symbols_.find(operand.name)) {
    auto offset = static_cast<std::uint64_t>(operand.offset);
    switch (symbol->kind) {
    case Symbol::Kind::Register:
      if (operand.offset != 0 || bitsOf(symbol->type) < bitsOf(type)) return std::nullopt;
      reads_.push_back(symbol->index);
      return Source{Source::Kind::Register, symbol->index};
    case Symbol::Kind::Stack:
      return Source{Source::Kind::Stack, static_cast<std::uint32_t>(symbol->index + offset)};
    case Symbol::Kind::Parameter: return symbols_.constant(kParamWindow + symbol->index + offset);
    case Symbol::Kind::Shared: return symbols_.constant(symbol->index + offset);
    case Symbol::Kind::Variable: return symbols_.addressOf(symbol->index, operand.offset);
    case Symbol::Kind::Function:
      if (operand.offset != 0) return std::nullopt;
      return symbols_.constant(kCodeWindow + 16 * std::uint64_t{symbol->index});
    default: return std::nullopt;
    }
  }
  if (auto special = specialNamed(operand.name)) return Source{Source::Kind::Special, *special};
  if (operand.name.starts_with("%")) {
    // Special registers that the table does not have end here too.
    return std::nullopt;
  }
  symbols_.fail(instruction_.line, "nothing declares " + quote(operand.name));
}

void Binder::appendSource(const Operand& operand, Type type) {
  unsigned needed = type == Type::B128 ? 2 : 1;
  auto source = sourceOf(operand, type);
  if (!source || op.sources + needed > kOperands) return refuse();
  if (needed == 2 && source->kind != Source::Kind::Register) return refuse();
  op.src[op.sources++] = *source;
  if (needed == 2) {
    ++source->index;
    reads_.push_back(source->index);
    op.src[op.sources++] = *source;
  }
}

void Binder::source(Type type) {
  if (const Operand* operand = any()) appendSource(*operand, type);
}

void Binder::sources(Type type, unsigned count) {
  const Operand* operand = any();
  if (!operand) return;
  if (count == 1 && operand->kind != Operand::Kind::Vector) return appendSource(*operand, type);
  if (operand->kind != Operand::Kind::Vector || operand->elements.size() != count) return refuse();
  for (const Operand& element : operand->elements)
    appendSource(element, type);
}

void Binder::moreSources(Type type) {
  const Operand* operand = any();
  if (!operand) return;
  std::vector<Source>& all = symbols_.code().moreSources;
  if (op.moreBegin == op.moreEnd) op.moreBegin = static_cast<std::uint32_t>(all.size());
  auto append = [&](const Operand& element) {
    auto source = sourceOf(element, type);
    if (!source || (source->kind != Source::Kind::Register && element.kind != Operand::Kind::Number))
      return refuse();
    all.push_back(*source);
  };
  if (operand->kind == Operand::Kind::Vector)
    std::for_each(operand->elements.begin(), operand->elements.end(), append);
  else
    append(*operand);
  op.moreEnd = static_cast<std::uint32_t>(all.size());
}

void Binder::appendDestination(const Operand& operand, Type type) {
  unsigned needed = type == Type::B128 ? 2 : 1;
  if (operand.kind != Operand::Kind::Name || operand.negated || operand.offset || !operand.selector.empty() ||
      op.destinations + needed > kOperands)
    return refuse();
  Destination destination{symbols_.sink(), 64};
  if (operand.name != "_") {
    auto symbol = symbols_.find(operand.name);
    if (!symbol) symbols_.fail(instruction_.line, "nothing declares " + quote(operand.name));
    if (symbol->kind != Symbol::Kind::Register || bitsOf(symbol->type) < bitsOf(type)) return refuse();
    destination = {symbol->index, static_cast<std::uint8_t>(std::min(64u, bitsOf(symbol->type)))};
  }
  for (unsigned i = 0; i < needed; ++i, ++destination.slot) {
    op.dst[op.destinations++] = destination;
    writes_.push_back(destination.slot);
  }
}

void Binder::destination(Type type) {
  if (const Operand* operand = any()) appendDestination(*operand, type);
}

void Binder::destinations(Type type, unsigned count) {
  const Operand* operand = any();
  if (!operand) return;
  if (count == 1 && operand->kind != Operand::Kind::Vector) return appendDestination(*operand, type);
  if (operand->kind != Operand::Kind::Vector || operand->elements.size() != count) return refuse();
  for (const Operand& element : operand->elements)
    appendDestination(element, type);
}

std::string Binder::selectedSource(Type type) {
  const Operand* operand = any();
  if (!operand) return "";
  Operand whole = *operand;
  whole.selector.clear();
  appendSource(whole, type);
  return operand->selector;
}

std::string Binder::selectedDestination(Type type) {
  const Operand* operand = any();
  if (!operand) return "";
  Operand whole = *operand;
  whole.selector.clear();
  appendDestination(whole, type);
  return operand->selector;
}

std::optional<Slot> Binder::predicateOf(const Operand& operand) {
  if (operand.kind != Operand::Kind::Name || operand.offset || !operand.selector.empty()) return std::nullopt;
  auto symbol = symbols_.find(operand.name);
  if (!symbol || symbol->kind != Symbol::Kind::Predicate) return std::nullopt;
  return symbol->index;
}

bool Binder::peekPredicate() const {
  const Operand* operand = peek();
  if (!operand || operand->kind != Operand::Kind::Name) return false;
  auto symbol = symbols_.find(operand->name);
  return symbol && symbol->kind == Symbol::Kind::Predicate;
}

void Binder::predicate(unsigned place) {
  const Operand* operand = any();
  if (!operand) return;
  auto slot = predicateOf(*operand);
  if (!slot) return refuse();
  reads_.push_back(*slot | FunctionSymbols::kPredicateBit);
  op.psrc[place] = {*slot, operand->negated, false};
}

void Binder::predicateDestination() {
  const Operand* operand = any();
  if (!operand) return;
  if (operand->kind != Operand::Kind::Pair) return appendPredicateDestination(*operand);
  for (const Operand& element : operand->elements)
    appendPredicateDestination(element);
}

void Binder::appendPredicateDestination(const Operand& operand) {
  bool sink = operand.kind == Operand::Kind::Name && operand.name == "_" && operand.offset == 0;
  std::optional<Slot> slot = sink ? std::optional<Slot>(0) : predicateOf(operand);
  if (!slot || operand.negated || op.predicateDestinations == std::size(op.pdst)) return refuse();
  writes_.push_back(*slot | FunctionSymbols::kPredicateBit);
  op.pdst[op.predicateDestinations++] = *slot;
}

void Binder::destinationAndPredicate(Type type) {
  const Operand* operand = peek();
  if (!operand || operand->kind != Operand::Kind::Pair) return destination(type);
  any();
  if (operand->elements.size() != 2) return refuse();
  appendDestination(operand->elements[0], type);
  appendPredicateDestination(operand->elements[1]);
}

void Binder::carryIn() {
  reads_.push_back(symbols_.carry() | FunctionSymbols::kPredicateBit);
  op.psrc[0] = {symbols_.carry(), false, false};
}

void Binder::carryOut() {
  if (op.predicateDestinations == std::size(op.pdst)) return refuse();
  writes_.push_back(symbols_.carry() | FunctionSymbols::kPredicateBit);
  op.pdst[op.predicateDestinations++] = symbols_.carry();
}

void Binder::ignoreSource(Type type) {
  std::uint8_t sources = op.sources;
  source(type);
  op.sources = sources;
}

Address Binder::takeAddress(AddressSpace space) {
  address(space);
  return op.address;
}

void Binder::address(AddressSpace space) {
  const Operand* operand = any();
  if (!operand) return;
  if (operand->kind != Operand::Kind::Address || !operand->elements.empty()) return refuse();
  if (!operand->selector.empty() && operand->selector != "unified") return refuse();
  op.address.space = space;
  op.address.offset = operand->offset;
  if (operand->name.empty()) {
    op.address.base = symbols_.constant(0);
    return;
  }
  Operand base;
  base.name = operand->name;
  // 32-bit addresses are enough for shared, local and param.
  auto source = sourceOf(base, Type::B32);
  if (!source) return refuse();
  op.address.base = *source;
}

bool Binder::peekNumber() const {
  return peek() && peek()->kind == Operand::Kind::Number;
}

std::optional<std::int64_t> Binder::number() {
  const Operand* operand = any();
  if (!operand) return std::nullopt;
  if (operand->kind != Operand::Kind::Number ||
      (operand->number.kind != Number::Kind::Signed && operand->number.kind != Number::Kind::Unsigned)) {
    refuse();
    return std::nullopt;
  }
  return static_cast<std::int64_t>(operand->number.bits);
}

std::optional<unsigned> Binder::peekRegisterBits() const {
  const Operand* operand = peek();
  if (!operand || operand->kind != Operand::Kind::Name) return std::nullopt;
  auto symbol = symbols_.find(operand->name);
  if (!symbol || symbol->kind != Symbol::Kind::Register) return std::nullopt;
  return bitsOf(symbol->type);
}

void Binder::together(Source members) {
  op.together = Together::Members;
  op.members = members;
}

// ---- the instruction set

const std::vector<std::span<const OpcodeRow>>& opcodeFamilies() {
#define HARNESS_PTX_LIST(family) family##Opcodes(),
  static const std::vector<std::span<const OpcodeRow>> families = {HARNESS_PTX_FAMILIES(HARNESS_PTX_LIST)};
  return families;
}

const OpcodeRow* findOpcode(const Instruction& instruction) {
  using Key = std::pair<std::string_view, TypeClass>;
  static const std::map<Key, const OpcodeRow*> rows = [] {
    std::map<Key, const OpcodeRow*> all;
    for (std::span<const OpcodeRow> family : opcodeFamilies())
      for (const OpcodeRow& row : family)
        all.emplace(Key{row.name, row.types}, &row);
    return all;
  }();
  for (const std::string& modifier : instruction.modifiers) {
    auto type = typeNamed(modifier);
    if (!type) continue;
    if (auto found = rows.find({instruction.opcode, classOf(*type)}); found != rows.end())
      return found->second;
    break;
  }
  auto found = rows.find({instruction.opcode, TypeClass::Any});
  return found == rows.end() ? nullptr : found->second;
}

} // namespace harness::ptx

#include "harness/sass/binder.h"

#include <algorithm>

namespace harness::sass {

namespace {

std::optional<PredicateSource> predicateOf(const TextOperand& operand) {
  bool uniform = operand.kind == OperandKind::UniformPredicate;
  if ((!uniform && operand.kind != OperandKind::Predicate) || !operand.suffixes.empty() || operand.negated ||
      operand.absolute)
    return std::nullopt;
  return PredicateSource{static_cast<std::uint8_t>(operand.index), uniform, operand.inverted};
}

} // namespace

Binder::Binder(const TextInstruction& text, const Encoding& encoding)
    : text_(text), encoding_(encoding), modifiers_(text.modifiers) {
  if (!text.guard) return;
  if (auto guard = predicateOf(*text.guard))
    op.guard = *guard;
  else
    refuse();
}

bool Binder::take(std::string_view name) {
  auto found = std::find(modifiers_.begin(), modifiers_.end(), name);
  if (found == modifiers_.end()) return false;
  modifiers_.erase(found);
  return true;
}

void Binder::ignore(std::initializer_list<std::string_view> names) {
  for (std::string_view name : names)
    take(name);
}

unsigned Binder::choice(std::initializer_list<std::string_view> names, unsigned otherwise) {
  unsigned place = 0;
  for (std::string_view name : names) {
    if (take(name)) return place;
    ++place;
  }
  return otherwise;
}

std::string Binder::nextModifier() {
  if (modifiers_.empty()) return {};
  std::string first = modifiers_.front();
  modifiers_.erase(modifiers_.begin());
  return first;
}

const TextOperand* Binder::peek() const {
  return next_ < text_.operands.size() ? &text_.operands[next_] : nullptr;
}

bool Binder::peekPredicate() const {
  const TextOperand* operand = peek();
  return operand &&
         (operand->kind == OperandKind::Predicate || operand->kind == OperandKind::UniformPredicate);
}

const TextOperand* Binder::next() {
  const TextOperand* operand = peek();
  if (operand)
    ++next_;
  else
    refuse();
  return operand;
}

const TextOperand* Binder::any() {
  return next();
}

Destination Binder::destination(bool uniform) {
  const TextOperand* operand = next();
  if (!operand) return {};
  if (operand->kind != (uniform ? OperandKind::UniformRegister : OperandKind::Register) ||
      !operand->suffixes.empty() || operand->negated || operand->inverted || operand->absolute)
    refuse();
  return {static_cast<std::uint8_t>(operand->index), uniform};
}

Destination Binder::destination() {
  return destination(op.uniform);
}

Destination Binder::destination64() {
  Destination pair = destination(op.uniform);
  if (!isPair(pair.uniform, pair.index)) refuse();
  return pair;
}

Destination Binder::uniformDestination() {
  return destination(true);
}

bool Binder::isPair(bool uniform, unsigned index) const {
  if (index == kZeroRegister) return true;
  // Up to sm_90 the last uniform register is UR62; in the encoding URZ follows it.
  unsigned last = uniform && encoding_.sm < 100 ? 60 : 252;
  return index % 2 == 0 && index <= last;
}

PredicateDestination Binder::predicateDestination() {
  return predicateDestination(op.uniform);
}

PredicateDestination Binder::uniformPredicateDestination() {
  return predicateDestination(true);
}

PredicateDestination Binder::predicateDestination(bool uniform) {
  const TextOperand* operand = next();
  if (!operand) return {};
  auto predicate = predicateOf(*operand);
  if (!predicate || predicate->negated || predicate->uniform != uniform) {
    refuse();
    return {};
  }
  return {predicate->index, predicate->uniform};
}

PredicateSource Binder::predicate() {
  const TextOperand* operand = next();
  if (!operand) return {};
  auto predicate = predicateOf(*operand);
  if (!predicate || (op.uniform && !predicate->uniform)) {
    refuse();
    return {};
  }
  return *predicate;
}

/// The value without its sign; nothing if it is neither register nor constant, or has a suffix.
std::optional<Source> Binder::fromRegisterOrConstant(const TextOperand& operand, bool wide) {
  if (!operand.suffixes.empty()) return std::nullopt;
  Source source;
  switch (operand.kind) {
  case OperandKind::Register:
  case OperandKind::UniformRegister:
    if (operand.kind == OperandKind::Register && op.uniform) return std::nullopt;
    if (wide && !isPair(operand.kind == OperandKind::UniformRegister, operand.index)) return std::nullopt;
    source.kind = operand.kind == OperandKind::Register ? Source::Kind::Register : Source::Kind::Uniform;
    source.index = static_cast<std::uint8_t>(operand.index);
    return source;
  case OperandKind::Constant:
    if (!operand.baseSuffixes.empty() || operand.uniformBase64 || (operand.base && operand.uniform))
      return std::nullopt;
    source.bank = static_cast<std::uint8_t>(operand.bank);
    source.offset = static_cast<std::uint32_t>(operand.number);
    source.kind = Source::Kind::Constant;
    if (operand.base || operand.uniform) {
      source.kind = Source::Kind::ConstantIndexed;
      source.uniformIndex = operand.uniform.has_value();
      source.index = static_cast<std::uint8_t>(operand.base.value_or(operand.uniform.value_or(0)));
    }
    return source;
  default: return std::nullopt;
  }
}

Source Binder::source(Transform negate, Transform absolute, Transform negateAbsolute, Transform invert,
                      bool wide) {
  const TextOperand* operand = next();
  if (!operand) return {};
  if (operand->kind == OperandKind::Number && !operand->isFloat) {
    Source immediate;
    immediate.immediate = static_cast<std::uint64_t>(operand->number);
    if (!wide) immediate.immediate &= 0xffffffff;
    if (operand->inverted || operand->absolute) refuse();
    return immediate;
  }
  auto source = fromRegisterOrConstant(*operand, wide);
  if (!source) {
    refuse();
    return {};
  }
  if (operand->negated && operand->absolute)
    source->transform = negateAbsolute;
  else if (operand->negated)
    source->transform = negate;
  else if (operand->absolute)
    source->transform = absolute;
  else if (operand->inverted)
    source->transform = invert;
  bool asked = operand->negated || operand->absolute || operand->inverted;
  if ((asked && source->transform == Transform::None) ||
      (operand->inverted && (operand->negated || operand->absolute)))
    refuse();
  return *source;
}

Source Binder::integer() {
  return source(Transform::IntNegate, Transform::None, Transform::None, Transform::IntNot, false);
}

Source Binder::integer64() {
  return source(Transform::IntNegate, Transform::None, Transform::None, Transform::IntNot, true);
}

Source Binder::real() {
  if (const TextOperand* operand = peek(); operand && operand->kind == OperandKind::Number) {
    next();
    Source immediate;
    immediate.immediate = encoding_.low >> 32;
    return immediate;
  }
  return source(Transform::FloatNegate, Transform::FloatAbs, Transform::FloatNegateAbs, Transform::None,
                false);
}

Source Binder::real64() {
  if (const TextOperand* operand = peek(); operand && operand->kind == OperandKind::Number) {
    next();
    Source immediate;
    immediate.immediate = encoding_.low & 0xffffffff00000000;
    return immediate;
  }
  return source(Transform::FloatNegate, Transform::FloatAbs, Transform::FloatNegateAbs, Transform::None,
                true);
}

Binder::Part Binder::part() {
  const TextOperand* operand = next();
  if (!operand) return {};
  TextOperand whole = *operand;
  whole.suffixes.clear();
  auto source = fromRegisterOrConstant(whole, false);
  if (!source || operand->suffixes.size() > 1 || operand->inverted) {
    refuse();
    return {};
  }
  return {*source, operand->suffixes.empty() ? std::string() : operand->suffixes[0], operand->negated,
          operand->absolute};
}

std::uint64_t Binder::number() {
  const TextOperand* operand = next();
  if (!operand) return 0;
  if (operand->kind != OperandKind::Number || operand->isFloat || operand->inverted || operand->absolute)
    refuse();
  return static_cast<std::uint64_t>(operand->number);
}

Address Binder::address() {
  const TextOperand* operand = next();
  if (!operand) return {};
  if (operand->kind != OperandKind::Memory || !operand->suffixes.empty() || operand->negated ||
      operand->inverted || operand->absolute) {
    refuse();
    return {};
  }
  Address address;
  address.base = static_cast<std::uint8_t>(operand->base.value_or(kZeroRegister));
  address.uniform = static_cast<std::uint8_t>(operand->uniform.value_or(kZeroRegister));
  address.uniform64 = operand->uniformBase64;
  address.offset = operand->number;
  for (const std::string& suffix : operand->baseSuffixes) {
    if (suffix == "64")
      address.base64 = true;
    else if (suffix == "X4")
      address.scale = 2;
    else if (suffix == "X8")
      address.scale = 3;
    else if (suffix == "X16")
      address.scale = 4;
    else if (suffix != "U32")
      refuse();
  }
  return address;
}

std::uint64_t Binder::target() {
  return encoding_.sectionAddress + number();
}

unsigned Binder::barrier() {
  const TextOperand* operand = next();
  if (!operand) return 0;
  if (operand->kind != OperandKind::Barrier || !operand->suffixes.empty() || operand->negated ||
      operand->inverted || operand->absolute)
    refuse();
  return operand->index & 15;
}

std::optional<unsigned> partOffset(std::string_view suffix, unsigned width) {
  if (suffix.empty()) return 0;
  if (suffix.size() != 2 || suffix[0] != (width == 16 ? 'H' : 'B') || (width != 8 && width != 16))
    return std::nullopt;
  unsigned offset = static_cast<unsigned>(suffix[1] - '0') * width;
  if (suffix[1] < '0' || offset >= 32) return std::nullopt;
  return offset;
}

bool Binder::complete() const {
  // Of two results in one predicate it is not known which one stays.
  bool twice = op.pdst[0].index != kTruePredicate && op.pdst[0].index == op.pdst[1].index;
  bool guardFits = !op.uniform || op.guard.uniform || op.guard.index == kTruePredicate;
  return !refused_ && !twice && guardFits && modifiers_.empty() && next_ == text_.operands.size();
}

} // namespace harness::sass

#include "harness/sass/access.h"
#include "harness/sass/mma_operation.h"
#include "harness/sass/operands.h"

#include <algorithm>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;

/// The registers of an operand; RZ gives zeros.
struct Operand {
  Operand(const Warp& warp, const Source& first, unsigned words) {
    static constexpr Lanes kZeros = {};
    for (unsigned i = 0; i < words; ++i)
      words_[i] = first.index == kZeroRegister ? kZeros.v : warp.registers[first.index + i].v;
  }
  const u32* const* words() const { return words_; }

private:
  const u32* words_[MmaForm::kMostWords];
};

/// src[0], src[1], src[2] = A, B, C; with scales option[0], option[1] = registers of A's and B's, src[3] =
/// the selector.
template <bool Scaled> void multiply(Warp& w, const Op& op, LaneMask mask) {
  requireWholeWarp(mask, "a tensor-core instruction");
  const MmaOperation& operation = *op.mma;
  const MmaForm& form = operation.form();
  Operand a(w, op.src[0], form.aWords()), b(w, op.src[1], form.bWords()), c(w, op.src[2], form.cWords());
  MmaOperation::Scales scales;
  Source first, second;
  first.kind = second.kind = Source::Kind::Register;
  first.index = static_cast<std::uint8_t>(op.option[0]);
  second.index = static_cast<std::uint8_t>(op.option[1]);
  Operand aScales(w, first, Scaled), bScales(w, second, Scaled);
  if constexpr (Scaled) {
    Lanes scratch;
    scales = {aScales.words()[0], bScales.words()[0], w.fetch(op.src[3], scratch)[0]};
    if (!operation.hasSelector(scales.selector)) unsupported("a selector of scales that PTX does not have");
  }
  Lanes d[MmaForm::kMostWords];
  operation.multiply(d, a.words(), b.words(), c.words(), scales);
  writeGroup(w, op.dst, d, form.dWords(), mask);
}

/// A, B and C: groups of up to four registers are aligned to their size.
Source takeMatrix(Binder& b, unsigned words) {
  const TextOperand* operand = b.any();
  Source source;
  if (!operand || operand->kind != OperandKind::Register || operand->negated || operand->inverted ||
      operand->absolute) {
    b.refuse();
    return source;
  }
  source.kind = Source::Kind::Register;
  source.index = static_cast<std::uint8_t>(operand->index);
  bool inside = source.index == kZeroRegister || source.index + words <= kZeroRegister;
  if (!inside || (source.index != kZeroRegister && source.index % std::min(words, 4u) != 0)) b.refuse();
  return source;
}

/// The register of scales; a suffix it does not have.
u32 takeScale(Binder& b) {
  Source source = b.integer();
  if (source.kind != Source::Kind::Register || source.transform != Transform::None) b.refuse();
  return source.index;
}

void bindMma(Binder& b) {
  auto form = mmaForm(b.text());
  while (!b.nextModifier().empty()) {
  }
  b.op.mma = form ? findMmaOperation(*form, b.encoding().sm) : nullptr;
  if (!b.op.mma) return b.refuse();
  b.op.dst = b.destination();
  unsigned words = form->dWords();
  if (b.op.dst.index == kZeroRegister || b.op.dst.index + words > kZeroRegister ||
      b.op.dst.index % std::min(words, 4u) != 0)
    b.refuse();
  b.op.src[0] = takeMatrix(b, form->aWords());
  b.op.src[1] = takeMatrix(b, form->bWords());
  b.op.src[2] = takeMatrix(b, form->cWords());
  const TextOperand* c = b.text().operands.size() > 3 ? &b.text().operands[3] : nullptr;
  if (!c || !c->suffixes.empty()) b.refuse();
  if (form->hasScales()) {
    b.op.option[0] = takeScale(b);
    b.op.option[1] = takeScale(b);
    b.op.src[3] = b.integer();
    if (b.op.src[3].kind != Source::Kind::Uniform || b.op.src[3].transform != Transform::None) b.refuse();
  }
  b.op.run = form->hasScales() ? multiply<true> : multiply<false>;
}

constexpr OpcodeRow kRows[] = {{"HMMA", bindMma}, {"IMMA", bindMma}, {"BMMA", bindMma},
                               {"DMMA", bindMma}, {"QMMA", bindMma}, {"OMMA", bindMma}};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::mmaOpcodes() {
  return kRows;
}

} // namespace harness::sass

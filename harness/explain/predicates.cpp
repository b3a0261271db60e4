#include "harness/explain/predicates.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSwitch.h>

#include <algorithm>

namespace harness::explain {

namespace {

/// The outcomes of a comparison for which it holds.
constexpr unsigned kNone = 0, kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8, kAll = 15;

struct Comparison {
  unsigned holds = kNone;
  bool isSigned = true, isFloat = false;
  llvm::SmallVector<llvm::StringRef> operands;
};

unsigned outcomesOf(llvm::StringRef name) {
  return llvm::StringSwitch<unsigned>(name)
      .CasesLower("lt", "lo", kLess)
      .CasesLower("le", "ls", kLess | kEqual)
      .CasesLower("gt", "hi", kGreater)
      .CasesLower("ge", "hs", kGreater | kEqual)
      .CaseLower("eq", kEqual)
      .CaseLower("ne", kLess | kGreater)
      .CaseLower("ltu", kLess | kUnordered)
      .CaseLower("leu", kLess | kEqual | kUnordered)
      .CaseLower("gtu", kGreater | kUnordered)
      .CaseLower("geu", kGreater | kEqual | kUnordered)
      .CaseLower("equ", kEqual | kUnordered)
      .CaseLower("neu", kLess | kGreater | kUnordered)
      .Default(kNone);
}

/// "ISETP.GE.U32.AND P0, PT, R4, R5, PT", "setp.lt.u16 %p1, %rs1, %rs2": the comparison and what is compared.
std::optional<Comparison> parse(llvm::StringRef text) {
  if (text.starts_with("@")) text = text.split(' ').second;
  auto [mnemonic, rest] = text.split(' ');
  llvm::SmallVector<llvm::StringRef> parts, operands;
  mnemonic.split(parts, '.');
  rest.split(operands, ", ");
  llvm::StringRef opcode = parts.front();
  bool isPtx = opcode == "setp";
  if (!isPtx && opcode != "ISETP" && opcode != "FSETP") return std::nullopt;
  Comparison comparison;
  parts.erase(parts.begin());
  for (llvm::StringRef part : parts) {
    if (comparison.holds == kNone) comparison.holds = outcomesOf(part);
    if (part.equals_insensitive("u32") || part == "u16" || part == "u64") comparison.isSigned = false;
    if (part.equals_insensitive("ex") || part == "OR" || part == "XOR" || part == "or" || part == "xor")
      return std::nullopt;
    comparison.isFloat |= part.starts_with("f");
    if (part == "lo" || part == "ls" || part == "hi" || part == "hs") comparison.isSigned = false;
  }
  comparison.isFloat |= opcode == "FSETP";
  if (isPtx) {
    if (operands.size() != 3) return std::nullopt;
    comparison.operands.assign({operands[1], operands[2]});
  } else {
    // A second predicate that takes part makes it another thing.
    if (operands.size() != 5 || operands[1] != "PT" || operands[4] != "PT") return std::nullopt;
    comparison.operands.assign({operands[2], operands[3]});
  }
  if (comparison.holds == kNone) return std::nullopt;
  return comparison;
}

unsigned mirrored(unsigned outcomes) {
  return (outcomes & (kEqual | kUnordered)) | (outcomes & kLess ? kGreater : 0) |
         (outcomes & kGreater ? kLess : 0);
}

/// The value of a register among what a step reads; nothing if it is none, or changed by a sign.
std::optional<std::uint64_t> valueOf(History& history, StepRef step, llvm::StringRef operand) {
  const Trace& trace = history.trace(step.thread);
  operand = operand.split('.').first;
  for (const TraceValue& value : history.reads(step))
    if (value.width > 1 && !trace.name(value).empty() && operand == llvm::StringRef(trace.name(value)))
      return value.bits;
  return std::nullopt;
}

bool fits(const std::optional<std::uint64_t>& sass, const std::optional<std::uint64_t>& ptx, unsigned width) {
  std::uint64_t mask = width >= 32 ? 0xffffffff : 0xffff;
  return sass && ptx && (*sass & mask) == (*ptx & mask);
}

} // namespace

std::optional<bool> agrees(History& sass, History& ptx, Alignment& alignment, const ValueRef& sassPredicate) {
  auto counterpart = alignment.counterpart(sassPredicate.at);
  if (!counterpart) return std::nullopt;
  const std::string &sassText = sass.instruction(sassPredicate.at).text,
                    &ptxText = ptx.instruction(*counterpart).text;
  auto ours = parse(sassText), theirs = parse(ptxText);
  std::span<const TraceValue> written = ptx.writes(*counterpart);
  if (!ours || !theirs || written.size() != 1 || written[0].width != 1) return std::nullopt;
  unsigned width = llvm::StringRef(ptxText).contains("16 ") ? 16 : 32;
  std::optional<std::uint64_t> a[2], b[2];
  for (unsigned i = 0; i < 2; ++i) {
    a[i] = valueOf(sass, sassPredicate.at, ours->operands[i]);
    b[i] = valueOf(ptx, *counterpart, theirs->operands[i]);
  }
  bool straight = fits(a[0], b[0], width) || fits(a[1], b[1], width);
  bool crossed = fits(a[0], b[1], width) || fits(a[1], b[0], width);
  if (straight == crossed || ours->isFloat != theirs->isFloat) return std::nullopt;
  unsigned known = ours->isFloat ? kAll : kAll & ~kUnordered;
  unsigned holds = (crossed ? mirrored(theirs->holds) : theirs->holds) & known;
  unsigned oursHolds = ours->holds & known;
  bool ordered = (holds & (kLess | kGreater)) != 0 && (holds & (kLess | kGreater)) != (kLess | kGreater);
  if (ordered && !ours->isFloat && ours->isSigned != theirs->isSigned) return std::nullopt;
  bool value = sass.value(sassPredicate).bits, right = written[0].bits;
  if (oursHolds == holds) return value == right;
  if (oursHolds == (~holds & known)) return value != right;
  return std::nullopt;
}

} // namespace harness::explain

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
  bool isSigned = true, isFloat = false, isHalf = false;
  bool combined = false; ///< with another predicate
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
    if (part.equals_insensitive("ex") || part == "and" || part == "or" || part == "xor") return std::nullopt;
    comparison.isHalf |= part == "u16" || part == "s16" || part == "b16";
    comparison.isFloat |= part.starts_with("f");
    if (part == "lo" || part == "ls" || part == "hi" || part == "hs") comparison.isSigned = false;
  }
  comparison.isFloat |= opcode == "FSETP";
  if (isPtx) {
    if (operands.size() != 3) return std::nullopt;
    comparison.operands.assign({operands[1], operands[2]});
  } else {
    if (operands.size() != 5 || operands[1] != "PT") return std::nullopt;
    comparison.combined = operands[4] != "PT";
    comparison.operands.assign({operands[2], operands[3]});
  }
  if (comparison.holds == kNone) return std::nullopt;
  return comparison;
}

unsigned mirrored(unsigned outcomes) {
  return (outcomes & (kEqual | kUnordered)) | (outcomes & kLess ? kGreater : 0) |
         (outcomes & kGreater ? kLess : 0);
}

/// A register's value among what a step reads; nothing if it is none, or changed by a sign.
std::optional<ValueRef> readOf(History& history, StepRef step, llvm::StringRef operand) {
  const Trace& trace = history.trace(step.thread);
  operand = operand.split('.').first;
  std::span<const TraceValue> reads = history.reads(step);
  for (std::uint32_t i = 0; i < reads.size(); ++i)
    if (reads[i].width > 1 && !trace.name(reads[i]).empty() &&
        operand == llvm::StringRef(trace.name(reads[i])))
      return ValueRef{step, false, i};
  return std::nullopt;
}

/// The bits of an operand, be it a register or a number.
std::optional<std::uint64_t> valueOf(History& history, StepRef step, llvm::StringRef operand) {
  if (auto read = readOf(history, step, operand)) return history.value(*read).bits;
  std::int64_t number = 0;
  if (operand == "RZ" || operand == "URZ") return 0;
  if (operand.getAsInteger(0, number)) return std::nullopt;
  return static_cast<std::uint64_t>(number);
}

unsigned outcomeOf(std::uint64_t a, std::uint64_t b, bool isSigned) {
  auto x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
  if (x == y) return kEqual;
  bool less = isSigned ? static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y) : x < y;
  return less ? kLess : kGreater;
}

/// A comparison of SASS, and one of PTX that compares the same values.
struct Pair {
  Comparison sass, ptx;
  StepRef ptxStep;
  bool straight = false, crossed = false; ///< which operand is which; both if they are equal
  std::optional<std::uint64_t> operands[2];
};

/// The steps of PTX that may be what SASS compares for: of the comparison's line, then of those that its
/// operands come from.
std::vector<StepRef> comparedBy(History& sass, Alignment& alignment, StepRef step) {
  constexpr std::size_t kMostLines = 8;
  std::vector<StepRef> steps = {step}, found;
  for (std::size_t at = 0; at < steps.size() && steps.size() < kMostLines; ++at) {
    std::size_t reads = sass.reads(steps[at]).size();
    for (std::uint32_t i = 0; i < reads; ++i) {
      ValueRef read{steps[at], false, i};
      if (sass.value(read).width == 1 || sass.value(read).role != TraceRole::Data) continue;
      Origin origin = sass.originOf(read);
      if (origin.kind == Origin::Kind::Step && origin.value.written &&
          copiedBy(sass.instruction(origin.value.at).text))
        steps.push_back(origin.value.at);
    }
  }
  for (StepRef one : steps)
    if (auto counterpart = alignment.counterpart(one)) found.push_back(*counterpart);
  return found;
}

bool fits(const std::optional<std::uint64_t>& sass, const std::optional<std::uint64_t>& ptx, bool isHalf) {
  std::uint64_t mask = isHalf ? 0xffff : 0xffffffff;
  return sass && ptx && (*sass & mask) == (*ptx & mask);
}

std::optional<Pair> pairOf(History& sass, History& ptx, Alignment& alignment, StepRef step) {
  auto ours = parse(sass.instruction(step).text);
  if (!ours) return std::nullopt;
  std::vector<StepRef> candidates = comparedBy(sass, alignment, step);
  for (std::size_t place = 0; place < candidates.size(); ++place) {
    StepRef candidate = candidates[place];
    auto theirs = parse(ptx.instruction(candidate).text);
    std::span<const TraceValue> written = ptx.writes(candidate);
    if (!theirs || written.size() != 1 || written[0].width != 1 || ours->isFloat != theirs->isFloat) continue;
    Pair pair{*ours, *theirs, candidate, false, false, {}};
    std::optional<std::uint64_t> b[2];
    for (unsigned i = 0; i < 2; ++i) {
      pair.operands[i] = valueOf(sass, step, ours->operands[i]);
      b[i] = valueOf(ptx, candidate, theirs->operands[i]);
    }
    bool isHalf = theirs->isHalf;
    auto fit = [&](unsigned mine, unsigned its) { return fits(pair.operands[mine], b[its], isHalf); };
    // Of the comparison's own line one operand is enough: ptxas may have another constant.
    bool own = candidate == alignment.counterpart(step) && !ours->combined;
    pair.straight = own ? fit(0, 0) || fit(1, 1) : fit(0, 0) && fit(1, 1);
    pair.crossed = own ? fit(0, 1) || fit(1, 0) : fit(0, 1) && fit(1, 0);
    if (pair.straight || pair.crossed) return pair;
  }
  return std::nullopt;
}

constexpr unsigned kFalse = 1, kTrue = 2;

/// What the comparison should give, going by PTX; 0 if the two are not the same or opposite.
unsigned expected(const Pair& pair, bool crossed, bool right) {
  unsigned known = pair.sass.isFloat ? kAll : kAll & ~kUnordered;
  unsigned holds = (crossed ? mirrored(pair.ptx.holds) : pair.ptx.holds) & known;
  unsigned ours = pair.sass.holds & known;
  bool ordered = (holds & (kLess | kGreater)) != 0 && (holds & (kLess | kGreater)) != (kLess | kGreater);
  if (ordered && !pair.sass.isFloat && pair.sass.isSigned != pair.ptx.isSigned) return 0;
  if (ours == holds) return right ? kTrue : kFalse;
  if (ours == (~holds & known)) return right ? kFalse : kTrue;
  return 0;
}

/// What the comparison gave, whatever it was combined with.
std::optional<bool> gave(const Pair& pair, bool result) {
  if (!pair.sass.combined) return result;
  if (pair.sass.isFloat || !pair.operands[0] || !pair.operands[1]) return std::nullopt;
  return (outcomeOf(*pair.operands[0], *pair.operands[1], pair.sass.isSigned) & pair.sass.holds) != 0;
}

} // namespace

std::optional<bool> agrees(History& sass, History& ptx, Alignment& alignment, const ValueRef& sassPredicate) {
  auto pair = pairOf(sass, ptx, alignment, sassPredicate.at);
  if (!pair) return std::nullopt;
  auto result = gave(*pair, sass.value(sassPredicate).bits);
  bool right = ptx.writes(pair->ptxStep)[0].bits;
  unsigned should = (pair->straight ? expected(*pair, false, right) : 0) |
                    (pair->crossed ? expected(*pair, true, right) : 0);
  if (!result || (should != kTrue && should != kFalse)) return std::nullopt;
  return *result == (should == kTrue);
}

bool isWronglyExtended(History& sass, History& ptx, Alignment& alignment, const ValueRef& read) {
  auto pair = pairOf(sass, ptx, alignment, read.at);
  if (!pair || !pair->ptx.isHalf || !pair->operands[0] || !pair->operands[1]) return false;
  std::uint64_t own = sass.value(read).bits, other = 0;
  bool found = false;
  for (unsigned i = 0; i < 2; ++i)
    if (readOf(sass, read.at, pair->sass.operands[i]) == read) {
      found = true;
      other = *pair->operands[1 - i];
    }
  auto form = [](std::uint64_t word) { return std::pair{isZeroExtended(word), isSignExtended(word)}; };
  // Both extended in the same way compare as they should, mostly.
  if (!found || form(own) == form(other)) return false;
  bool negative = own & 0x8000, bothNegative = negative && (other & 0x8000);
  return pair->ptx.isSigned ? negative && isZeroExtended(own) : bothNegative && !isZeroExtended(own);
}

std::optional<ValueRef> combinedWith(History& sass, const ValueRef& sassPredicate) {
  auto comparison = parse(sass.instruction(sassPredicate.at).text);
  if (!comparison || !comparison->combined) return std::nullopt;
  std::span<const TraceValue> reads = sass.reads(sassPredicate.at);
  for (std::uint32_t i = 0; i < reads.size(); ++i)
    if (reads[i].width == 1 && reads[i].role == TraceRole::Data) return ValueRef{sassPredicate.at, false, i};
  return std::nullopt;
}

} // namespace harness::explain

#include "harness/sass/float_compare.h"
#include "harness/sass/lanes.h"
#include "harness/sass/rounding.h"

#include <cmath>
#include <span>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

double asDouble(u64 bits) {
  return std::bit_cast<double>(bits);
}

bool isNan(u64 bits) {
  return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
}

/// A result as the instruction leaves it. PTX ISA: f64 arithmetic keeps the payloads of NaNs. Of several the
/// first operand's is taken, as x86 does [assumed]; an invalid operation gives 0xfff8000000000000.
template <typename... Operands> u64 finish(double value, Operands... operands) {
  constexpr u64 kQuiet = u64{1} << 51, kInvalid = 0xfff8000000000000;
  if (!std::isnan(value)) return std::bit_cast<u64>(value);
  for (u64 operand : {operands...})
    if (isNan(operand)) return operand | kQuiet;
  return kInvalid;
}

struct Add {
  double operator()(double a, double b) const { return a + b; }
};
struct Multiply {
  double operator()(double a, double b) const { return a * b; }
};

template <typename F> void run2(Warp& w, const Op& op, LaneMask mask) {
  RoundingScope scope(static_cast<Rounding>(op.option[0]));
  u64 a[kLanes], b[kLanes], out[kLanes];
  w.fetch64(op.src[0], a);
  w.fetch64(op.src[1], b);
  for (unsigned i = 0; i < kLanes; ++i)
    out[i] = finish(F{}(asDouble(a[i]), asDouble(b[i])), a[i], b[i]);
  w.write64(op.dst, out, mask);
}

void runDfma(Warp& w, const Op& op, LaneMask mask) {
  RoundingScope scope(static_cast<Rounding>(op.option[0]));
  u64 a[kLanes], b[kLanes], c[kLanes], out[kLanes];
  w.fetch64(op.src[0], a);
  w.fetch64(op.src[1], b);
  w.fetch64(op.src[2], c);
  for (unsigned i = 0; i < kLanes; ++i)
    out[i] = finish(std::fma(asDouble(a[i]), asDouble(b[i]), asDouble(c[i])), a[i], b[i], c[i]);
  w.write64(op.dst, out, mask);
}

void takeOperands(Binder& b, unsigned count) {
  b.op.option[0] = static_cast<u32>(takeRounding(b));
  b.op.dst = b.destination64();
  for (Source& source : std::span(b.op.src, count))
    source = b.real64();
}

void bindDadd(Binder& b) {
  takeOperands(b, 2);
  b.op.run = run2<Add>;
}

void bindDmul(Binder& b) {
  takeOperands(b, 2);
  b.op.run = run2<Multiply>;
}

void bindDfma(Binder& b) {
  takeOperands(b, 3);
  b.op.run = runDfma;
}

// ---- comparison

void runDsetp(Warp& w, const Op& op, LaneMask mask) {
  u64 a[kLanes], b[kLanes];
  w.fetch64(op.src[0], a);
  w.fetch64(op.src[1], b);
  LaneMask holds = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    holds |= LaneMask{(relation(asDouble(a[i]), asDouble(b[i])) & op.option[0]) != 0} << i;
  writeComparison(w, op, mask, holds, static_cast<BoolOp>(op.option[1]));
}

/// DSETP.MIN, .MAX: the first predicate chooses `a`, also when only `b` is a NaN; the second says that both
/// are (ptxas then takes b and makes it quiet). -0 is less than +0 [assumed].
void runDsetpMinMax(Warp& w, const Op& op, LaneMask mask) {
  bool minimum = op.option[0];
  u64 a[kLanes], b[kLanes];
  w.fetch64(op.src[0], a);
  w.fetch64(op.src[1], b);
  auto order = [](u64 x) { return x >> 63 ? ~x : x | u64{1} << 63; };
  LaneMask first = 0, neither = 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    bool aIsNan = isNan(a[i]), bIsNan = isNan(b[i]);
    bool takesA = bIsNan ? !aIsNan : !aIsNan && (order(a[i]) < order(b[i])) == minimum;
    first |= LaneMask{takesA} << i;
    neither |= LaneMask{aIsNan && bIsNan} << i;
  }
  w.write(op.pdst[0], first, mask);
  w.write(op.pdst[1], neither, mask);
}

void bindDsetp(Binder& b) {
  constexpr unsigned kMinimum = 0, kComparison = 2;
  unsigned kind = b.choice({"MIN", "MAX"}, kComparison);
  b.op.option[0] = kind == kComparison ? takeFloatCompare(b) : kind == kMinimum;
  b.op.option[1] = static_cast<u32>(takeBoolOp(b));
  b.op.pdst[0] = b.predicateDestination();
  b.op.pdst[1] = b.predicateDestination();
  b.op.src[0] = b.real64();
  b.op.src[1] = b.real64();
  b.op.psrc[0] = b.predicate();
  b.op.run = runDsetp;
  if (kind == kComparison) return;
  // Combined with another predicate it has not been met.
  bool alone = static_cast<BoolOp>(b.op.option[1]) == BoolOp::And && b.op.psrc[0].index == kTruePredicate &&
               !b.op.psrc[0].negated;
  if (!alone) b.refuse();
  b.op.run = runDsetpMinMax;
}

constexpr OpcodeRow kRows[] = {
    {"DADD", bindDadd}, {"DMUL", bindDmul}, {"DFMA", bindDfma}, {"DSETP", bindDsetp}};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::doubleOpcodes() {
  return kRows;
}

} // namespace harness::sass

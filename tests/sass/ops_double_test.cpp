// f64 opcodes against llvm::APFloat.

#include "tests/sass/op_test.h"
#include "tests/sass/soft_float.h"

namespace harness::sass::test {
namespace {

using llvm::APFloat;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 kSign = u64{1} << 63, kQuiet = u64{1} << 51;

struct Direction {
  const char* word;
  Mode mode;
};
constexpr Direction kDirections[] = {{"", kNearest}, {".RM", kDown}, {".RP", kUp}, {".RZ", kZero}};

const std::vector<u64>& doubleEdges() {
  static const std::vector<u64> kEdges = {
      0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800fffffffffffff, 0x0010000000000000,
      0x3ca0000000000000, 0x3ca0000000000001, 0x3cb0000000000000, 0x3fe0000000000000, 0x3fefffffffffffff,
      0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001, 0x3ff8000000000000, 0xc008000000000000,
      0x432fffffffffffff, 0x4330000000000001, 0x5fe0000000000000, 0x7fefffffffffffff, 0xffefffffffffffff,
      0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000012345, 0x7ff0000000000001};
  return kEdges;
}

/// PTX ISA: payloads are kept. Which of several NaNs wins is assumed: the first; an invalid operation gives
/// 0xfff8000000000000.
u64 result(const APFloat& value, std::initializer_list<u64> operands) {
  if (!value.isNaN()) return value.bitcastToAPInt().getZExtValue();
  for (u64 operand : operands)
    if (twice(operand).isNaN()) return operand | kQuiet;
  return 0xfff8000000000000;
}

u64 add(u64 a, u64 b, Mode mode) {
  APFloat sum = twice(a);
  sum.add(twice(b), mode);
  return result(sum, {a, b});
}

u64 multiply(u64 a, u64 b, Mode mode) {
  APFloat product = twice(a);
  product.multiply(twice(b), mode);
  return result(product, {a, b});
}

u64 multiplyAdd(u64 a, u64 b, u64 c, Mode mode) {
  APFloat sum = twice(a);
  sum.fusedMultiplyAdd(twice(b), twice(c), mode);
  return result(sum, {a, b, c});
}

TEST(SassDouble, Dadd) {
  for (const Direction& direction : kDirections)
    checkLanes({std::string("DADD") + direction.word + " R20, R10, R12",
                [=](const LaneInput& in, LaneOutput& out) {
                  out.pair(add(in.pair(0), in.pair(2), direction.mode));
                }},
               widePairs(doubleEdges()));
  checkLanes({"DADD R20, -R10, |R12|",
              [](const LaneInput& in, LaneOutput& out) {
                out.pair(add(in.pair(0) ^ kSign, in.pair(2) & ~kSign, kNearest));
              }},
             widePairs(doubleEdges()));
  // A negated zero register is -0: a move, except for NaNs that become quiet.
  checkLanes({"DADD R20, -RZ, -R10",
              [](const LaneInput& in, LaneOutput& out) {
                u64 value = in.pair(0) ^ kSign;
                out.pair(twice(value).isNaN() ? value | kQuiet : value);
              }},
             widePairs(doubleEdges()));
}

TEST(SassDouble, Dmul) {
  for (const Direction& direction : kDirections)
    checkLanes({std::string("DMUL") + direction.word + " R20, R10, -R12",
                [=](const LaneInput& in, LaneOutput& out) {
                  out.pair(multiply(in.pair(0), in.pair(2) ^ kSign, direction.mode));
                }},
               widePairs(doubleEdges()));
}

TEST(SassDouble, Dfma) {
  std::vector<LaneInput> inputs;
  for (u64 third : doubleEdges())
    for (LaneInput input : widePairs(doubleEdges())) {
      input.r[4] = static_cast<u32>(third);
      input.r[5] = static_cast<u32>(third >> 32);
      inputs.push_back(input);
    }
  for (const Direction& direction : kDirections)
    checkLanes({std::string("DFMA") + direction.word + " R20, R10, R12, R14",
                [=](const LaneInput& in, LaneOutput& out) {
                  out.pair(multiplyAdd(in.pair(0), in.pair(2), in.pair(4), direction.mode));
                }},
               inputs);
  checkLanes({"DFMA R20, -R10, R12, -R14",
              [](const LaneInput& in, LaneOutput& out) {
                out.pair(multiplyAdd(in.pair(0) ^ kSign, in.pair(2), in.pair(4) ^ kSign, kNearest));
              }},
             widePairs(doubleEdges()));
}

/// The upper word of a number comes from the encoding, the lower is zero.
TEST(SassDouble, Numbers) {
  checkLanes({"DMUL R20, R10, 3",
              [](const LaneInput& in, LaneOutput& out) {
                out.pair(multiply(in.pair(0), 0x4008000000000000, kNearest));
              },
              0x40080000},
             widePairs(doubleEdges()));
  checkLanes({"DFMA R20, R10, -R12, 1",
              [](const LaneInput& in, LaneOutput& out) {
                out.pair(multiplyAdd(in.pair(0), in.pair(2) ^ kSign, 0x3ff0000000000000, kNearest));
              },
              0x3ff00000},
             widePairs(doubleEdges()));
}

bool holds(const std::string& compare, u64 a, u64 b) {
  auto relation = twice(a).compare(twice(b));
  if (compare == "NUM") return relation != APFloat::cmpUnordered;
  if (compare == "NAN") return relation == APFloat::cmpUnordered;
  if (relation == APFloat::cmpUnordered) return compare.ends_with('U');
  std::string name = compare.substr(0, 2);
  bool less = relation == APFloat::cmpLessThan, equal = relation == APFloat::cmpEqual;
  if (name == "LT") return less;
  if (name == "LE") return less || equal;
  if (name == "EQ") return equal;
  if (name == "NE") return !equal;
  return name == "GE" ? !less : !less && !equal;
}

TEST(SassDouble, Dsetp) {
  for (const std::string compare :
       {"LT", "EQ", "LE", "GT", "NE", "GE", "NUM", "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU"})
    for (const std::string boolOp : {"AND", "OR", "XOR"})
      checkLanes({"DSETP." + compare + "." + boolOp + " P4, P5, R10, |R12|, !P2",
                  [=](const LaneInput& in, LaneOutput& out) {
                    bool is = holds(compare, in.pair(0), in.pair(2) & ~kSign), with = !in.p[2];
                    auto join = [&](bool x) {
                      return boolOp == "AND" ? x && with : boolOp == "OR" ? x || with : x != with;
                    };
                    out.p[0] = join(is);
                    out.p[1] = join(!is);
                  }},
                 widePairs(doubleEdges()));
}

/// What ptxas builds of it: P4 chooses a or b, P5 makes b's NaN quiet. That -0 is less than +0 is assumed.
TEST(SassDouble, DsetpMinMax) {
  for (bool minimum : {true, false})
    checkLanes({std::string("DSETP.") + (minimum ? "MIN" : "MAX") + ".AND P4, P5, R10, R12, PT",
                [=](const LaneInput& in, LaneOutput& out) {
                  APFloat a = twice(in.pair(0)), b = twice(in.pair(2));
                  APFloat best = minimum ? llvm::minimumnum(a, b) : llvm::maximumnum(a, b);
                  out.p[1] = a.isNaN() && b.isNaN();
                  // Of equals either will do; the instruction says b.
                  out.p[0] = !a.isNaN() && (b.isNaN() || (best.bitwiseIsEqual(a) && !a.bitwiseIsEqual(b)) ||
                                            (a.bitwiseIsEqual(b) && !minimum));
                }},
               widePairs(doubleEdges()));
}

} // namespace
} // namespace harness::sass::test

#include "tests/ptx/formula.h"
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace harness::ptx {
namespace {

const std::vector<std::uint64_t> kValues = {0,          1,          0x7f,       0x80,       0x7fffffff,
                                            0x80000000, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x8000ffff,
                                            0x7fff0001, 0x12345678, 0xdeadbeef};

using Operation = Exact (*)(Exact a, Exact b);
struct Named {
  const char* name;
  Operation f;
};

Exact average(Exact a, Exact b) {
  Exact sum = a + b;
  return sum >= 0 ? (sum + 1) / 2 : -((1 - sum) / 2);
}

constexpr Named kOperations[] = {
    {"vadd", [](Exact a, Exact b) { return a + b; }},
    {"vsub", [](Exact a, Exact b) { return a - b; }},
    {"vabsdiff", [](Exact a, Exact b) { return a < b ? b - a : a - b; }},
    {"vmin", [](Exact a, Exact b) { return a < b ? a : b; }},
    {"vmax", [](Exact a, Exact b) { return a < b ? b : a; }},
    {"vavrg", average},
};
constexpr Named kComparisons[] = {
    {"eq", [](Exact a, Exact b) { return Exact{a == b}; }},
    {"ne", [](Exact a, Exact b) { return Exact{a != b}; }},
    {"lt", [](Exact a, Exact b) { return Exact{a < b}; }},
    {"le", [](Exact a, Exact b) { return Exact{a <= b}; }},
    {"gt", [](Exact a, Exact b) { return Exact{a > b}; }},
    {"ge", [](Exact a, Exact b) { return Exact{a >= b}; }},
};

/// Every combination of u32 and s32 for d, a and b, in bits 2, 1 and 0.
std::string typesOf(unsigned signs, unsigned count) {
  std::string text;
  for (unsigned i = count; i-- > 0;)
    text += signs >> i & 1 ? ".s32" : ".u32";
  return text;
}

struct Field {
  unsigned at, width;
};
const std::map<std::string, Field> kFields = {{"", {0, 32}},    {".b0", {0, 8}},  {".b1", {8, 8}},
                                              {".b2", {16, 8}}, {".b3", {24, 8}}, {".h0", {0, 16}},
                                              {".h1", {16, 16}}};

Exact fieldOf(std::uint64_t value, const std::string& selector, bool isSigned) {
  Field field = kFields.at(selector);
  return valueOf(value >> field.at, field.width, isSigned);
}

std::uint64_t merge(Exact value, const std::string& selector, std::uint64_t c) {
  Field field = kFields.at(selector);
  std::uint64_t mask = cut(-1, field.width) << field.at;
  return (cut(value, field.width) << field.at) | (c & ~mask);
}

TEST(PtxVideo, ScalarPartsAndMerges) {
  auto in = triples("b32", kValues);
  for (const Named& operation : kOperations) {
    if (operation.f == average) continue;
    for (unsigned signs = 0; signs < 8; ++signs)
      for (const auto& [to, field] : kFields) {
        const std::string partA = signs & 1 ? ".b3" : to, partB = signs & 2 ? ".h1" : signs & 4 ? ".b2" : "";
        std::string body = operation.name + typesOf(signs, 3) + " d" + to + ", a" + partA + ", b" + partB +
                           (to.empty() ? ";" : ", c;");
        expectFormula(body, in, {"d", "b32"}, [&](Inputs x) {
          return merge(operation.f(fieldOf(x[0], partA, signs & 2), fieldOf(x[1], partB, signs & 1)), to,
                       x[2]);
        });
      }
  }
}

TEST(PtxVideo, ScalarSecondOperations) {
  auto in = triples("b32", kValues);
  for (const Named& operation : kOperations) {
    if (operation.f == average) continue;
    for (unsigned signs = 0; signs < 8; ++signs) {
      bool isSigned = signs & 4;
      auto first = [&](Inputs x) {
        return operation.f(valueOf(x[0], 32, signs & 2), valueOf(x[1], 32, signs & 1));
      };
      std::string types = operation.name + typesOf(signs, 3);
      expectFormula(types + ".add d, a, b, c;", in, {"d", "b32"},
                    [&](Inputs x) { return cut(first(x) + Exact(x[2]), 32); });
      if (!isSigned) continue;
      auto clamped = [&](Inputs x) { return clampTo(first(x), 32, true); };
      expectFormula(types + ".sat d, a, b;", in, {"d", "b32"}, [&](Inputs x) { return cut(clamped(x), 32); });
      expectFormula(types + ".sat.add d, a, b, c;", in, {"d", "b32"},
                    [&](Inputs x) { return cut(clamped(x) + Exact(x[2]), 32); });
      expectFormula(types + ".sat.min d, a, b, c;", in, {"d", "b32"},
                    [&](Inputs x) { return cut(std::min(clamped(x), valueOf(x[2], 32, true)), 32); });
      expectFormula(types + ".sat.max d, a, b, c;", in, {"d", "b32"},
                    [&](Inputs x) { return cut(std::max(clamped(x), valueOf(x[2], 32, true)), 32); });
    }
  }
}

TEST(PtxVideo, ScalarShifts) {
  auto in = triples("b32", {0, 1, 7, 31, 32, 33, 64, 0x80, 0x8000, 0x80000000, 0xffffffff, 0x12345678});
  for (bool left : {false, true})
    for (bool clamp : {false, true})
      for (unsigned signs = 0; signs < 4; ++signs)
        for (const std::string& part : {std::string(), std::string(".b1"), std::string(".h0")}) {
          auto shifted = [&](Inputs x) {
            std::uint64_t n = clamp ? std::min<std::uint64_t>(x[1], 32) : x[1] % 32;
            Exact a = fieldOf(x[0], part, signs & 1);
            return left ? a * (Exact{1} << n) : a >> n;
          };
          std::string opcode =
              std::string(left ? "vshl" : "vshr") + typesOf(signs, 2) + ".u32" + (clamp ? ".clamp" : ".wrap");
          expectFormula(opcode + " d, a" + part + ", b;", in, {"d", "b32"},
                        [&](Inputs x) { return cut(shifted(x), 32); });
          expectFormula(opcode + ".add d, a" + part + ", b, c;", in, {"d", "b32"},
                        [&](Inputs x) { return cut(shifted(x) + Exact(x[2]), 32); });
          expectFormula(opcode + " d.b2, a" + part + ", b, c;", in, {"d", "b32"},
                        [&](Inputs x) { return merge(shifted(x), ".b2", x[2]); });
        }
}

TEST(PtxVideo, ScalarComparisons) {
  auto in = triples("b32", kValues);
  for (const Named& comparison : kComparisons)
    for (unsigned signs = 0; signs < 4; ++signs) {
      std::string opcode = "vset" + typesOf(signs, 2) + "." + comparison.name;
      auto compared = [&](Inputs x) {
        return comparison.f(fieldOf(x[0], ".b1", signs & 2), fieldOf(x[1], ".h1", signs & 1));
      };
      expectFormula(opcode + " d, a.b1, b.h1;", in, {"d", "b32"},
                    [&](Inputs x) { return cut(compared(x), 32); });
      expectFormula(opcode + ".add d, a.b1, b.h1, c;", in, {"d", "b32"},
                    [&](Inputs x) { return cut(compared(x) + Exact(x[2]), 32); });
      expectFormula(opcode + " d.b3, a.b1, b.h1, c;", in, {"d", "b32"},
                    [&](Inputs x) { return merge(compared(x), ".b3", x[2]); });
    }
}

TEST(PtxVideo, MultiplyAdd) {
  auto in = triples("b32", kValues);
  for (unsigned signs : {0u, 5u, 6u, 7u}) // d has a sign if a or b has
    for (const std::string& part : {std::string(), std::string(".b3"), std::string(".h0")})
      for (bool one : {false, true})
        expectFormula("vmad" + typesOf(signs, 3) + (one ? ".po" : "") + " d, a" + part + ", b, c;", in,
                      {"d", "b32"}, [&](Inputs x) {
                        return cut(fieldOf(x[0], part, signs & 2) * valueOf(x[1], 32, signs & 1) +
                                       Exact(x[2]) + one,
                                   32);
                      });
}

// ---- two and four at once

struct Selection {
  std::string d, a, b;
};

/// The digit for element i in ".h10" or ".b3210".
unsigned digit(const std::string& selector, unsigned i) {
  return static_cast<unsigned>(selector[selector.size() - 1 - i] - '0');
}

enum class Ending { Merge, Saturate, Accumulate };

std::uint64_t simd(Inputs x, unsigned count, Selection s, unsigned signs, Ending ending, Operation f) {
  unsigned width = 32 / count;
  if (s.d.empty()) s.d = count == 2 ? ".h10" : ".b3210";
  if (s.a.empty()) s.a = count == 2 ? ".h10" : ".b3210";
  if (s.b.empty()) s.b = count == 2 ? ".h32" : ".b7654";
  Exact sum = Exact(x[2]);
  std::uint64_t d = x[2];
  for (unsigned i = 0; i < count; ++i) {
    if (s.d.find(static_cast<char>('0' + i)) == std::string::npos) continue;
    auto element = [&](unsigned n, bool isSigned) {
      return valueOf(n < count ? x[0] >> n * width : x[1] >> (n - count) * width, width, isSigned);
    };
    Exact value = f(element(digit(s.a, i), signs & 2), element(digit(s.b, i), signs & 1));
    sum += value;
    if (ending == Ending::Saturate) value = clampTo(value, width, signs & 4);
    d = (d & ~(cut(-1, width) << i * width)) | cut(value, width) << i * width;
  }
  return ending == Ending::Accumulate ? cut(sum, 32) : d;
}

const std::vector<Selection> kHalves = {{"", "", ""}, {".h1", ".h30", ""}, {".h0", ".h22", ".h01"}};
const std::vector<Selection> kBytes = {
    {"", "", ""}, {".b2", ".b7610", ""}, {".b310", ".b0000", ".b5432"}, {".b21", "", ".b0123"}};

TEST(PtxVideo, SimdOperations) {
  auto in = triples("b32", kValues);
  for (unsigned count : {2u, 4u})
    for (const Named& operation : kOperations)
      for (unsigned signs = 0; signs < 8; ++signs)
        for (Ending ending : {Ending::Merge, Ending::Saturate, Ending::Accumulate})
          for (const Selection& s : count == 2 ? kHalves : kBytes) {
            static constexpr const char* kEndings[] = {"", ".sat", ".add"};
            std::string body = operation.name + std::to_string(count) + typesOf(signs, 3) +
                               kEndings[static_cast<int>(ending)] + " d" + s.d + ", a" + s.a + ", b" + s.b +
                               ", c;";
            expectFormula(body, in, {"d", "b32"},
                          [&](Inputs x) { return simd(x, count, s, signs, ending, operation.f); });
          }
}

TEST(PtxVideo, SimdComparisons) {
  auto in = triples("b32", kValues);
  for (unsigned count : {2u, 4u})
    for (const Named& comparison : kComparisons)
      for (unsigned signs = 0; signs < 4; ++signs)
        for (Ending ending : {Ending::Merge, Ending::Accumulate})
          for (const Selection& s : count == 2 ? kHalves : kBytes) {
            std::string body = "vset" + std::to_string(count) + typesOf(signs, 2) + "." + comparison.name +
                               (ending == Ending::Accumulate ? ".add" : "") + " d" + s.d + ", a" + s.a +
                               ", b" + s.b + ", c;";
            expectFormula(body, in, {"d", "b32"},
                          [&](Inputs x) { return simd(x, count, s, signs, ending, comparison.f); });
          }
}

TEST(PtxVideo, FormsThatAreIllegalOrNotClear) {
  for (const char* body :
       {"vadd.u32.u32 d, a, b;", "vadd.u32.u32.u16 d, a, b;", "vadd.u32.u32.u32 d.b0, a, b;",
        "vadd.u32.u32.u32 d, a, b, c;", "vadd.u32.u32.u32.add d, a, b;",
        "vadd.u32.u32.u32.add d.b0, a, b, c;", "vadd.u32.u32.u32 d, a.b4, b;",
        "vadd.u32.u32.u32 d, a.h10, b;", "vshl.u32.u32.u32 d, a, b;", "vshl.u32.u32.s32.clamp d, a, b;",
        "vset.u32.u32 d, a, b;", "vmad.u32.u32.u32 d.b0, a, b, c;", "vadd2.u32.u32.u32 d, a, b;",
        "vadd2.u32.u32.u32 d, a.h4, b, c;", "vadd2.u32.u32.u32 d, a.h40, b, c;",
        "vadd2.u32.u32.u32 d, a.b10, b, c;", "vadd2.u32.u32.u32 d.h01, a, b, c;",
        "vadd4.u32.u32.u32 d, a.b8000, b, c;", "vadd4.u32.u32.u32 d.b00, a, b, c;",
        "vadd4.u32.u32.u32.sat.add d, a, b, c;", "vset4.u32.u32.sat.lt d, a, b, c;",
        "vset4.u32.u32.ne.max d, a, b, c;", "vavrg.u32.u32.u32 d, a, b;",
        // ptxas does not do what the manual says of these:
        "vadd.u32.u32.u32.sat d, a, b;", "vadd.u32.u32.u32.sat d.h1, a, b, c;",
        "vadd.s32.s32.s32.sat d.b0, a, b, c;", "vadd.s32.s32.s32.min d, a, b, c;",
        "vshl.u32.u32.u32.sat.clamp d, a, b;", "vset.s32.s32.lt.max d, a, b, c;",
        "vmad.s32.s32.s32.sat d, a, b, c;", "vmad.u32.u32.u32.shr7 d, a, b, c;"})
    expectUnknown(body);
}

} // namespace
} // namespace harness::ptx

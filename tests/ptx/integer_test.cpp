#include "tests/ptx/formula.h"
#include <gmock/gmock.h>

namespace harness::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string text(const std::string& opcode, const std::string& type, unsigned sources) {
  static const char* const kOperands[] = {" d, a;", " d, a, b;", " d, a, b, c;"};
  return opcode + "." + type + kOperands[sources - 1];
}

/// Some of the edges, where all triples are too many.
std::vector<std::uint64_t> fewEdges(unsigned bits) {
  std::vector<std::uint64_t> all = integerEdges(bits), few;
  for (std::size_t i = 0; i < all.size(); i += all.size() / 20 + 1)
    few.push_back(all[i]);
  few.push_back(all.back());
  return few;
}

using Binary = Exact (*)(Exact a, Exact b);

/// All edge pairs of every type; 16-bit types also with every first operand and immediate second ones.
void expectBinary(const std::string& opcode, const IntegerType& type, Binary f) {
  Formula formula = [&](Inputs x) { return cut(f(type.value(x[0]), type.value(x[1])), type.bits); };
  expectFormula(text(opcode, type.name, 2), pairs(type.untyped(), integerEdges(type.bits)),
                {"d", type.untyped()}, formula);
  if (type.bits != 16) return;
  for (std::uint64_t b : {0u, 1u, 2u, 3u, 7u, 255u, 0x1234u, 0x7fffu, 0x8000u, 0x8001u, 0xfffeu, 0xffffu})
    expectFormula(opcode + "." + type.name + " d, a, " + std::to_string(b) + ";", {everyValue("a", 16)},
                  {"d", "b16"}, [&](Inputs x) { return formula(std::vector<std::uint64_t>{x[0], b}); });
}

Exact absolute(Exact a) {
  return a < 0 ? -a : a;
}

TEST(PtxInteger, SumsAndExtremesOfTwo) {
  for (const IntegerType& type : integerTypes()) {
    expectBinary("add", type, [](Exact a, Exact b) { return a + b; });
    expectBinary("sub", type, [](Exact a, Exact b) { return a - b; });
    expectBinary("min", type, [](Exact a, Exact b) { return a < b ? a : b; });
    expectBinary("max", type, [](Exact a, Exact b) { return a < b ? b : a; });
  }
}

TEST(PtxInteger, Products) {
  for (const IntegerType& type : integerTypes()) {
    auto in = pairs(type.untyped(), integerEdges(type.bits));
    expectFormula(text("mul.lo", type.name, 2), in, {"d", type.untyped()},
                  [&](Inputs x) { return cut(Exact(x[0] * x[1]), type.bits); });
    if (type.bits == 64) {
      expectFormula(text("mul.hi", type.name, 2), in, {"d", "b64"},
                    [&](Inputs x) { return productHigh(x[0], x[1], type.isSigned); });
      continue;
    }
    Formula product = [&](Inputs x) { return cut(type.value(x[0]) * type.value(x[1]), 2 * type.bits); };
    expectFormula(text("mul.wide", type.name, 2), in, {"d", "b" + std::to_string(2 * type.bits)}, product);
    expectFormula(text("mul.hi", type.name, 2), in, {"d", type.untyped()},
                  [&](Inputs x) { return product(x) >> type.bits; });
  }
}

TEST(PtxInteger, EveryProductOf16Bits) {
  for (std::uint64_t b : {0u, 1u, 3u, 0x00ffu, 0x7fffu, 0x8000u, 0xabcdu, 0xffffu})
    for (bool isSigned : {false, true}) {
      auto product = [&](Inputs x) { return valueOf(x[0], 16, isSigned) * valueOf(b, 16, isSigned); };
      std::string type = isSigned ? "s16 d, a, " : "u16 d, a, ", immediate = std::to_string(b) + ";";
      expectFormula("mul.lo." + type + immediate, {everyValue("a", 16)}, {"d", "b16"},
                    [&](Inputs x) { return cut(product(x), 16); });
      expectFormula("mul.hi." + type + immediate, {everyValue("a", 16)}, {"d", "b16"},
                    [&](Inputs x) { return cut(product(x) >> 16, 16); });
      expectFormula("mul.wide." + type + immediate, {everyValue("a", 16)}, {"d", "b32"},
                    [&](Inputs x) { return cut(product(x), 32); });
    }
}

TEST(PtxInteger, ProductsAndSums) {
  for (const IntegerType& type : integerTypes()) {
    auto in = triples(type.untyped(), fewEdges(type.bits));
    auto high = [&](Inputs x) {
      return type.bits == 64 ? productHigh(x[0], x[1], type.isSigned)
                             : cut((type.value(x[0]) * type.value(x[1])) >> type.bits, type.bits);
    };
    expectFormula(text("mad.lo", type.name, 3), in, {"d", type.untyped()},
                  [&](Inputs x) { return cut(Exact(x[0] * x[1] + x[2]), type.bits); });
    expectFormula(text("mad.hi", type.name, 3), in, {"d", type.untyped()},
                  [&](Inputs x) { return cut(Exact(high(x) + x[2]), type.bits); });
    expectFormula(text("sad", type.name, 3), in, {"d", type.untyped()}, [&](Inputs x) {
      return cut(absolute(type.value(x[0]) - type.value(x[1])) + type.value(x[2]), type.bits);
    });
    if (type.bits == 64) continue;
    std::string wide = "b" + std::to_string(2 * type.bits);
    in[2].type = wide;
    for (std::size_t i = 0; i < in[2].values.size(); ++i)
      in[2].values[i] = cut(Exact(in[2].values[i] * 0x100010001 << (i % 7)), 2 * type.bits);
    expectFormula(text("mad.wide", type.name, 3), in, {"d", wide}, [&](Inputs x) {
      return cut(type.value(x[0]) * type.value(x[1]) + Exact(x[2]), 2 * type.bits);
    });
  }
  expectFormula("mad.hi.sat.s32 d, a, b, c;", triples("b32", fewEdges(32)), {"d", "b32"}, [](Inputs x) {
    Exact high = (valueOf(x[0], 32, true) * valueOf(x[1], 32, true)) >> 32;
    return cut(clampTo(high + valueOf(x[2], 32, true), 32, true), 32);
  });
}

TEST(PtxInteger, ProductsOf24Bits) {
  for (bool isSigned : {false, true}) {
    std::string type = isSigned ? "s32" : "u32";
    auto in = triples("b32", fewEdges(32));
    auto product = [&](Inputs x) { return valueOf(x[0], 24, isSigned) * valueOf(x[1], 24, isSigned); };
    for (unsigned shift : {0u, 16u}) {
      std::string half = shift ? ".hi" : ".lo";
      expectFormula(text("mul24" + half, type, 2), in, {"d", "b32"},
                    [&](Inputs x) { return cut(product(x) >> shift, 32); });
      expectFormula(text("mad24" + half, type, 3), in, {"d", "b32"},
                    [&](Inputs x) { return cut((product(x) >> shift) + Exact(x[2]), 32); });
    }
    if (isSigned)
      expectFormula("mad24.hi.sat.s32 d, a, b, c;", in, {"d", "b32"}, [&](Inputs x) {
        return cut(clampTo((product(x) >> 16) + valueOf(x[2], 32, true), 32, true), 32);
      });
  }
}

TEST(PtxInteger, Saturation) {
  auto in = pairs("b32", integerEdges(32));
  for (bool isSigned : {false, true})
    expectFormula(
        isSigned ? "add.sat.s32 d, a, b;" : "add.sat.u32 d, a, b;", in, {"d", "b32"}, [&](Inputs x) {
          return cut(clampTo(valueOf(x[0], 32, isSigned) + valueOf(x[1], 32, isSigned), 32, isSigned), 32);
        });
  expectFormula("sub.sat.s32 d, a, b;", in, {"d", "b32"}, [](Inputs x) {
    return cut(clampTo(valueOf(x[0], 32, true) - valueOf(x[1], 32, true), 32, true), 32);
  });
  expectFormula("min.relu.s32 d, a, b;", in, {"d", "b32"}, [](Inputs x) {
    return cut(std::max<Exact>(0, std::min(valueOf(x[0], 32, true), valueOf(x[1], 32, true))), 32);
  });
  expectFormula("max.relu.s32 d, a, b;", in, {"d", "b32"}, [](Inputs x) {
    return cut(std::max<Exact>(0, std::max(valueOf(x[0], 32, true), valueOf(x[1], 32, true))), 32);
  });
}

// ---- packed

/// f of every element.
Formula elementwise(unsigned width, bool isSigned, std::function<Exact(Exact, Exact)> f) {
  return [=](Inputs x) {
    std::uint64_t d = 0;
    for (unsigned at = 0; at < 32; at += width)
      d |=
          cut(f(valueOf(x[0] >> at, width, isSigned), valueOf(x[x.size() - 1] >> at, width, isSigned)), width)
          << at;
    return d;
  };
}

/// Every pair of bytes, at every place beside others; half-words, every first one with some others.
std::vector<SnippetInput> packedInputs(unsigned width) {
  SnippetInput a{"a", "b32", {}}, b{"b", "b32", {}};
  for (std::uint64_t n = 0; n < 65536; ++n) {
    std::uint64_t low = n & 255, high = n >> 8;
    if (width == 8) {
      a.values.push_back(low | (low ^ 128) << 8 | (~low & 255) << 16 | high << 24);
      b.values.push_back(high | high << 8 | (high ^ 127) << 16 | low << 24);
      continue;
    }
    static constexpr std::uint64_t kOthers[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff, 0x1234, 0xfffe};
    for (std::uint64_t other : kOthers) {
      a.values.push_back(n | (n ^ 0xffff) << 16);
      b.values.push_back(other | kOthers[n % 8] << 16);
    }
  }
  return {a, b};
}

TEST(PtxInteger, PackedSumsAndExtremes) {
  auto add = [](Exact a, Exact b) { return a + b; };
  auto subtract = [](Exact a, Exact b) { return a - b; };
  auto least = [](Exact a, Exact b) { return std::min(a, b); };
  auto greatest = [](Exact a, Exact b) { return std::max(a, b); };
  for (unsigned width : {8u, 16u})
    for (bool isSigned : {false, true}) {
      std::string type = std::string(isSigned ? ".s" : ".u") + (width == 8 ? "8x4" : "16x2") + " d, a, b;";
      auto in = packedInputs(width);
      auto clamped = [&](auto f) {
        return [=](Exact a, Exact b) { return clampTo(f(a, b), width, isSigned); };
      };
      auto relu = [](auto f) { return [=](Exact a, Exact b) { return std::max<Exact>(f(a, b), 0); }; };
      auto expect = [&](const std::string& opcode, std::function<Exact(Exact, Exact)> f) {
        expectFormula(opcode + type, in, {"d", "b32"}, elementwise(width, isSigned, std::move(f)));
      };
      expect("add", add);
      expect("add.sat", clamped(add));
      expect("min", least);
      expect("max", greatest);
      if (width == 8) {
        expect("sub", subtract);
        expect("sub.sat", clamped(subtract));
      }
      if (isSigned) {
        expect("min.relu", relu(least));
        expect("max.relu", relu(greatest));
      }
    }
  expectFormula("neg.s8x4 d, a;", {packedInputs(8)[0]}, {"d", "b32"},
                elementwise(8, true, [](Exact a, Exact) { return -a; }));
}

// ---- of one

TEST(PtxInteger, AbsoluteAndNegative) {
  for (const IntegerType& type : integerTypes()) {
    if (!type.isSigned) continue;
    SnippetInput in =
        type.bits == 16 ? everyValue("a", 16) : SnippetInput{"a", type.untyped(), integerEdges(type.bits)};
    expectFormula(text("abs", type.name, 1), {in}, {"d", type.untyped()},
                  [&](Inputs x) { return cut(absolute(type.value(x[0])), type.bits); });
    expectFormula(text("neg", type.name, 1), {in}, {"d", type.untyped()},
                  [&](Inputs x) { return cut(-type.value(x[0]), type.bits); });
  }
}

// ---- division

TEST(PtxInteger, DividesTowardsZero) {
  for (const IntegerType& type : integerTypes()) {
    std::vector<std::uint64_t> divisors = integerEdges(type.bits);
    std::erase(divisors, 0);
    auto in = pairs(type.untyped(), divisors);
    auto quotient = [&](Inputs x) {
      Exact a = type.value(x[0]), b = type.value(x[1]), q = 0, rest = absolute(a);
      for (int shift = 63; shift >= 0; --shift)
        if (absolute(b) <= rest >> shift) {
          rest -= absolute(b) << shift;
          q += Exact{1} << shift;
        }
      return (a < 0) == (b < 0) ? q : -q;
    };
    expectFormula(text("div", type.name, 2), in, {"d", type.untyped()},
                  [&](Inputs x) { return cut(quotient(x), type.bits); });
    expectFormula(text("rem", type.name, 2), in, {"d", type.untyped()}, [&](Inputs x) {
      return cut(type.value(x[0]) - quotient(x) * type.value(x[1]), type.bits);
    });
  }
}

TEST(PtxInteger, DivisionByZeroIsNamed) {
  for (const char* opcode : {"div", "rem"})
    for (const IntegerType& type : integerTypes()) {
      SnippetResult result = runSnippet(text(opcode, type.name, 2),
                                        {{"a", type.untyped(), {7, 7, 7}}, {"b", type.untyped(), {1, 0, 3}}},
                                        {{"d", type.untyped()}});
      EXPECT_EQ(result.execution.end, ExecutionEnd::Completed);
      EXPECT_THAT(result.execution.undefined,
                  ElementsAre(testing::AllOf(HasSubstr("divides by zero"), HasSubstr("lane 1"))));
      EXPECT_EQ(result.outputs[0][1], cut(-1, type.bits));
    }
  SnippetResult result =
      runSnippet("div.u32 d, a, b;", {{"a", "b32", {7, 7}}, {"b", "b32", {1, 2}}}, {{"d", "b32"}});
  EXPECT_TRUE(result.execution.undefined.empty());
}

// ---- dot products

TEST(PtxInteger, DotProducts) {
  auto in = triples(
      "b32", {0, 1, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x01ff80a5, 0xdeadbeef, 0x8000ffff, 0x7fff0001});
  for (bool signedA : {false, true})
    for (bool signedB : {false, true}) {
      std::string types =
          std::string(signedA ? ".s32" : ".u32") + (signedB ? ".s32" : ".u32") + " d, a, b, c;";
      expectFormula("dp4a" + types, in, {"d", "b32"}, [&](Inputs x) {
        Exact sum = Exact(x[2]);
        for (unsigned i = 0; i < 4; ++i)
          sum += valueOf(x[0] >> 8 * i, 8, signedA) * valueOf(x[1] >> 8 * i, 8, signedB);
        return cut(sum, 32);
      });
      for (unsigned from : {0u, 2u})
        expectFormula((from ? "dp2a.hi" : "dp2a.lo") + types, in, {"d", "b32"}, [&](Inputs x) {
          Exact sum = Exact(x[2]);
          for (unsigned i = 0; i < 2; ++i)
            sum += valueOf(x[0] >> 16 * i, 16, signedA) * valueOf(x[1] >> 8 * (from + i), 8, signedB);
          return cut(sum, 32);
        });
    }
}

// ---- what there is not

TEST(PtxInteger, IllegalForms) {
  for (const char* body : {"add.b32 d, a, b;",
                           "add.u8 d, a, b;",
                           "add.sat.u16 dh, ah, bh;",
                           "add.sat.s64 dl, al, bl;",
                           "add.wide.u32 d, a, b;",
                           "add.u32 d, a;",
                           "add.u32 d, a, b, c;",
                           "sub.s16x2 d, a, b;",
                           "sub.sat.u32 d, a, b;",
                           "mul.u32 d, a, b;",
                           "mul.lo.b32 d, a, b;",
                           "mul.wide.u64 dl, al, bl;",
                           "mul.lo.sat.s32 d, a, b;",
                           "mul.lo.hi.u32 d, a, b;",
                           "mad.lo.sat.s32 d, a, b, c;",
                           "mad.hi.sat.u32 d, a, b, c;",
                           "mad.wide.u64 dl, al, bl, al;",
                           "mul24.wide.u32 d, a, b;",
                           "mul24.lo.u16 dh, ah, bh;",
                           "mad24.lo.sat.s32 d, a, b, c;",
                           "mad24.hi.sat.u32 d, a, b, c;",
                           "abs.u32 d, a;",
                           "neg.u32 d, a;",
                           "abs.s8x4 d, a;",
                           "neg.s16x2 d, a;",
                           "min.b32 d, a, b;",
                           "min.relu.u32 d, a, b;",
                           "min.relu.s16 dh, ah, bh;",
                           "max.relu.s64 dl, al, bl;",
                           "min.s32 d, a, b, c;",
                           "div.b32 d, a, b;",
                           "div.s16x2 d, a, b;",
                           "sad.b32 d, a, b, c;",
                           "dp4a.u32 d, a, b, c;",
                           "dp4a.lo.u32.u32 d, a, b, c;",
                           "dp2a.u32.u32 d, a, b, c;",
                           "dp2a.wide.u32.u32 d, a, b, c;",
                           "dp4a.u16.u32 d, a, b, c;",
                           "mul.wide.u32 d, a, b;",
                           "add.u64 d, al, bl;"})
    expectUnknown(body);
  expectKnown("add.u32 d, a, b;\n add.u16 dh, ah, bh;\n add.u64 dl, al, bl;");
}

} // namespace
} // namespace harness::ptx

#include "tests/ptx/formula.h"
#include <gmock/gmock.h>

#include <algorithm>

namespace harness::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Bit by bit, as the manual writes it.
bool bitOf(std::uint64_t value, unsigned at) {
  return value >> at & 1;
}

std::uint64_t fromBits(unsigned width, const std::function<bool(unsigned)>& bit) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < width; ++i)
    value |= std::uint64_t{bit(i)} << i;
  return value;
}

/// Values of that width with amounts of 32 bits beside them, in register b.
std::vector<SnippetInput> withAmounts(unsigned width, const std::vector<std::uint64_t>& values) {
  SnippetInput a{"a", "b" + std::to_string(width), {}}, b{"b", "b32", {}};
  std::vector<std::uint64_t> amounts = {255, 256, 257, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000, 0x100000};
  for (std::uint64_t n = 0; n <= 66; ++n)
    amounts.push_back(n);
  for (std::uint64_t value : values)
    for (std::uint64_t amount : amounts) {
      a.values.push_back(value);
      b.values.push_back(amount);
    }
  return {a, b};
}

TEST(PtxBits, Logic) {
  for (unsigned width : {16u, 32u, 64u}) {
    std::string type = "b" + std::to_string(width), operands = "." + type + " d, a, b;";
    auto in = pairs(type, integerEdges(width));
    expectFormula("and" + operands, in, {"d", type}, [](Inputs x) { return x[0] & x[1]; });
    expectFormula("or" + operands, in, {"d", type}, [](Inputs x) { return x[0] | x[1]; });
    expectFormula("xor" + operands, in, {"d", type}, [](Inputs x) { return x[0] ^ x[1]; });
    SnippetInput one = width == 16 ? everyValue("a", 16) : SnippetInput{"a", type, integerEdges(width)};
    expectFormula("not." + type + " d, a;", {one}, {"d", type},
                  [&](Inputs x) { return cut(~Exact(x[0]), width); });
    expectFormula("cnot." + type + " d, a;", {one}, {"d", type},
                  [](Inputs x) { return std::uint64_t{x[0] == 0}; });
  }
}

/// p = a != 0, q = b != 0, r = `instruction`; d = r.
std::string onPredicates(const std::string& instruction) {
  return "{ .reg .pred p, q, r, z; .reg .b32 x; mov.pred z, 0;\n lop3.or.b32 x|p, a, a, a, 0xf0, z;\n"
         "lop3.or.b32 x|q, b, b, b, 0xf0, z;\n" +
         instruction + "\n mov.b32 d, 0; @r mov.b32 d, 1; }";
}

TEST(PtxBits, LogicOfPredicates) {
  auto in = pairs("b32", {0, 1, 0x80000000});
  struct Row {
    const char* instruction;
    bool (*f)(bool p, bool q);
  };
  static constexpr Row kRows[] = {
      {"and.pred r, p, q;", [](bool p, bool q) { return p && q; }},
      {"or.pred r, p, q;", [](bool p, bool q) { return p || q; }},
      {"xor.pred r, p, q;", [](bool p, bool q) { return p != q; }},
      {"not.pred r, p;", [](bool p, bool) { return !p; }},
      {"and.pred r, !p, q;", [](bool p, bool q) { return !p && q; }},
      {"or.pred r, p, !q;", [](bool p, bool q) { return p || !q; }},
      {"xor.pred r, p, -1;", [](bool p, bool) { return !p; }},
      {"and.pred r, p, 0;", [](bool, bool) { return false; }},
      {"and.pred r, 1, q;", [](bool, bool q) { return q; }},
  };
  for (const Row& row : kRows)
    expectFormula(onPredicates(row.instruction), in, {"d", "b32"},
                  [&](Inputs x) { return std::uint64_t{row.f(x[0] != 0, x[1] != 0)}; });
}

std::uint64_t lookUp(Inputs x, unsigned table) {
  return fromBits(32, [&](unsigned i) {
    return table >> (4 * bitOf(x[0], i) + 2 * bitOf(x[1], i) + bitOf(x[2], i)) & 1;
  });
}

TEST(PtxBits, EveryTableOfLop3) {
  auto in = triples("b32", {0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x12345678});
  for (unsigned table = 0; table < 256; ++table)
    expectFormula("lop3.b32 d, a, b, c, " + std::to_string(table) + ";", in, {"d", "b32"},
                  [&](Inputs x) { return lookUp(x, table); });
}

TEST(PtxBits, Lop3WithPredicate) {
  auto in = triples("b32", {0, 0xf0f0f0f0, 0xffffffff, 0x00000001});
  for (const char* combine : {"and", "or"})
    for (bool q : {false, true})
      for (const char* to : {"x", "_"})
        expectFormula("{ .reg .pred p, q; .reg .b32 x; mov.pred q, " + std::to_string(q) + ";\n lop3." +
                          combine + ".b32 " + to + "|p, a, b, c, 0x6a, q;\n mov.b32 d, 0; @p mov.b32 d, 1; }",
                      in, {"d", "b32"}, [&](Inputs x) {
                        bool nonzero = lookUp(x, 0x6a) != 0;
                        return std::uint64_t{combine[0] == 'o' ? nonzero || q : nonzero && q};
                      });
  expectFormula("{ .reg .pred p, q; mov.pred q, 0; lop3.or.b32 d|p, a, b, c, 0x6a, q; }", in, {"d", "b32"},
                [](Inputs x) { return lookUp(x, 0x6a); });
}

TEST(PtxBits, ShiftsClampAtTheWidth) {
  for (unsigned width : {16u, 32u, 64u}) {
    std::string number = std::to_string(width), type = "b" + number;
    auto in = withAmounts(width, integerEdges(width));
    expectFormula("shl." + type + " d, a, b;", in, {"d", type}, [&](Inputs x) {
      return fromBits(width,
                      [&](unsigned i) { return i >= x[1] && bitOf(x[0], i - static_cast<unsigned>(x[1])); });
    });
    for (const char* kind : {"u", "b", "s"})
      expectFormula(std::string("shr.") + kind + number + " d, a, b;", in, {"d", type}, [&](Inputs x) {
        return fromBits(width, [&](unsigned i) {
          return i + x[1] < width ? bitOf(x[0], i + static_cast<unsigned>(x[1]))
                                  : *kind == 's' && bitOf(x[0], width - 1);
        });
      });
  }
}

TEST(PtxBits, EveryShiftOf16Bits) {
  for (unsigned n = 0; n <= 17; ++n) {
    std::string amount = " d, a, " + std::to_string(n) + ";";
    expectFormula("shl.b16" + amount, {everyValue("a", 16)}, {"d", "b16"},
                  [&](Inputs x) { return cut(Exact(x[0]) << n, 16); });
    expectFormula("shr.u16" + amount, {everyValue("a", 16)}, {"d", "b16"},
                  [&](Inputs x) { return x[0] >> n; });
    expectFormula("shr.s16" + amount, {everyValue("a", 16)}, {"d", "b16"},
                  [&](Inputs x) { return cut(valueOf(x[0], 16, true) >> n, 16); });
  }
}

/// a and b from the edges, with an amount in c.
std::vector<SnippetInput> pairsWithAmounts(const std::vector<std::uint64_t>& amounts) {
  std::vector<std::uint64_t> values = integerEdges(32);
  SnippetInput a{"a", "b32", {}}, b{"b", "b32", {}}, c{"c", "b32", {}};
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < values.size(); j += 3)
      for (std::uint64_t amount : amounts) {
        a.values.push_back(values[i]);
        b.values.push_back(values[(i + j) % values.size()]);
        c.values.push_back(amount);
      }
  return {a, b, c};
}

TEST(PtxBits, FunnelShifts) {
  std::vector<std::uint64_t> amounts = {64, 65, 255, 256, 0x80000000, 0xffffffff, 0xffffffe0};
  for (std::uint64_t n = 0; n <= 34; ++n)
    amounts.push_back(n);
  auto in = pairsWithAmounts(amounts);
  for (bool clamp : {false, true}) {
    std::string operands = std::string(clamp ? ".clamp" : ".wrap") + ".b32 d, a, b, c;";
    auto amount = [=](std::uint64_t c) { return clamp ? std::min<std::uint64_t>(c, 32) : c % 32; };
    // Bit i of {b, a}.
    auto bit = [](Inputs x, std::uint64_t i) {
      return i < 32 ? bitOf(x[0], i) : i < 64 && bitOf(x[1], i - 32);
    };
    expectFormula("shf.l" + operands, in, {"d", "b32"}, [&](Inputs x) {
      return fromBits(32, [&](unsigned i) { return bit(x, 32 + i - amount(x[2])); });
    });
    expectFormula("shf.r" + operands, in, {"d", "b32"}, [&](Inputs x) {
      return fromBits(32, [&](unsigned i) { return bit(x, i + amount(x[2])); });
    });
  }
}

TEST(PtxBits, Counts) {
  for (unsigned width : {32u, 64u}) {
    std::string type = ".b" + std::to_string(width);
    std::vector<std::uint64_t> values = integerEdges(width);
    for (unsigned i = 0; i < width; ++i)
      values.push_back(std::uint64_t{1} << i | (i % 3 == 0 ? 1 : 0));
    std::vector<SnippetInput> in = {{"a", type.substr(1), values}};
    auto count = [&](std::uint64_t value) {
      unsigned ones = 0;
      for (unsigned i = 0; i < width; ++i)
        ones += bitOf(value, i);
      return std::uint64_t{ones};
    };
    auto highest = [&](std::uint64_t value) {
      int at = static_cast<int>(width) - 1;
      while (at >= 0 && !bitOf(value, static_cast<unsigned>(at)))
        --at;
      return at;
    };
    expectFormula("popc" + type + " d, a;", in, {"d", "b32"}, [&](Inputs x) { return count(x[0]); });
    expectFormula("clz" + type + " d, a;", in, {"d", "b32"},
                  [&](Inputs x) { return std::uint64_t{width - 1u - static_cast<unsigned>(highest(x[0]))}; });
    expectFormula("brev" + type + " d, a;", in, {"d", type.substr(1)}, [&](Inputs x) {
      return fromBits(width, [&](unsigned i) { return bitOf(x[0], width - 1 - i); });
    });
    for (bool isSigned : {false, true}) {
      std::string of = std::string(isSigned ? ".s" : ".u") + std::to_string(width) + " d, a;";
      auto found = [&](Inputs x) {
        return highest(isSigned && bitOf(x[0], width - 1) ? cut(~Exact(x[0]), width) : x[0]);
      };
      expectFormula("bfind" + of, in, {"d", "b32"}, [&](Inputs x) { return cut(found(x), 32); });
      expectFormula("bfind.shiftamt" + of, in, {"d", "b32"}, [&](Inputs x) {
        return found(x) < 0 ? std::uint64_t{0xffffffff}
                            : std::uint64_t{width - 1 - static_cast<unsigned>(found(x))};
      });
    }
  }
}

TEST(PtxBits, NthSetBit) {
  SnippetInput a{"a", "b32", {}}, b{"b", "b32", {}}, c{"c", "b32", {}};
  for (std::uint64_t bits : {0x0u, 0xffffffffu, 0xaaaaaaaau, 0x80000001u, 0x00010000u, 0x12345678u})
    for (std::uint64_t base = 0; base < 32; ++base)
      for (int offset :
           {0, 1, 2, 3, 16, 31, 32, 33, -1, -2, -3, -16, -32, -33, 0x7fffffff, -0x7fffffff - 1}) {
        a.values.push_back(bits);
        b.values.push_back(base);
        c.values.push_back(static_cast<std::uint32_t>(offset));
      }
  expectFormula("fns.b32 d, a, b, c;", {a, b, c}, {"d", "b32"}, [](Inputs x) {
    Exact offset = valueOf(x[2], 32, true);
    if (offset == 0) return bitOf(x[0], static_cast<unsigned>(x[1])) ? x[1] : std::uint64_t{0xffffffff};
    std::vector<std::uint64_t> places;
    for (std::uint64_t i = 0; i < 32; ++i)
      if (bitOf(x[0], static_cast<unsigned>(i)) && (offset > 0 ? i >= x[1] : i <= x[1])) places.push_back(i);
    if (offset < 0) std::reverse(places.begin(), places.end());
    Exact n = offset < 0 ? -offset : offset;
    return n <= Exact(places.size()) ? places[static_cast<std::size_t>(n) - 1] : std::uint64_t{0xffffffff};
  });
  SnippetResult result = runSnippet("fns.b32 d, a, 32, 1;", {{"a", "b32", {1}}}, {{"d", "b32"}});
  EXPECT_THAT(result.execution.undefined, ElementsAre(HasSubstr("base is above 31")));
}

/// Positions and lengths at which fields of up to 64 bits go wrong.
const std::vector<std::uint64_t> kPlaces = {0,  1,  2,  5,  8,   15,  16,  30,  31,  32,    33,        47,
                                            62, 63, 64, 65, 100, 192, 254, 255, 256, 0x101, 0xffffffff};

TEST(PtxBits, ExtractsFields) {
  for (const IntegerType& type : integerTypes()) {
    if (type.bits == 16) continue;
    std::vector<SnippetInput> in = {{"a", type.untyped(), {}}, {"b", "b32", {}}, {"c", "b32", {}}};
    for (std::uint64_t value : integerEdges(type.bits))
      for (std::uint64_t position : kPlaces)
        for (std::uint64_t length : kPlaces) {
          in[0].values.push_back(value);
          in[1].values.push_back(position);
          in[2].values.push_back(length);
        }
    expectFormula("bfe." + type.name + " d, a, b, c;", in, {"d", type.untyped()}, [&](Inputs x) {
      unsigned msb = type.bits - 1, position = x[1] & 255, length = x[2] & 255;
      bool sign = type.isSigned && length != 0 && bitOf(x[0], std::min(position + length - 1, msb));
      return fromBits(type.bits, [&](unsigned i) {
        return i < length && position + i <= msb ? bitOf(x[0], position + i) : sign;
      });
    });
  }
}

TEST(PtxBits, InsertsFields) {
  for (unsigned width : {32u, 64u}) {
    std::string type = "b" + std::to_string(width);
    for (std::uint64_t position : kPlaces)
      for (std::uint64_t length : kPlaces)
        expectFormula("bfi." + type + " d, a, b, " + std::to_string(position) + ", " +
                          std::to_string(length) + ";",
                      pairs(type, {0, cut(-1, width), cut(0x123456789abcdef0, width), 0x80000001}),
                      {"d", type}, [&](Inputs x) {
                        unsigned at = position & 255, bits = length & 255;
                        return fromBits(width, [&](unsigned i) {
                          return i >= at && i - at < bits ? bitOf(x[0], i - at) : bitOf(x[1], i);
                        });
                      });
  }
  auto registers = pairsWithAmounts(kPlaces);
  expectFormula("bfi.b32 d, a, b, c, c;", registers, {"d", "b32"}, [](Inputs x) {
    unsigned at = x[2] & 255;
    return fromBits(
        32, [&](unsigned i) { return i >= at && i - at < at ? bitOf(x[0], i - at) : bitOf(x[1], i); });
  });
}

TEST(PtxBits, MasksOfBits) {
  auto in = pairs("b32", kPlaces);
  expectFormula("bmsk.clamp.b32 d, a, b;", in, {"d", "b32"}, [](Inputs x) {
    return fromBits(32,
                    [&](unsigned i) { return i >= x[0] && i < x[0] + std::min<std::uint64_t>(x[1], 32); });
  });
  expectFormula("bmsk.wrap.b32 d, a, b;", in, {"d", "b32"}, [](Inputs x) {
    return fromBits(32, [&](unsigned i) { return i >= x[0] % 32 && i < x[0] % 32 + x[1] % 32; });
  });
}

TEST(PtxBits, ExtendsSignsAndZeros) {
  auto in = withAmounts(32, integerEdges(32));
  for (bool clamp : {false, true})
    for (bool isSigned : {false, true})
      expectFormula(std::string("szext") + (clamp ? ".clamp" : ".wrap") + (isSigned ? ".s32" : ".u32") +
                        " d, a, b;",
                    in, {"d", "b32"}, [&](Inputs x) {
                      if (clamp && x[1] >= 32) return x[0];
                      unsigned bits = x[1] % 32;
                      return bits == 0 ? 0 : cut(valueOf(x[0], bits, isSigned), 32);
                    });
}

TEST(PtxBits, PermutesBytes) {
  SnippetInput control = everyValue("c", 16);
  control.type = "b32";
  SnippetInput a{"a", "b32", std::vector<std::uint64_t>(65536, 0x83027f00)},
      b{"b", "b32", std::vector<std::uint64_t>(65536, 0x07f605e4)};
  for (std::size_t i = 0; i < control.values.size(); ++i)
    control.values[i] |= (i % 5) << 16; // does not count
  auto byte = [](Inputs x, unsigned n) { return (n < 4 ? x[0] >> 8 * n : x[1] >> 8 * (n - 4)) & 255; };
  expectFormula("prmt.b32 d, a, b, c;", {a, b, control}, {"d", "b32"}, [&](Inputs x) {
    std::uint64_t d = 0;
    for (unsigned i = 0; i < 4; ++i) {
      unsigned select = x[2] >> 4 * i & 15;
      std::uint64_t chosen = byte(x, select % 8);
      if (select >= 8) chosen = chosen >= 128 ? 255 : 0;
      d |= chosen << 8 * i;
    }
    return d;
  });
  struct Mode {
    const char* name;
    unsigned (*source)(unsigned c, unsigned i); ///< of byte i of the result
  };
  static constexpr Mode kModes[] = {
      {"f4e", [](unsigned c, unsigned i) { return c + i; }},
      {"b4e", [](unsigned c, unsigned i) { return (c + 8 - i) % 8; }},
      {"rc8", [](unsigned c, unsigned) { return c; }},
      {"ecl", [](unsigned c, unsigned i) { return std::max(c, i); }},
      {"ecr", [](unsigned c, unsigned i) { return std::min(c, i); }},
      {"rc16", [](unsigned c, unsigned i) { return 2 * (c % 2) + i % 2; }},
  };
  for (const Mode& mode : kModes)
    for (const std::string& name :
         {"prmt.b32." + std::string(mode.name), "prmt." + std::string(mode.name) + ".b32"})
      expectFormula(name + " d, a, b, c;", pairsWithAmounts({0, 1, 2, 3, 4, 5, 6, 7, 0xffffffff}),
                    {"d", "b32"}, [&](Inputs x) {
                      std::uint64_t d = 0;
                      for (unsigned i = 0; i < 4; ++i)
                        d |= byte(x, mode.source(x[2] & 3, i)) << 8 * i;
                      return d;
                    });
}

TEST(PtxBits, IllegalForms) {
  const std::string predicates = ".reg .pred p, q; mov.pred p, 0; mov.pred q, 0;\n";
  for (const char* body : {"and.u32 d, a, b;",
                           "or.s32 d, a, b;",
                           "xor.b8 dh, ah, bh;",
                           "not.u32 d, a;",
                           "cnot.u32 d, a;",
                           "and.pred p|q, p, q;",
                           "and.pred p, a, q;",
                           "not.pred p, p, q;",
                           "cnot.pred p, q;",
                           "shl.u32 d, a, b;",
                           "shl.b32 d, a;",
                           "shr.b8 dh, ah, b;",
                           "shl.wrap.b32 d, a, b;",
                           "shf.l.b32 d, a, b, c;",
                           "shf.clamp.b32 d, a, b, c;",
                           "shf.l.wrap.u32 d, a, b, c;",
                           "shf.l.wrap.b64 dl, al, bl, c;",
                           "popc.u32 d, a;",
                           "popc.b16 d, ah;",
                           "clz.s32 d, a;",
                           "brev.u32 d, a;",
                           "bfind.b32 d, a;",
                           "bfind.u16 d, ah;",
                           "fns.u32 d, a, b, c;",
                           "bfe.b32 d, a, b, c;",
                           "bfe.u16 dh, ah, b, c;",
                           "bfi.u32 d, a, b, c, c;",
                           "bfi.b32 d, a, b, c;",
                           "bmsk.b32 d, a, b;",
                           "bmsk.clamp.u32 d, a, b;",
                           "szext.u32 d, a, b;",
                           "szext.clamp.b32 d, a, b;",
                           "szext.wrap.s64 dl, al, b;",
                           "prmt.u32 d, a, b, c;",
                           "prmt.b32 d, a, b;",
                           "prmt.b32.f4e.rc8 d, a, b, c;",
                           "lop3.b32 d, a, b, c, 256;",
                           "lop3.b32 d, a, b, c, -1;",
                           "lop3.b32 d, a, b, c, d;",
                           "lop3.b32 d|p, a, b, c, 1;",
                           "lop3.and.b32 d, a, b, c, 1, q;",
                           "lop3.xor.b32 d|p, a, b, c, 1, q;",
                           "lop3.and.b32 d|p, a, b, c, 1;",
                           "lop3.b32 d, a, b, c, 1, q;",
                           "lop3.b64 dl, al, bl, al, 1;"})
    expectUnknown(predicates + body);
  expectKnown(predicates + "and.b32 d, a, b; and.pred p, p, q; mov.b16 dh, 0; mov.b64 dl, 0;");
}

} // namespace
} // namespace harness::ptx

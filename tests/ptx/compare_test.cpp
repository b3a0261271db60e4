#include "tests/ptx/float_values.h"
#include <gtest/gtest.h>

#include <functional>
#include <map>

namespace harness::ptx {
namespace {

using llvm::APFloat;

// ---- what relations mean

enum class Kind { Untyped, Unsigned, Signed, Float };

struct Scalar {
  std::string name;
  unsigned bits = 32;
  Kind kind = Kind::Float;
  const FloatType* type = nullptr; ///< of floats

  std::string container() const { return "b" + std::to_string(bits); }
  std::vector<std::uint64_t> edges() const { return type ? floatEdges(*type) : integerEdges(bits); }
};

std::vector<Scalar> integers() {
  std::vector<Scalar> all;
  for (unsigned bits : {16, 32, 64}) {
    std::string width = std::to_string(bits);
    all.push_back({"b" + width, bits, Kind::Untyped});
    all.push_back({"u" + width, bits, Kind::Unsigned});
    all.push_back({"s" + width, bits, Kind::Signed});
  }
  return all;
}

std::vector<Scalar> floats() {
  return {{"f32", 32, Kind::Float, &f32()},
          {"f64", 64, Kind::Float, &f64()},
          {"f16", 16, Kind::Float, &f16()},
          {"bf16", 16, Kind::Float, &bf16()}};
}

/// -1, 0, 1; 2 = unordered
int compared(const Scalar& scalar, std::uint64_t a, std::uint64_t b) {
  switch (scalar.kind) {
  case Kind::Float: {
    auto result = scalar.type->value(a).compare(scalar.type->value(b));
    return result == APFloat::cmpLessThan      ? -1
           : result == APFloat::cmpEqual       ? 0
           : result == APFloat::cmpGreaterThan ? 1
                                               : 2;
  }
  case Kind::Signed: {
    unsigned up = 64 - scalar.bits;
    auto x = static_cast<std::int64_t>(a << up), y = static_cast<std::int64_t>(b << up);
    return x < y ? -1 : x > y;
  }
  default: return a < b ? -1 : a > b;
  }
}

const std::map<std::string, std::function<bool(int)>>& relations(Kind kind) {
  static const auto make = [](bool less, bool equal, bool greater, bool unordered) {
    return [=](int c) { return c == -1 ? less : c == 0 ? equal : c == 1 ? greater : unordered; };
  };
  static const std::map<std::string, std::function<bool(int)>> untyped = {
      {"eq", make(false, true, false, false)}, {"ne", make(true, false, true, false)}};
  static const std::map<std::string, std::function<bool(int)>> integer = {
      {"eq", make(false, true, false, false)}, {"ne", make(true, false, true, false)},
      {"lt", make(true, false, false, false)}, {"le", make(true, true, false, false)},
      {"gt", make(false, false, true, false)}, {"ge", make(false, true, true, false)}};
  static const std::map<std::string, std::function<bool(int)>> natural = [] {
    auto all = integer;
    all["lo"] = all["lt"];
    all["ls"] = all["le"];
    all["hi"] = all["gt"];
    all["hs"] = all["ge"];
    return all;
  }();
  static const std::map<std::string, std::function<bool(int)>> real = [] {
    auto all = integer;
    for (auto& [name, holds] : integer)
      all[name + "u"] = [holds = holds](int c) { return c == 2 || holds(c); };
    all["num"] = make(true, true, true, false);
    all["nan"] = make(false, false, false, true);
    return all;
  }();
  switch (kind) {
  case Kind::Untyped: return untyped;
  case Kind::Unsigned: return natural;
  case Kind::Signed: return integer;
  default: return real;
  }
}

/// Registers p and q as bits 0 and 1 of d.
std::string asBits(const std::string& instruction) {
  return "{ .reg .pred p, q, r; .reg .b32 x, y; setp.ne.b32 p, 0, 0; mov.pred q, p; setp.ne.b32 r, c, 0;\n" +
         instruction + "\nselp.b32 x, 1, 0, p; selp.b32 y, 2, 0, q; add.u32 d, x, y; }";
}

/// a and b, and a c that changes.
std::vector<SnippetInput> inputsOf(const Scalar& scalar) {
  auto in = pairs(scalar.container(), scalar.edges());
  in.push_back({"c", "b32", {}});
  for (std::size_t i = 0; i < in[0].values.size(); ++i)
    in[2].values.push_back(i * 2654435761u >> 16 & 1);
  return in;
}

// ---- setp

void checkSetp(const Scalar& scalar, const std::string& name, const std::function<bool(int)>& holds,
               bool ftz = false) {
  auto in = inputsOf(scalar);
  std::string type = std::string(ftz ? ".ftz." : ".") + scalar.name;
  std::string both = scalar.bits == 16 && scalar.kind == Kind::Float ? "p" : "p|q";
  auto plain = evaluate(asBits("setp." + name + type + " " + both + ", a, b;"), in, {"d", "b32"});
  auto conjunction =
      evaluate(asBits("setp." + name + ".and" + type + " " + both + ", a, b, r;"), in, {"d", "b32"});
  auto choice = evaluate(asBits("setp." + name + ".or" + type + " p, a, b, !r;"), in, {"d", "b32"});
  auto difference = evaluate(asBits("setp." + name + ".xor" + type + " p, a, b, r;"), in, {"d", "b32"});
  bool two = both != "p";
  for (std::size_t i = 0; i < plain.size(); ++i) {
    std::uint64_t a = in[0].values[i], b = in[1].values[i];
    if (ftz) {
      a = scalar.type->flushed(a);
      b = scalar.type->flushed(b);
    }
    bool t = holds(compared(scalar, a, b)), c = in[2].values[i];
    auto bits = [&](bool p, bool q) -> std::uint64_t { return p + (two && q ? 2u : 0u); };
    ASSERT_EQ(plain[i], bits(t, !t)) << name << type << std::hex << " " << a << " " << b;
    ASSERT_EQ(conjunction[i], bits(t && c, !t && c)) << name << type;
    ASSERT_EQ(choice[i], std::uint64_t{t || !c}) << name << type;
    ASSERT_EQ(difference[i], std::uint64_t{t != c}) << name << type;
  }
}

TEST(PtxCompare, SetpOfIntegers) {
  for (const Scalar& scalar : integers())
    for (const auto& [name, holds] : relations(scalar.kind))
      checkSetp(scalar, name, holds);
}

TEST(PtxCompare, SetpOfFloats) {
  for (const Scalar& scalar : floats())
    for (const auto& [name, holds] : relations(scalar.kind)) {
      checkSetp(scalar, name, holds);
      if (scalar.name == "f32" || scalar.name == "f16") checkSetp(scalar, name, holds, true);
    }
}

std::vector<SnippetInput> packedInputs(const Scalar& scalar) {
  auto edges = scalar.edges();
  std::vector<SnippetInput> in = {{"a", "b32", {}}, {"b", "b32", {}}, {"c", "b32", {}}};
  for (std::size_t i = 0; i < edges.size() * edges.size(); ++i) {
    std::uint64_t x = edges[i % edges.size()], y = edges[i / edges.size()];
    in[0].values.push_back(x | y << 16);
    in[1].values.push_back(y | edges[(i * 5 + 1) % edges.size()] << 16);
    in[2].values.push_back(i / 3 & 1);
  }
  return in;
}

TEST(PtxCompare, SetpOfPairsGivesAPredicateAHalf) {
  for (const Scalar& scalar : {floats()[2], floats()[3]})
    for (const auto& [name, holds] : relations(Kind::Float)) {
      auto in = packedInputs(scalar);
      auto result =
          evaluate(asBits("setp." + name + ".xor." + scalar.name + "x2 p|q, a, b, r;"), in, {"d", "b32"});
      for (std::size_t i = 0; i < result.size(); ++i) {
        std::uint64_t a = in[0].values[i], b = in[1].values[i], c = in[2].values[i];
        bool low = holds(compared(scalar, a & 0xffff, b & 0xffff)),
             high = holds(compared(scalar, a >> 16, b >> 16));
        ASSERT_EQ(result[i], (low ^ c) + 2 * (high ^ c)) << name;
      }
    }
}

// ---- set

void checkSet(const Scalar& scalar, const std::string& result, unsigned bits, std::uint64_t one) {
  for (const auto& [name, holds] : relations(scalar.kind)) {
    auto in = inputsOf(scalar);
    std::string type = "." + result + "." + scalar.name;
    std::string container = "b" + std::to_string(bits);
    auto plain = evaluate("set." + name + type + " d, a, b;", in, {"d", container});
    auto combined =
        evaluate("{ .reg .pred r; setp.ne.b32 r, c, 0; set." + name + ".and" + type + " d, a, b, !r; }", in,
                 {"d", container});
    for (std::size_t i = 0; i < plain.size(); ++i) {
      bool t = holds(compared(scalar, in[0].values[i], in[1].values[i]));
      ASSERT_EQ(plain[i], t ? one : 0) << name << type;
      ASSERT_EQ(combined[i], t && !in[2].values[i] ? one : 0) << name << type;
    }
  }
}

TEST(PtxCompare, SetWritesOnesOrOne) {
  for (const Scalar& scalar : integers()) {
    checkSet(scalar, "u32", 32, 0xffffffff);
    checkSet(scalar, "f32", 32, 0x3f800000);
    checkSet(scalar, "f16", 16, 0x3c00);
  }
  for (const Scalar& scalar : floats())
    checkSet(scalar, "s32", 32, 0xffffffff);
  checkSet(floats()[0], "f32", 32, 0x3f800000);
  checkSet(floats()[1], "bf16", 16, 0x3f80);
  checkSet(floats()[2], "f16", 16, 0x3c00);
  checkSet(floats()[2], "u16", 16, 0xffff);
  checkSet(floats()[3], "s16", 16, 0xffff);
}

TEST(PtxCompare, SetOfPairs) {
  struct Form {
    Scalar scalar;
    std::string result;
    std::uint64_t one;
  };
  for (const Form& form : {Form{floats()[2], "f16x2", 0x3c00}, Form{floats()[2], "u32", 0xffff},
                           Form{floats()[3], "bf16x2", 0x3f80}, Form{floats()[3], "s32", 0xffff}}) {
    auto in = packedInputs(form.scalar);
    auto result =
        evaluate("set.ltu." + form.result + "." + form.scalar.name + "x2 d, a, b;", in, {"d", "b32"});
    for (std::size_t i = 0; i < result.size(); ++i) {
      std::uint64_t a = in[0].values[i], b = in[1].values[i];
      auto one = [&](unsigned shift) {
        int c = compared(form.scalar, a >> shift & 0xffff, b >> shift & 0xffff);
        return c == -1 || c == 2 ? form.one << shift : 0;
      };
      ASSERT_EQ(result[i], one(0) | one(16));
    }
  }
}

// ---- selp and slct

TEST(PtxCompare, SelpOfEveryWidth) {
  for (const char* type : {"b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"}) {
    unsigned bits = static_cast<unsigned>(std::stoul(std::string(type).substr(1)));
    auto in = pairs("b" + std::to_string(bits), integerEdges(bits));
    std::string body =
        "{ .reg .pred p; setp.hi.u" + std::to_string(bits) + " p, a, b; selp." + type + " d, a, b, p; }";
    auto result = evaluate(body, in, {"d", "b" + std::to_string(bits)});
    for (std::size_t i = 0; i < result.size(); ++i)
      ASSERT_EQ(result[i], std::max(in[0].values[i], in[1].values[i])) << type;
  }
}

TEST(PtxCompare, OnlyTheChosenValueMatters) {
  auto undefined = [](const std::string& body) {
    auto result =
        runSnippet(".reg .b32 x; .reg .pred p, u; " + body, {{"a", "b32", {0, 1, 2, 3}}}, {{"d", "b32"}});
    EXPECT_EQ(result.execution.end, ExecutionEnd::Completed) << body << result.execution.message;
    return !result.execution.unwritten.empty();
  };
  EXPECT_FALSE(undefined("setp.le.u32 p, a, 3; selp.b32 d, a, x, p;"));
  EXPECT_TRUE(undefined("setp.le.u32 p, a, 2; selp.b32 d, a, x, p;"));
  EXPECT_FALSE(undefined("setp.gt.u32 p, a, 3; selp.b32 d, x, a, p;"));
  EXPECT_TRUE(undefined("selp.b32 d, a, a, u;"));
  EXPECT_FALSE(undefined("slct.b32.s32 d, a, x, a;"));
  EXPECT_TRUE(undefined("slct.b32.s32 d, x, a, a;"));
  EXPECT_TRUE(undefined("slct.b32.s32 d, a, a, x;"));
}

TEST(PtxCompare, SlctBySign) {
  auto in = pairs("b32", floatEdges(f32()));
  auto bySign = evaluate("slct.u32.s32 d, a, 7, b;", in, {"d", "b32"});
  auto byValue = evaluate("slct.f32.f32 d, a, 0f40E00000, b;", in, {"d", "b32"});
  auto byFlushed = evaluate(
      "{ .reg .b64 w, s; mov.b64 w, {a, b}; mov.b64 s, 7; slct.ftz.b64.f32 w, w, s, b; mov.b64 {d, _}, w; }",
      in, {"d", "b32"});
  for (std::size_t i = 0; i < bySign.size(); ++i) {
    std::uint64_t a = in[0].values[i], b = in[1].values[i];
    ASSERT_EQ(bySign[i], b >> 31 ? 7 : a);
    bool atLeastZero = !f32().isNan(b) && (!(b >> 31) || b == 0x80000000);
    ASSERT_EQ(byValue[i], atLeastZero ? a : 0x40e00000);
    bool flushedToo = atLeastZero || f32().isSubnormal(b);
    ASSERT_EQ(byFlushed[i], flushedToo ? a : 7);
  }
}

// ---- testp and copysign

TEST(PtxCompare, Testp) {
  using Test = std::function<bool(const APFloat&)>;
  const std::map<std::string, Test> tests = {
      {"finite", [](const APFloat& x) { return x.isFinite(); }},
      {"infinite", [](const APFloat& x) { return x.isInfinity(); }},
      {"number", [](const APFloat& x) { return !x.isNaN(); }},
      {"notanumber", [](const APFloat& x) { return x.isNaN(); }},
      {"normal", [](const APFloat& x) { return x.isFinite() && !x.isDenormal(); }},
      {"subnormal", [](const APFloat& x) { return x.isDenormal(); }},
  };
  for (const FloatType* type : {&f32(), &f64()})
    for (const auto& [name, test] : tests) {
      std::vector<SnippetInput> in = {{"a", type->container(), floatEdges(*type)}};
      auto result =
          evaluate("{ .reg .pred p; testp." + name + "." + type->name + " p, a; selp.b32 d, 1, 0, p; }", in,
                   {"d", "b32"});
      for (std::size_t i = 0; i < result.size(); ++i)
        ASSERT_EQ(result[i], std::uint64_t{test(type->value(in[0].values[i]))})
            << name << std::hex << in[0].values[i];
    }
}

TEST(PtxCompare, CopysignTakesTheSignOfTheFirst) {
  for (const FloatType* type : {&f32(), &f64()}) {
    auto in = pairs(type->container(), floatEdges(*type));
    auto result = evaluate("copysign." + type->name + " d, a, b;", in, {"d", type->container()});
    for (std::size_t i = 0; i < result.size(); ++i)
      ASSERT_EQ(result[i], (in[0].values[i] & type->sign) | (in[1].values[i] & ~type->sign));
  }
}

TEST(PtxCompare, FormsThatThereAreNot) {
  for (const char* body : {"setp.lt.b32 %p0, %r0, %r1;",
                           "setp.lo.s32 %p0, %r0, %r1;",
                           "setp.equ.u32 %p0, %r0, %r1;",
                           "setp.hi.f32 %p0, %r0, %r1;",
                           "setp.eq.ftz.f64 %p0, %d0, %d1;",
                           "setp.eq.ftz.bf16 %p0, %h0, %h1;",
                           "setp.eq.f16 %p0|%p1, %h0, %h1;",
                           "setp.eq.f16x2 %p0, %r0, %r1;",
                           "setp.f32 %p0, %r0, %r1;",
                           "setp.eq.and.f32 %p0, %r0, %r1;",
                           "setp.eq.f32 %p0, %r0, %r1, %p1;",
                           "setp.eq.ne.f32 %p0, %r0, %r1;",
                           "setp.eq.u8 %p0, %r0, %r1;",
                           "set.eq.u16.u32 %h0, %r0, %r1;",
                           "set.eq.u64.u32 %d0, %r0, %r1;",
                           "set.eq.f32.f16 %r0, %h0, %h1;",
                           "set.eq.f16x2.bf16x2 %r0, %r1, %r2;",
                           "selp.f16 %h0, %h1, %h2, %p0;",
                           "selp.b8 %h0, %h1, %h2, %p0;",
                           "selp.b32 %r0, %r1, %r2;",
                           "slct.b32.u32 %r0, %r1, %r2, %r3;",
                           "slct.ftz.b32.s32 %r0, %r1, %r2, %r3;",
                           "testp.f32 %p0, %r0;",
                           "testp.finite.f16 %p0, %h0;",
                           "copysign.f16 %h0, %h1, %h2;"})
    expectUnsupported(body);
}

} // namespace
} // namespace harness::ptx

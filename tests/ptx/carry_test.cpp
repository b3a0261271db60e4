#include "tests/ptx/formula.h"
#include <gmock/gmock.h>

namespace harness::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

__extension__ typedef unsigned __int128 Wide;

const std::vector<std::uint64_t> kWords = {0,          1,          2,          0x7fffffff,
                                           0x80000000, 0xfffffffe, 0xffffffff, 0x12345678};
const std::vector<std::uint64_t> kDoubles = {0,
                                             1,
                                             0xffffffff,
                                             0x7fffffffffffffff,
                                             0x8000000000000000,
                                             ~std::uint64_t{0} - 1,
                                             ~std::uint64_t{0},
                                             0xdeadbeefcafef00d};

struct Case {
  std::string type;
  unsigned bits;
};
const std::vector<Case> kTypes = {{"u32", 32}, {"s32", 32}, {"u64", 64}, {"s64", 64}};

const std::vector<std::uint64_t>& edges(unsigned bits) {
  return bits == 32 ? kWords : kDoubles;
}

std::string typed(std::string body, const std::string& type) {
  for (std::size_t at = 0; (at = body.find(".T ", at)) != std::string::npos;)
    body.replace(at, 2, "." + type);
  return body;
}

/// The carry flag set to c & 1, then `body`, its result in d or its carry out where it says so.
void expectChain(const std::string& body, const Case& type, const Formula& formula) {
  auto in = triples("b" + std::to_string(type.bits), edges(type.bits));
  expectFormula(typed(body, type.type), in, {"d", in[0].type}, formula);
}

TEST(PtxCarry, SumsOfTwoWords) {
  for (const Case& type : kTypes) {
    auto sum = [&](Wide a, Wide b, Wide c) { return a + b + c; };
    expectChain("add.cc.T d, a, b;", type,
                [&](Inputs x) { return cut(Exact(sum(x[0], x[1], 0)), type.bits); });
    expectChain("add.cc.T d, a, b; addc.T d, 0, 0;", type,
                [&](Inputs x) { return static_cast<std::uint64_t>(sum(x[0], x[1], 0) >> type.bits); });
    // The carry of a + b goes into a + c.
    auto second = [&](Inputs x) { return sum(x[0], x[2], sum(x[0], x[1], 0) >> type.bits); };
    expectChain("add.cc.T d, a, b; addc.T d, a, c;", type,
                [&](Inputs x) { return cut(Exact(second(x)), type.bits); });
    expectChain("add.cc.T d, a, b; addc.cc.T d, a, c; addc.T d, 0, 0;", type,
                [&](Inputs x) { return static_cast<std::uint64_t>(second(x) >> type.bits); });
    // addc without .cc leaves the flag.
    expectChain("add.cc.T d, a, b; addc.T d, a, c; addc.T d, 0, 0;", type,
                [&](Inputs x) { return static_cast<std::uint64_t>(sum(x[0], x[1], 0) >> type.bits); });
  }
}

TEST(PtxCarry, Differences) {
  for (const Case& type : kTypes) {
    auto borrow = [](Wide a, Wide b, Wide c) { return std::uint64_t{a < b + c}; };
    expectChain("sub.cc.T d, a, b;", type,
                [&](Inputs x) { return cut(Exact(x[0]) - Exact(x[1]), type.bits); });
    expectChain("sub.cc.T d, a, b; addc.T d, 0, 0;", type, [&](Inputs x) { return borrow(x[0], x[1], 0); });
    expectChain("sub.cc.T d, a, b; subc.T d, a, c;", type, [&](Inputs x) {
      return cut(Exact(x[0]) - Exact(x[2]) - Exact(borrow(x[0], x[1], 0)), type.bits);
    });
    expectChain("sub.cc.T d, a, b; subc.cc.T d, a, c; addc.T d, 0, 0;", type,
                [&](Inputs x) { return borrow(x[0], x[2], borrow(x[0], x[1], 0)); });
  }
}

TEST(PtxCarry, Products) {
  for (const Case& type : kTypes) {
    bool isSigned = type.type[0] == 's';
    auto half = [&](Inputs x, bool high) {
      if (!high) return cut(Exact(x[0] * x[1]), type.bits);
      if (type.bits == 64) return productHigh(x[0], x[1], isSigned);
      return cut((valueOf(x[0], 32, isSigned) * valueOf(x[1], 32, isSigned)) >> 32, 32);
    };
    for (bool high : {false, true}) {
      std::string mode = high ? ".hi" : ".lo";
      auto sum = [&](Inputs x, Wide in) { return Wide{half(x, high)} + x[2] + in; };
      auto carry = [&](Inputs x, Wide in) { return static_cast<std::uint64_t>(sum(x, in) >> type.bits); };
      auto first = [&](Inputs x) { return (Wide{x[0]} + x[1]) >> type.bits; };
      expectChain("mad" + mode + ".cc.T d, a, b, c;", type,
                  [&](Inputs x) { return cut(Exact(sum(x, 0)), type.bits); });
      expectChain("mad" + mode + ".cc.T d, a, b, c; addc.T d, 0, 0;", type,
                  [&](Inputs x) { return carry(x, 0); });
      expectChain("add.cc.T d, a, b; madc" + mode + ".T d, a, b, c;", type,
                  [&](Inputs x) { return cut(Exact(sum(x, first(x))), type.bits); });
      expectChain("add.cc.T d, a, b; madc" + mode + ".cc.T d, a, b, c; addc.T d, 0, 0;", type,
                  [&](Inputs x) { return carry(x, first(x)); });
    }
  }
}

TEST(PtxCarry, TheFlagIsOfAThread) {
  // Only some threads write it; the others keep theirs.
  expectFormula("{ .reg .pred p, q; .reg .b32 x; mov.pred q, 0; lop3.or.b32 x|p, c, c, c, 0xf0, q;\n"
                "add.cc.u32 x, 0xffffffff, 1; @p add.cc.u32 x, a, b; addc.u32 d, 0, 0; }",
                triples("b32", {0, 1, 0xffffffff}), {"d", "b32"},
                [](Inputs x) { return x[2] ? (x[0] + x[1]) >> 32 : 1; });
}

TEST(PtxCarry, AFlagThatNobodyWroteIsUndefined) {
  SnippetResult result = runSnippet("addc.u32 d, a, 0;", {{"a", "b32", {1, 2}}}, {{"d", "b32"}});
  EXPECT_THAT(result.execution.unwritten, ElementsAre(HasSubstr("a value that nobody wrote")));
  result = runSnippet("add.cc.u32 d, a, 0; addc.u32 d, a, 0;", {{"a", "b32", {1, 2}}}, {{"d", "b32"}});
  EXPECT_THAT(result.execution.unwritten, IsEmpty());
}

TEST(PtxCarry, ACallDoesNotPreserveTheFlag) {
  constexpr const char* kText = ".version 8.8\n.target sm_100a\n.address_size 64\n"
                                ".func nothing()\n{\n  ret;\n}\n"
                                ".visible .entry k(.param .u64 out)\n{\n  .reg .b64 %at;\n  .reg .b32 %d;\n"
                                "  ld.param.u64 %at, [out];\n  add.cc.u32 %d, 1, 2;\n  call.uni nothing;\n"
                                "  addc.u32 %d, 0, 0;\n  st.global.u32 [%at], %d;\n  ret;\n}\n";
  Program program(parseModule(kText, "calls"), "calls");
  GlobalMemory memory;
  Launch launch;
  launch.grid = {1, 1, 1};
  launch.block = {1, 1, 1};
  std::uint64_t address = memory.allocate("out", 4, std::byte{0}).address;
  const auto* bytes = reinterpret_cast<const std::byte*>(&address);
  launch.args.emplace_back(bytes, bytes + sizeof address);
  ExecutionResult result = execute(program, "k", launch, memory, {});
  EXPECT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  EXPECT_THAT(result.unwritten, ElementsAre(HasSubstr("a value that nobody wrote")));
}

TEST(PtxCarry, IllegalForms) {
  for (const char* body : {"add.cc.u16 dh, ah, bh;", "add.cc.b32 d, a, b;", "add.sat.cc.s32 d, a, b;",
                           "addc.u16 dh, ah, bh;", "addc.sat.s32 d, a, b;", "mad.wide.cc.u32 dl, a, b, al;",
                           "mad.cc.u32 d, a, b, c;", "madc.u32 d, a, b, c;", "madc.wide.u32 dl, a, b, al;",
                           "mad.hi.sat.cc.s32 d, a, b, c;", "mul.lo.cc.u32 d, a, b;", "subc.u8x4 d, a, b;"})
    expectUnknown(body);
}

} // namespace
} // namespace harness::ptx

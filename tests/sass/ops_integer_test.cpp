// Every integer opcode and modifier against plain C++ on wider types.

#include "tests/sass/op_test.h"
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <bit>

namespace harness::sass::test {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u128 = unsigned __int128;

i32 asSigned(u32 x) {
  return static_cast<i32>(x);
}
i64 asSigned(u64 x) {
  return static_cast<i64>(x);
}
u64 low64(u128 x) {
  return static_cast<u64>(x);
}

/// `text` of the per-lane instruction as the uniform datapath prints it.
std::string uniformText(std::string text) {
  std::string out = "U";
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool starts =
        i > 0 && (text[i - 1] == ' ' || text[i - 1] == '-' || text[i - 1] == '~' || text[i - 1] == '!');
    if (starts && (text[i] == 'R' || text[i] == 'P')) out += 'U';
    out += text[i];
  }
  return out;
}

/// On both datapaths.
void checkBoth(const OpCase& op, const std::vector<LaneInput>& inputs) {
  checkLanes(op, inputs);
  OpCase uniform = op;
  uniform.text = uniformText(op.text);
  std::vector<LaneInput> some;
  for (std::size_t i = 0; i < inputs.size(); i += std::max<std::size_t>(1, inputs.size() / 211))
    some.push_back(inputs[i]);
  checkUniform(uniform, some);
}

std::vector<LaneInput> someTriples() {
  return triples(fewIntegers(), fewIntegers(), fewIntegers());
}
std::vector<LaneInput> allPairs() {
  return pairs(integerEdges(), integerEdges());
}

// ---- moves and selects

TEST(SassInteger, Mov) {
  checkBoth({"MOV R20, R10", [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0]; }}, allPairs());
  checkBoth({"MOV R20, RZ", [](const LaneInput&, LaneOutput& out) { out.r[0] = 0; }}, allPairs());
  checkBoth({"MOV R20, -0x80000000", [](const LaneInput&, LaneOutput& out) { out.r[0] = 0x80000000; }},
            allPairs());
  checkLanes({"MOV RZ, R10", [](const LaneInput&, LaneOutput&) {}}, allPairs());
}

TEST(SassInteger, Mov64) {
  checkBoth({"MOV.64 R20, R10", [](const LaneInput& in, LaneOutput& out) { out.pair(in.pair(0)); }, 0, 120},
            widePairs(wideEdges()));
  checkBoth({"MOV.64 R20, RZ", [](const LaneInput&, LaneOutput& out) { out.pair(0); }, 0, 120},
            widePairs(wideEdges()));
  // ptxas 13.5.37 makes these of mov.u64 with 4294967295, 2147483648 and -2: the printed number is the value.
  checkBoth(
      {"MOV.64 R20, 0xffffffff", [](const LaneInput&, LaneOutput& out) { out.pair(0xffffffff); }, 0, 120},
      widePairs(wideEdges()));
  checkBoth({"MOV.64 R20, 0xfffffffffffffffe", [](const LaneInput&, LaneOutput& out) { out.pair(~u64{1}); },
             0, 120},
            widePairs(wideEdges()));
}

TEST(SassInteger, Sel) {
  checkBoth({"SEL R20, R10, R11, P0",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.p[0] ? in.r[0] : in.r[1]; }},
            allPairs());
  checkBoth({"SEL R20, R10, 0x5, !P3",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.p[3] ? 5 : in.r[0]; }},
            allPairs());
  checkBoth({"SEL R20, RZ, R11, PT", [](const LaneInput&, LaneOutput& out) { out.r[0] = 0; }}, allPairs());
  checkBoth({"SEL R20, RZ, R11, !PT", [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[1]; }},
            allPairs());
}

TEST(SassInteger, Sel64) {
  checkBoth({"SEL.64 R20, R10, R12, P0",
             [](const LaneInput& in, LaneOutput& out) { out.pair(in.p[0] ? in.pair(0) : in.pair(2)); }, 0,
             120},
            widePairs(wideEdges()));
  checkBoth({"SEL.64 R20, R10, -0x1, !P3", // of selp.u64 with 0xffffffffffffffff
             [](const LaneInput& in, LaneOutput& out) { out.pair(in.p[3] ? ~u64{0} : in.pair(0)); }, 0, 120},
            widePairs(wideEdges()));
}

u32 permuted(u32 a, u32 b, u32 selector) {
  const u32 bytes[8] = {a & 0xff, a >> 8 & 0xff, a >> 16 & 0xff, a >> 24,
                        b & 0xff, b >> 8 & 0xff, b >> 16 & 0xff, b >> 24};
  u32 result = 0;
  for (int i = 3; i >= 0; --i) {
    u32 select = selector >> (4 * i) & 0xf;
    u32 byte = bytes[select % 8];
    if (select >= 8) byte = byte >= 0x80 ? 0xff : 0x00;
    result = result << 8 | byte;
  }
  return result;
}

TEST(SassInteger, Prmt) {
  std::vector<u32> selectors = {0x3210, 0x7654, 0x7610, 0x7710, 0x0123, 0x4567, 0x8888,
                                0xba98, 0xfedc, 0x9180, 0x5140, 0xffff, 0,      0x12345678};
  checkBoth({"PRMT R20, R10, R11, R12",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = permuted(in.r[0], in.r[2], in.r[1]); }},
            triples(fewIntegers(), selectors, fewIntegers()));
  checkBoth({"PRMT R20, R10, 0x7610, RZ",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0] & 0xffff; }},
            allPairs());
}

/// Bytes of {c, a} from `selector` & 3, as PTX has them for each mode.
TEST(SassInteger, PrmtModes) {
  struct Mode {
    const char* name;
    int (*byte)(int from, int i);
  };
  const Mode modes[] = {
      {"F4E", [](int from, int i) { return from + i; }},
      {"B4E", [](int from, int i) { return (from - i + 8) % 8; }},
      {"RC8", [](int from, int) { return from; }},
      {"ECL", [](int from, int i) { return std::max(from, i); }},
      {"ECR", [](int from, int i) { return std::min(from, i); }},
      {"RC16", [](int from, int i) { return from % 2 * 2 + i % 2; }},
  };
  for (const Mode& mode : modes)
    checkBoth({std::string("PRMT.") + mode.name + " R20, R10, R11, R12",
               [byte = mode.byte](const LaneInput& in, LaneOutput& out) {
                 u64 bytes = in.r[0] | u64{in.r[2]} << 32;
                 out.r[0] = 0;
                 for (int i = 0; i < 4; ++i)
                   out.r[0] |= static_cast<u32>(bytes >> 8 * byte(static_cast<int>(in.r[1] & 3), i) & 0xff)
                               << 8 * i;
               }},
              triples({0x12345678, 0x9abcdef0}, {0, 1, 2, 3, 0x84, 0xfffffffd}, {0x89674523, 0xfedcba98}));
}

// ---- addition

void sum(LaneOutput& out, u64 total, bool carry, bool carry2) {
  out.r[0] = static_cast<u32>(total);
  if (carry) out.p[0] = total >= u64{1} << 32;
  if (carry2) out.p[1] = total >= u64{2} << 32;
}

TEST(SassInteger, Iadd3) {
  checkBoth({"IADD3 R20, R10, R11, R12",
             [](const LaneInput& in, LaneOutput& out) {
               sum(out, u64{in.r[0]} + in.r[1] + in.r[2], false, false);
             }},
            someTriples());
  checkBoth({"IADD3 R20, PT, PT, R10, -R11, R12",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0] - in.r[1] + in.r[2]; }},
            someTriples());
  checkBoth({"IADD3 R20, R10, 0x85, -R12",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0] + 0x85 - in.r[2]; }},
            someTriples());
  checkBoth(
      {"IADD3 R20, R10, -0x1, RZ", [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0] - 1; }},
      someTriples());
  checkLanes({"IADD3 R20, R10, c[0x0][0x0], RZ",
              [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0] + 32; }},
             someTriples());
}

TEST(SassInteger, Iadd3CarriesOut) {
  checkBoth({"IADD3 R20, P4, R10, R11, RZ",
             [](const LaneInput& in, LaneOutput& out) { sum(out, u64{in.r[0]} + in.r[1], true, false); }},
            allPairs());
  checkBoth({"IADD3 R20, P4, R10, -0x80000000, RZ",
             [](const LaneInput& in, LaneOutput& out) { sum(out, u64{in.r[0]} + 0x80000000, true, false); }},
            allPairs());
  // The destination may be none: only the carry is wanted.
  checkBoth({"IADD3 RZ, P4, PT, R10, R11, RZ",
             [](const LaneInput& in, LaneOutput& out) { out.p[0] = u64{in.r[0]} + in.r[1] > 0xffffffff; }},
            allPairs());
}

/// `a + -0` carries out: the borrow of a 64-bit subtraction depends on it (agrees with code run on x86).
TEST(SassInteger, Iadd3NegatedSourceCarriesOutAtZero) {
  checkBoth({"IADD3 R20, P4, R10, -R11, RZ",
             [](const LaneInput& in, LaneOutput& out) {
               out.r[0] = in.r[0] - in.r[1];
               out.p[0] = in.r[0] >= in.r[1];
             }},
            allPairs());
  checkBoth({"IADD3 R20, P4, PT, -R10, R11, RZ",
             [](const LaneInput& in, LaneOutput& out) {
               out.r[0] = in.r[1] - in.r[0];
               out.p[0] = in.r[1] >= in.r[0];
             }},
            allPairs());
  checkBoth({"IADD3 R20, P4, RZ, -R11, RZ",
             [](const LaneInput& in, LaneOutput& out) {
               out.r[0] = 0 - in.r[1];
               out.p[0] = in.r[1] == 0;
             }},
            allPairs());
}

/// Two negated sources: ~x + 1 each, and both carries together are what IADD3.X adds. ptxas 13.5.37 makes a
/// 64-bit a - b - b so from -O1 on, with the results of -O0.
TEST(SassInteger, Iadd3TwoNegatedSourcesCarryTwice) {
  checkBoth({"IADD3 R20, P4, P5, -R10, R11, -R12",
             [](const LaneInput& in, LaneOutput& out) {
               sum(out, u64{~in.r[0]} + 1 + in.r[1] + ~in.r[2] + 1, true, true);
             }},
            someTriples());
}

/// Assumed, no code met uses it: the second carry is the sum's second one, so that IADD3.X can add both.
TEST(SassInteger, Iadd3SecondCarryIsTheSumsSecondCarryAssumed) {
  checkBoth(
      {"IADD3 R20, P4, P5, R10, R11, R12",
       [](const LaneInput& in, LaneOutput& out) { sum(out, u64{in.r[0]} + in.r[1] + in.r[2], true, true); }},
      someTriples());
}

TEST(SassInteger, Iadd3X) {
  checkBoth({"IADD3.X R20, R10, R11, R12, P0, !PT",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0] + in.r[1] + in.r[2] + in.p[0]; }},
            someTriples());
  checkBoth({"IADD3.X R20, R10, R11, R12, P0, P1",
             [](const LaneInput& in, LaneOutput& out) {
               out.r[0] = in.r[0] + in.r[1] + in.r[2] + in.p[0] + in.p[1];
             }},
            someTriples());
  checkBoth({"IADD3.X R20, P4, PT, R10, ~R11, RZ, P0, !PT",
             [](const LaneInput& in, LaneOutput& out) {
               sum(out, u64{in.r[0]} + ~in.r[1] + in.p[0], true, false);
             }},
            someTriples());
  checkBoth({"IADD3.X R20, PT, PT, RZ, -0x1, RZ, !P0, !PT",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = 0xffffffffu + !in.p[0]; }},
            someTriples());
}

/// A 64-bit difference in two instructions, as compilers write it.
TEST(SassInteger, Subtraction64InTwoWords) {
  Assembly a;
  auto inputs = widePairs(wideEdges());
  std::vector<u32> in, out(inputs.size() * 2);
  for (const LaneInput& input : inputs)
    in.insert(in.end(), input.r.begin(), input.r.begin() + 4);
  a.buffer("in", in).buffer("out", out).lines("S2R R0, SR_CTAID.X");
  a.pointer(2, "in").pointer(4, "out");
  a.lines(R"(
    IMAD.WIDE.U32 R2, R0, 0x10, R2
    IMAD.WIDE.U32 R4, R0, 0x8, R4
    LDG.E.128 R8, desc[UR4][R2.64]
    IADD3 R12, P0, R8, -R10, RZ
    IADD3.X R13, R9, ~R11, RZ, P0, !PT
    STG.E.64 desc[UR4][R4.64], R12
    EXIT)");
  Launch launch;
  launch.grid = {static_cast<u32>(inputs.size()), 1, 1};
  ExecutionResult result = a.run(launch);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  out = a.words("out");
  for (std::size_t i = 0; i < inputs.size(); ++i)
    EXPECT_EQ(out[2 * i] | u64{out[2 * i + 1]} << 32, inputs[i].pair(0) - inputs[i].pair(2));
}

TEST(SassInteger, Iadd) {
  checkBoth(
      {"IADD R20, R10, R11", [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0] + in.r[1]; }},
      allPairs());
  checkBoth({"IADD R20, -R10, 0x20", [](const LaneInput& in, LaneOutput& out) { out.r[0] = 0x20 - in.r[0]; }},
            allPairs());
  checkBoth({"IADD R20, RZ, -R11", [](const LaneInput& in, LaneOutput& out) { out.r[0] = 0 - in.r[1]; }},
            allPairs());
  checkBoth({"IADD R20, P4, -R10, R11",
             [](const LaneInput& in, LaneOutput& out) {
               out.r[0] = in.r[1] - in.r[0];
               out.p[0] = in.r[1] >= in.r[0];
             }},
            allPairs());
  checkBoth({"IADD.X R20, ~R10, R11, P0",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = ~in.r[0] + in.r[1] + in.p[0]; }},
            allPairs());
}

TEST(SassInteger, Iadd64) {
  auto inputs = widePairs(wideEdges());
  checkBoth({"IADD.64 R20, R10, R12",
             [](const LaneInput& in, LaneOutput& out) { out.pair(in.pair(0) + in.pair(2)); }, 0, 120},
            inputs);
  checkBoth({"IADD.64 R20, -R10, RZ", [](const LaneInput& in, LaneOutput& out) { out.pair(0 - in.pair(0)); },
             0, 120},
            inputs);
  // ptxas 13.5.37: adding 0xffffffff80000000 prints so, adding 0x80000000 goes through MOV.64.
  checkBoth({"IADD.64 R20, R10, -0x80000000",
             [](const LaneInput& in, LaneOutput& out) { out.pair(in.pair(0) - 0x80000000); }, 0, 120},
            inputs);
  checkBoth({"IADD.64 R20, P4, R10, -R12",
             [](const LaneInput& in, LaneOutput& out) {
               out.pair(in.pair(0) - in.pair(2));
               out.p[0] = in.pair(0) >= in.pair(2);
             },
             0, 120},
            inputs);
  checkBoth({"IADD.64.X R20, P4, R10, ~R12, P0",
             [](const LaneInput& in, LaneOutput& out) {
               u128 total = u128{in.pair(0)} + ~in.pair(2) + in.p[0];
               out.pair(low64(total));
               out.p[0] = total >> 64 != 0;
             },
             0, 120},
            inputs);
  std::vector<LaneInput> some(inputs.begin(), inputs.begin() + 150);
  checkUniform({"UIADD3.64 UR20, UP4, UPT, UR10, UR12, UR14",
                [](const LaneInput& in, LaneOutput& out) {
                  u128 total = u128{in.pair(0)} + in.pair(2) + in.pair(4);
                  out.pair(low64(total));
                  out.p[0] = total >> 64 != 0;
                },
                0, 100},
               some);
}

// ---- multiplication

TEST(SassInteger, Imad) {
  for (const char* name : {"IMAD", "IMAD.U32", "IMAD.IADD", "IMAD.SHL.U32", "IMAD.MOV.U32"}) {
    checkBoth({name + std::string(" R20, R10, R11, R12"),
               [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0] * in.r[1] + in.r[2]; }},
              someTriples());
  }
  checkBoth(
      {"IMAD R20, R10, -0x7, RZ", [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0] * -7u; }},
      allPairs());
  checkBoth({"IMAD.IADD R20, R10, 0x1, -R11",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0] - in.r[1]; }},
            allPairs());
  checkBoth(
      {"IMAD.MOV R20, RZ, RZ, -R10", [](const LaneInput& in, LaneOutput& out) { out.r[0] = 0 - in.r[0]; }},
      allPairs());
  checkBoth({"IMAD.MOV.U32 R20, RZ, RZ, -0x80000000",
             [](const LaneInput&, LaneOutput& out) { out.r[0] = 0x80000000; }},
            allPairs());
  checkBoth(
      {"IMAD.SHL R20, R10, 0x20, RZ", [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0] << 5; }},
      allPairs());
}

TEST(SassInteger, ImadX) {
  checkBoth({"IMAD.X R20, R10, 0x1, R11, P1",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0] + in.r[1] + in.p[1]; }},
            allPairs());
  checkBoth({"IMAD.X R20, R10, 0x1, ~R11, P1",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0] + ~in.r[1] + in.p[1]; }},
            allPairs());
  checkBoth({"IMAD.X R20, RZ, RZ, -0x1, !P1",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = 0xffffffffu + !in.p[1]; }},
            allPairs());
}

TEST(SassInteger, ImadWide) {
  auto inputs = triples(fewIntegers(), fewIntegers(), fewIntegers());
  auto product = [](const LaneInput& in) {
    return static_cast<u64>(i64{asSigned(in.r[0])} * asSigned(in.r[1]));
  };
  checkBoth({"IMAD.WIDE R20, R10, R11, R12",
             [product](const LaneInput& in, LaneOutput& out) { out.pair(product(in) + in.pair(2)); }},
            inputs);
  checkBoth({"IMAD.WIDE.U32 R20, R10, R11, R12",
             [](const LaneInput& in, LaneOutput& out) { out.pair(u64{in.r[0]} * in.r[1] + in.pair(2)); }},
            inputs);
  checkBoth({"IMAD.WIDE R20, R10, -0x4, R12",
             [](const LaneInput& in, LaneOutput& out) {
               out.pair(static_cast<u64>(i64{asSigned(in.r[0])} * -4) + in.pair(2));
             }},
            inputs);
  checkBoth({"IMAD.WIDE.U32 R20, R10, -0x10, RZ", // of mul.wide.u32 with 0xfffffff0
             [](const LaneInput& in, LaneOutput& out) { out.pair(u64{in.r[0]} * 0xfffffff0u); }},
            inputs);
  checkBoth({"IMAD.WIDE.U32 R20, P4, R10, R11, R12",
             [](const LaneInput& in, LaneOutput& out) {
               u128 total = u128{u64{in.r[0]} * in.r[1]} + in.pair(2);
               out.pair(low64(total));
               out.p[0] = total >> 64 != 0;
             }},
            inputs);
  checkBoth({"IMAD.WIDE.U32.X R20, P4, R10, R11, R12, P0",
             [](const LaneInput& in, LaneOutput& out) {
               u128 total = u128{u64{in.r[0]} * in.r[1]} + in.pair(2) + in.p[0];
               out.pair(low64(total));
               out.p[0] = total >> 64 != 0;
             }},
            inputs);
}

TEST(SassInteger, ImadHi) {
  auto inputs = triples(fewIntegers(), fewIntegers(), fewIntegers());
  checkBoth({"IMAD.HI R20, R10, R11, R12",
             [](const LaneInput& in, LaneOutput& out) {
               u64 product = static_cast<u64>(i64{asSigned(in.r[0])} * asSigned(in.r[1]));
               out.r[0] = static_cast<u32>((product + in.pair(2)) >> 32);
             }},
            inputs);
  checkBoth({"IMAD.HI R20, R10, -0x7, RZ",
             [](const LaneInput& in, LaneOutput& out) {
               out.r[0] = static_cast<u32>(static_cast<u64>(i64{asSigned(in.r[0])} * -7) >> 32);
             }},
            inputs);
  checkBoth({"IMAD.HI.U32 R20, R10, R11, R12",
             [](const LaneInput& in, LaneOutput& out) {
               out.r[0] = static_cast<u32>((u64{in.r[0]} * in.r[1] + in.pair(2)) >> 32);
             }},
            inputs);
  checkBoth({"IMAD.HI.U32 R20, R10, R11, RZ",
             [](const LaneInput& in, LaneOutput& out) {
               out.r[0] = static_cast<u32>(u64{in.r[0]} * in.r[1] >> 32);
             }},
            inputs);
}

TEST(SassInteger, Lea) {
  for (unsigned shift : {0u, 1u, 5u, 23u, 31u}) {
    std::string s = llvm::formatv(", {0:x}", shift);
    checkBoth({"LEA R20, R10, R11" + s,
               [shift](const LaneInput& in, LaneOutput& out) { out.r[0] = (in.r[0] << shift) + in.r[1]; }},
              allPairs());
    checkBoth({"LEA R20, P4, R10, R11" + s,
               [shift](const LaneInput& in, LaneOutput& out) {
                 sum(out, u64{in.r[0] << shift} + in.r[1], true, false);
               }},
              allPairs());
    checkBoth(
        {"LEA R20, R10, -0x3f800000" + s,
         [shift](const LaneInput& in, LaneOutput& out) { out.r[0] = (in.r[0] << shift) + 0xc0800000u; }},
        allPairs());
    // A minus negates the shifted value.
    checkBoth({"LEA R20, -R10, R11" + s,
               [shift](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[1] - (in.r[0] << shift); }},
              allPairs());
    checkBoth({"LEA R20, R10, -R11" + s,
               [shift](const LaneInput& in, LaneOutput& out) { out.r[0] = (in.r[0] << shift) - in.r[1]; }},
              allPairs());
    // A 64-bit difference continues with the carry, which is that of no borrow.
    checkBoth({"LEA R20, P4, R10, -R11" + s,
               [shift](const LaneInput& in, LaneOutput& out) {
                 out.r[0] = (in.r[0] << shift) - in.r[1];
                 out.p[0] = in.r[0] << shift >= in.r[1];
               }},
              allPairs());
    checkBoth({"LEA.HI R20, P4, R10, -R11, R12" + s,
               [shift](const LaneInput& in, LaneOutput& out) {
                 auto high = static_cast<u32>(
                     static_cast<unsigned __int128>(in.r[0] | u64{in.r[2]} << 32) << shift >> 32);
                 out.r[0] = high - in.r[1];
                 out.p[0] = high >= in.r[1];
               }},
              allPairs());
    checkBoth({"LEA.HI R20, R10, -R11, R12" + s,
               [shift](const LaneInput& in, LaneOutput& out) {
                 u64 wide = in.r[0] | u64{in.r[2]} << 32;
                 out.r[0] = static_cast<u32>(wide >> (32 - shift)) - in.r[1];
               }},
              someTriples());
    checkBoth({"LEA.HI R20, R10, R11, R12" + s,
               [shift](const LaneInput& in, LaneOutput& out) {
                 u64 wide = in.r[0] | u64{in.r[2]} << 32;
                 out.r[0] = static_cast<u32>(wide >> (32 - shift)) + in.r[1];
               }},
              someTriples());
    checkBoth({"LEA.HI.X R20, R10, R11, R12" + s + ", P0",
               [shift](const LaneInput& in, LaneOutput& out) {
                 u64 wide = in.r[0] | u64{in.r[2]} << 32;
                 out.r[0] = static_cast<u32>(wide >> (32 - shift)) + in.r[1] + in.p[0];
               }},
              someTriples());
    checkBoth({"LEA.HI.SX32 R20, R10, R11" + s,
               [shift](const LaneInput& in, LaneOutput& out) {
                 out.r[0] = static_cast<u32>(i64{asSigned(in.r[0])} >> (32 - shift)) + in.r[1];
               }},
              allPairs());
    checkBoth({"LEA.HI.X.SX32 R20, R10, R11" + s + ", P1",
               [shift](const LaneInput& in, LaneOutput& out) {
                 out.r[0] = static_cast<u32>(i64{asSigned(in.r[0])} >> (32 - shift)) + in.r[1] + in.p[1];
               }},
              allPairs());
  }
}

/// Address of element i of an array, in the two instructions of compilers: base + (i64)i * size.
TEST(SassInteger, LeaPairMakesAnAddress) {
  std::vector<u32> in, out;
  auto inputs = triples(fewIntegers(), fewIntegers(), fewIntegers());
  for (const LaneInput& input : inputs)
    in.insert(in.end(), input.r.begin(), input.r.begin() + 4);
  out.resize(inputs.size() * 4);
  Assembly a;
  a.buffer("in", in).buffer("out", out).lines("S2R R0, SR_CTAID.X");
  a.pointer(2, "in").pointer(4, "out");
  a.lines(R"(
    IMAD.WIDE.U32 R2, R0, 0x10, R2
    IMAD.WIDE.U32 R4, R0, 0x10, R4
    LDG.E.128 R8, desc[UR4][R2.64]
    LEA R12, P1, R8, R9, 0x2
    LEA.HI.X.SX32 R13, R8, R10, 0x2, P1
    LEA R14, P0, -R8, R9, 0x2
    LEA.HI.X R15, ~R8, R10, RZ, 0x2, P0
    STG.E.128 desc[UR4][R4.64], R12
    EXIT)");
  Launch launch;
  launch.grid = {static_cast<u32>(inputs.size()), 1, 1};
  ExecutionResult result = a.run(launch);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  out = a.words("out");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    u64 base = inputs[i].pair(1);
    u32 index = inputs[i].r[0];
    EXPECT_EQ(out[4 * i] | u64{out[4 * i + 1]} << 32, base + static_cast<u64>(i64{asSigned(index)} * 4));
    EXPECT_EQ(out[4 * i + 2] | u64{out[4 * i + 3]} << 32, base - u64{index} * 4);
  }
}

// ---- shifts

u32 shifted(const std::string& form, u32 low, u32 amount, u32 high) {
  auto has = [&form](const char* word) { return form.find(word) != std::string::npos; };
  bool wide = has("64"), isSigned = has(".S");
  unsigned limit = wide ? 64 : 32;
  unsigned shift = has(".W") ? amount % limit : std::min(amount, limit);
  u64 x = low | u64{high} << 32;
  u128 extended = isSigned ? static_cast<u128>(static_cast<__int128>(asSigned(x))) : u128{x};
  u64 y = has(".L") ? low64(extended << shift)
                    : low64(static_cast<u128>(static_cast<__int128>(extended) >> shift));
  return static_cast<u32>(has(".HI") ? y >> 32 : y);
}

TEST(SassInteger, Shf) {
  for (const char* direction : {".L", ".R"})
    for (const char* wrap : {"", ".W"})
      for (const char* type : {".U32", ".S32", ".U64", ".S64"})
        for (const char* high : {"", ".HI"}) {
          std::string form = std::string(direction) + wrap + type + high;
          checkBoth({"SHF" + form + " R20, R10, R11, R12",
                     [form](const LaneInput& in, LaneOutput& out) {
                       out.r[0] = shifted(form, in.r[0], in.r[1], in.r[2]);
                     }},
                    someTriples());
        }
}

/// The forms compilers use for plain 32-bit shifts: PTX clamps their amounts at 32.
TEST(SassInteger, ShfAsPlainShift) {
  checkBoth({"SHF.L.U32 R20, R10, R11, RZ",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[1] > 31 ? 0 : in.r[0] << in.r[1]; }},
            allPairs());
  checkBoth({"SHF.R.U32.HI R20, RZ, R11, R10",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[1] > 31 ? 0 : in.r[0] >> in.r[1]; }},
            allPairs());
  checkBoth({"SHF.R.S32.HI R20, RZ, R11, R10",
             [](const LaneInput& in, LaneOutput& out) {
               out.r[0] = static_cast<u32>(asSigned(in.r[0]) >> std::min(in.r[1], 31u));
             }},
            allPairs());
}

// ---- logic

TEST(SassInteger, Lop3EveryTable) {
  std::vector<u32> values = {0xf0f0aa55, 0xcccc3333, 0xaaaa0f0f, 0, 0xffffffff};
  for (unsigned table = 0; table < 256; ++table)
    checkLanes({llvm::formatv("LOP3.LUT P4, R20, R10, R11, R12, {0:x}, !PT", table),
                [table](const LaneInput& in, LaneOutput& out) {
                  u32 result = 0;
                  for (unsigned bit = 0; bit < 32; ++bit) {
                    unsigned index =
                        (in.r[0] >> bit & 1) * 4 + (in.r[1] >> bit & 1) * 2 + (in.r[2] >> bit & 1);
                    result |= (table >> index & 1) << bit;
                  }
                  out.r[0] = result;
                  out.p[0] = result != 0;
                }},
               triples(values, values, {values[0], values[2], 0}));
}

TEST(SassInteger, Lop3) {
  checkBoth({"LOP3.LUT R20, R10, R11, R12, 0xf8, !PT",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = in.r[0] | (in.r[1] & in.r[2]); }},
            someTriples());
  checkBoth({"LOP3.LUT R20, RZ, R11, RZ, 0x33, !PT",
             [](const LaneInput& in, LaneOutput& out) { out.r[0] = ~in.r[1]; }},
            allPairs());
  checkBoth(
      {"LOP3.LUT P4, RZ, R10, 0x7fffffff, R12, 0xc8, !PT",
       [](const LaneInput& in, LaneOutput& out) { out.p[0] = (0x7fffffff & (in.r[0] | in.r[2])) != 0; }},
      someTriples());
  checkBoth({"LOP3.LUT P4, R20, R10, R11, RZ, 0xc0, P2",
             [](const LaneInput& in, LaneOutput& out) {
               out.r[0] = in.r[0] & in.r[1];
               out.p[0] = out.r[0] != 0 || in.p[2];
             }},
            allPairs());
}

/// lop3.and of PTX; ptxas 13.0.88 prints PAND.
TEST(SassInteger, Lop3PredicateAnd) {
  checkBoth({"LOP3.LUT.PAND P4, R20, R10, R11, RZ, 0xc0, !P2",
             [](const LaneInput& in, LaneOutput& out) {
               out.r[0] = in.r[0] & in.r[1];
               out.p[0] = out.r[0] != 0 && !in.p[2];
             }},
            allPairs());
}

// ---- comparison

template <typename T> bool holds(const std::string& compare, T a, T b) {
  if (compare == "F") return false;
  if (compare == "T") return true;
  if (compare == "LT") return a < b;
  if (compare == "LE") return a <= b;
  if (compare == "GT") return a > b;
  if (compare == "GE") return a >= b;
  return compare == "EQ" ? a == b : a != b;
}

const std::string kCompares[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};

bool joined(const std::string& boolOp, bool a, bool b) {
  return boolOp == "AND" ? a && b : boolOp == "OR" ? a || b : a != b;
}

TEST(SassInteger, Isetp) {
  for (const std::string& compare : kCompares)
    for (const std::string boolOp : {"AND", "OR", "XOR"})
      for (const std::string type : {"", ".U32"})
        checkBoth({"ISETP." + compare + type + "." + boolOp + " P4, P5, R10, R11, P2",
                   [=](const LaneInput& in, LaneOutput& out) {
                     bool is = type.empty() ? holds(compare, asSigned(in.r[0]), asSigned(in.r[1]))
                                            : holds(compare, in.r[0], in.r[1]);
                     out.p[0] = joined(boolOp, is, in.p[2]);
                     out.p[1] = joined(boolOp, !is, in.p[2]);
                   }},
                  allPairs());
  checkBoth({"ISETP.GE.U32.AND P4, PT, R10, -0x80000000, PT",
             [](const LaneInput& in, LaneOutput& out) { out.p[0] = in.r[0] >= 0x80000000; }},
            allPairs());
  checkBoth({"ISETP.NE.AND P4, PT, R10, RZ, !P0",
             [](const LaneInput& in, LaneOutput& out) { out.p[0] = in.r[0] != 0 && !in.p[0]; }},
            allPairs());
}

/// The instruction sees only the upper words; what it makes of the result on the lower ones.
TEST(SassInteger, IsetpExtended) {
  for (const std::string& compare : kCompares)
    for (const std::string type : {"", ".U32"})
      checkBoth({"ISETP." + compare + type + ".AND.EX P4, P5, R10, R11, P0, P1",
                 [=](const LaneInput& in, LaneOutput& out) {
                   // Lower words in the relation that P1 reports.
                   auto wide = [&](u32 high, u32 low) { return u64{high} << 32 | low; };
                   bool lowHolds = in.p[1], is = false;
                   for (u32 a : {0u, 1u, 2u}) {
                     if (holds(compare, a, 1u) != lowHolds) continue;
                     is = type.empty()
                              ? holds(compare, asSigned(wide(in.r[0], a)), asSigned(wide(in.r[1], 1)))
                              : holds(compare, wide(in.r[0], a), wide(in.r[1], 1));
                   }
                   if (compare == "T") is = true;
                   out.p[0] = is && in.p[0];
                   out.p[1] = !is && in.p[0];
                 }},
                allPairs());
}

TEST(SassInteger, Isetp64) {
  for (const std::string& compare : kCompares)
    for (const std::string type : {".S64", ".U64"})
      checkLanes({"ISETP." + compare + type + ".AND P4, P5, R10, R12, P2",
                  [=](const LaneInput& in, LaneOutput& out) {
                    bool is = type == ".S64" ? holds(compare, asSigned(in.pair(0)), asSigned(in.pair(2)))
                                             : holds(compare, in.pair(0), in.pair(2));
                    out.p[0] = is && in.p[2];
                    out.p[1] = !is && in.p[2];
                  },
                  0, 120},
                 widePairs(wideEdges()));
  checkLanes({"ISETP.GE.U64.AND P4, PT, R10, -0x80000000, PT", // of setp.lt.u64 with 0xffffffff80000000
              [](const LaneInput& in, LaneOutput& out) { out.p[0] = in.pair(0) >= 0xffffffff80000000; }, 0,
              120},
             widePairs(wideEdges()));
}

// ---- bits

TEST(SassInteger, Bits) {
  auto inputs = allPairs();
  checkBoth({"IABS R20, R10",
             [](const LaneInput& in, LaneOutput& out) {
               out.r[0] = static_cast<u32>(std::abs(i64{asSigned(in.r[0])}));
             }},
            inputs);
  checkBoth(
      {"POPC R20, R10", [](const LaneInput& in,
                           LaneOutput& out) { out.r[0] = static_cast<u32>(__builtin_popcount(in.r[0])); }},
      inputs);
  checkBoth({"POPC R20, ~R10",
             [](const LaneInput& in, LaneOutput& out) {
               out.r[0] = 32 - static_cast<u32>(__builtin_popcount(in.r[0]));
             }},
            inputs);
  checkBoth({"BREV R20, R10",
             [](const LaneInput& in, LaneOutput& out) {
               u32 x = in.r[0];
               x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
               x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
               x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
               out.r[0] = __builtin_bswap32(x);
             }},
            inputs);
}

TEST(SassInteger, Flo) {
  auto position = [](u32 x) {
    u32 result = ~0u;
    for (u32 i = 0; i < 32; ++i)
      if (x >> i & 1) result = i;
    return result;
  };
  auto magnitude = [](u32 x) { return x >> 31 ? ~x : x; };
  auto fromTop = [](u32 place) { return place == ~0u ? place : 31 - place; };
  auto inputs = allPairs();
  checkBoth({"FLO.U32 R20, R10", [=](const LaneInput& in, LaneOutput& out) { out.r[0] = position(in.r[0]); }},
            inputs);
  checkBoth({"FLO.U32.SH R20, R10",
             [=](const LaneInput& in, LaneOutput& out) { out.r[0] = fromTop(position(in.r[0])); }},
            inputs);
  checkBoth({"FLO R20, R10",
             [=](const LaneInput& in, LaneOutput& out) { out.r[0] = position(magnitude(in.r[0])); }},
            inputs);
  checkBoth({"FLO.SH R20, R10",
             [=](const LaneInput& in, LaneOutput& out) { out.r[0] = fromTop(position(magnitude(in.r[0]))); }},
            inputs);
}

TEST(SassInteger, Sgxt) {
  auto field = [](u32 x, u32 width, bool isSigned) -> u32 {
    u64 kept = x & ((u64{1} << width) - 1);
    if (isSigned && width > 0 && (kept >> (width - 1) & 1)) kept -= u64{1} << width;
    return static_cast<u32>(kept);
  };
  for (bool isSigned : {true, false})
    for (bool wraps : {true, false})
      checkBoth({std::string("SGXT") + (wraps ? ".W" : "") + (isSigned ? "" : ".U32") + " R20, R10, R11",
                 [=](const LaneInput& in, LaneOutput& out) {
                   out.r[0] = field(in.r[0], wraps ? in.r[1] % 32 : std::min(in.r[1], 32u), isSigned);
                 }},
                allPairs());
}

TEST(SassInteger, Bmsk) {
  auto ones = [](u32 position, u32 width) {
    u32 result = 0;
    for (u32 i = 0; i < width && i < 32; ++i)
      if (u64{position} + i < 32) result |= u32{1} << (position + i);
    return result;
  };
  checkBoth({"BMSK R20, R10, R11",
             [=](const LaneInput& in, LaneOutput& out) { out.r[0] = ones(in.r[0], in.r[1]); }},
            allPairs());
  checkBoth({"BMSK.W R20, R10, R11",
             [=](const LaneInput& in, LaneOutput& out) { out.r[0] = ones(in.r[0] % 32, in.r[1] % 32); }},
            allPairs());
  checkBoth(
      {"BMSK R20, R10, 0x5", [=](const LaneInput& in, LaneOutput& out) { out.r[0] = ones(in.r[0], 5); }},
      allPairs());
}

// ---- code addresses

/// Where a call is to return to, as compilers compute it for CALL.ABS: up to sm_89 from the instruction's own
/// address, later by name.
TEST(SassInteger, Lepc) {
  Assembly own(80);
  own.buffer("out", {0, 0, 0, 0}).pointer(4, "out");
  own.label("here").add("LEPC R8").add("LEPC R10").lines("STG.E.128 " + own.at(4) + ", R8\nEXIT");
  ASSERT_EQ(own.run(1).end, ExecutionEnd::Completed);
  std::vector<u32> got = own.words("out");
  EXPECT_EQ(got, (std::vector<u32>{Assembly::kBase + 0x20, 0, Assembly::kBase + 0x30, 0}));

  Assembly named(90);
  named.buffer("out", {0, 0, 0, 0}).pointer(4, "out");
  named.lines("LEPC R8, 0x150\nLEPC R10, 0x0\nSTG.E.128 " + named.at(4) + ", R8\nEXIT");
  ASSERT_EQ(named.run(1).end, ExecutionEnd::Completed);
  EXPECT_EQ(named.words("out"), (std::vector<u32>{Assembly::kBase + 0x150, 0, Assembly::kBase, 0}));
}

} // namespace
} // namespace harness::sass::test

// Logic on predicates, predicates as bits, votes.

#include "tests/sass/op_test.h"
#include "tests/sass/paths.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

namespace harness::sass::test {
namespace {

using testing::Each;
using u32 = std::uint32_t;

std::vector<LaneInput> somePredicates() {
  return pairs({0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3});
}

TEST(SassPredicate, Plop3EveryTable) {
  for (unsigned table = 0; table < 256; ++table) {
    auto model = [table](const LaneInput& in, LaneOutput& out) {
      unsigned index = in.p[0] * 4 + !in.p[1] * 2 + in.p[2];
      out.p[0] = table >> index & 1;
      out.p[1] = (table ^ 0x5a) >> index & 1;
    };
    auto text = [table](const char* form) { return llvm::formatv(form, table, table ^ 0x5a).str(); };
    checkLanes({text("PLOP3.LUT P4, P5, P0, !P1, P2, {0:x}, {1:x}"), model}, somePredicates());
    if (table % 16 == 6)
      checkUniform({text("UPLOP3.LUT UP4, UP5, UP0, !UP1, UP2, {0:x}, {1:x}"), model}, somePredicates());
  }
  // Uniform predicates go into per-lane ones.
  checkLanes({"PLOP3.LUT P4, PT, PT, PT, UPT, 0x80, 0x8",
              [](const LaneInput&, LaneOutput& out) { out.p[0] = true; }},
             somePredicates());
}

TEST(SassPredicate, Plop3OfSigns) {
  std::vector<LaneInput> inputs = pairs(integerEdges(), fewIntegers());
  checkLanes({"PLOP3.LUT P4, P5, R10.SIGN, P1, !R11.SIGN, 0x96, 0x1",
              [](const LaneInput& in, LaneOutput& out) {
                bool a = in.r[0] & 0x80000000, c = !(in.r[1] & 0x80000000);
                out.p[0] = (a != in.p[1]) != c;
                out.p[1] = !a && !in.p[1] && !c;
              }},
             inputs);
  checkLanes({"PLOP3.LUT P4, PT, P0, R11.SIGN, PT, 0x80, 0x8",
              [](const LaneInput& in, LaneOutput& out) { out.p[0] = in.p[0] && in.r[1] >> 31; }},
             inputs);
  // Words that all lanes share: the block is 32 threads wide.
  // Of 0x20 the index is a = 1, b = 0, c = 1.
  checkLanes({"PLOP3.LUT P4, PT, R10.SIGN, c[0x0][0x0].SIGN, !URZ.SIGN, 0x20, 0x8",
              [](const LaneInput& in, LaneOutput& out) { out.p[0] = in.r[0] >> 31; }, 0, 80},
             inputs);
  checkLanes({"PLOP3.LUT P4, PT, R10.SIGN, !c[0x0] [0x0].SIGN, !URZ.SIGN, 0x80, 0x8",
              [](const LaneInput& in, LaneOutput& out) { out.p[0] = in.r[0] >> 31; }, 0, 80},
             inputs);
  for (u32 word : {0x80000000u, 0x7fffffffu}) {
    Assembly a;
    a.buffer("out", {2}).pointer(4, "out");
    a.add(llvm::formatv("UMOV UR6, {0:x}", word)).add("MOV R8, 0xffffffff");
    a.lines("PLOP3.LUT P0, PT, R8.SIGN, UR6.SIGN, PT, 0x80, 0x0\nSEL R10, RZ, 0x1, !P0");
    a.add("STG.E " + a.at(4) + ", R10").add("EXIT");
    ExecutionResult result = a.run(1);
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
    EXPECT_EQ(a.words("out")[0], word >> 31);
  }
}

u32 bitsOf(const LaneInput& in) {
  return in.p[0] | in.p[1] << 1 | in.p[2] << 2 | in.p[3] << 3 | 0x20; // P5 is true, P4 is not
}

/// The bits that are not asked for stay as they are: so ptxas puts predicates into a register one after
/// another, and again when one has changed.
TEST(SassPredicate, P2r) {
  std::vector<LaneInput> inputs = pairs(integerEdges(), fewIntegers());
  for (u32 bits : {0u, 1u, 0x2u, 0xfu, 0x3fu, 0x2au}) {
    auto model = [bits](const LaneInput& in, LaneOutput& out) {
      out.r[0] = 0;
      for (unsigned i = 0; i < 32; ++i)
        out.r[0] |= ((bits >> i & 1) ? bitsOf(in) : in.r[0]) & 1u << i;
    };
    checkLanes({llvm::formatv("P2R R20, PR, R10, {0:x}", bits), model}, inputs);
    checkUniform({llvm::formatv("UP2UR UR20, UPR, UR10, {0:x}", bits), model}, inputs);
  }
  for (unsigned byte : {1u, 2u, 3u})
    checkLanes({llvm::formatv("P2R.B{0} R20, PR, R10, 0x2b", byte),
                [byte](const LaneInput& in, LaneOutput& out) {
                  for (unsigned i = 0; i < 32; ++i) {
                    unsigned p = i - 8 * byte; // the predicate of that number, if it is one
                    bool asked = p == 0 || p == 1 || p == 3 || p == 5;
                    u32 bit = (asked ? bitsOf(in) >> p : in.r[0] >> i) & 1;
                    out.r[0] = (out.r[0] & ~(1u << i)) | bit << i;
                  }
                }},
               inputs);
  checkLanes({"P2R R20, PR, RZ, 0x3f", [](const LaneInput& in, LaneOutput& out) { out.r[0] = bitsOf(in); }},
             inputs);
}

TEST(SassPredicate, R2p) {
  std::vector<LaneInput> inputs = pairs(integerEdges(), fewIntegers());
  for (unsigned byte : {0u, 1u, 2u, 3u}) {
    std::string suffix = byte ? ".B" + std::to_string(byte) : "";
    checkLanes({"R2P PR, R10" + suffix + ", 0x30",
                [byte](const LaneInput& in, LaneOutput& out) {
                  out.p[0] = in.r[0] >> (8 * byte + 4) & 1;
                  out.p[1] = in.r[0] >> (8 * byte + 5) & 1;
                }},
               inputs);
  }
  checkLanes({"R2P PR, R10, 0x10", [](const LaneInput& in, LaneOutput& out) { out.p[0] = in.r[0] >> 4 & 1; }},
             inputs);
  checkLanes({"R2P PR, RZ, 0x20", [](const LaneInput&, LaneOutput& out) { out.p[1] = false; }}, inputs);
}

/// Lanes 4…31 vote, each with what bit `lane` of `votes` says. Their R20 is the ballot, R21 the result (2
/// where nothing was written).
void checkVote(const std::string& mode, u32 votes, bool result) {
  for (bool uniform : {false, true}) {
    Paths paths("MOV R10, " + llvm::formatv("{0:x}", votes).str() + R"(
      SHF.R.U32.HI R10, RZ, R0, R10
      LOP3.LUT P0, RZ, R10, 0x1, RZ, 0xc0, !PT
      ISETP.GE.AND P1, PT, R0, 0x4, PT
      MOV R21, 0x2
      )" +
                (uniform
                     ? "@P1 VOTEU." + mode + " UR6, UP1, P0\n@P1 MOV R20, UR6\n@P1 SEL R21, RZ, 0x1, !UP1\n"
                     : "@P1 VOTE." + mode + " R20, P2, P0\n@P1 SEL R21, RZ, 0x1, !P2\n") +
                "{end}");
    paths.run();
    for (u32 i = 0; i < 32; ++i) {
      EXPECT_EQ(paths.words(0)[i], i < 4 ? 0 : votes & 0xfffffff0) << mode << uniform;
      EXPECT_EQ(paths.words(1)[i], i < 4 ? 2u : u32{result}) << mode << uniform << " " << votes;
    }
  }
}

TEST(SassPredicate, Votes) {
  for (u32 votes : {0u, 0xfu, 0x10u, 0x80000000u, 0xfffffff0u, 0xffffffffu, 0xffffffe0u, 0x7fffffffu}) {
    u32 voting = votes >> 4;
    checkVote("ALL", votes, voting == 0xfffffff);
    checkVote("ANY", votes, voting != 0);
    checkVote("EQ", votes, voting == 0 || voting == 0xfffffff);
  }
}

TEST(SassPredicate, VotesWithoutABallot) {
  Paths paths(R"(
    ISETP.GE.AND P0, PT, R0, 0x10, PT
    VOTE.ANY P1, P0
    VOTE.ALL P2, !P0
    VOTEU.ANY UP3, PT
    VOTE.ANY R20, PT, PT
    SEL R21, RZ, 0x1, !P1
    SEL R22, RZ, 0x1, !P2
    SEL R23, RZ, 0x1, !UP3
    {end})",
              20);
  paths.run();
  EXPECT_THAT(paths.words(0), Each(0xfffff));
  EXPECT_THAT(paths.words(1), Each(1));
  EXPECT_THAT(paths.words(2), Each(0));
  EXPECT_THAT(paths.words(3), Each(1));
}

/// The value of the lowest lane of the guard; the predicate in lanes with another one, as seen on an sm_120.
TEST(SassPredicate, R2ur) {
  for (const char* form : {"R2UR P1, UR6, R10", "R2UR.FILL P1, UR6, R10", "R2UR.BROADCAST P1, UR6, R10",
                           "R2UR.OR P1, UR6, R10", "R2UR.BROADCAST UR6, R10"}) {
    Paths paths(R"(
    ISETP.GE.AND P0, PT, R0, 0x5, PT
    ISETP.EQ.AND P1, PT, R0, 0x6, PT
    ISETP.EQ.OR P1, PT, R0, 0x1, P1
    SHF.R.U32.HI R10, RZ, 0x3, R0
    @P0 )" + std::string(form) +
                R"(
    MOV R20, UR6
    SEL R21, RZ, 0x1, !P1
    {end})");
    paths.run();
    bool writes = std::string(form).find("P1") != std::string::npos;
    bool keeps = std::string(form).find("OR P1") != std::string::npos;
    EXPECT_THAT(paths.words(0), Each(0)) << form;
    for (u32 i = 0; i < 32; ++i) {
      bool before = i == 1 || i == 6, differs = i >= 8;
      bool want = i < 5 || !writes ? before : differs || (keeps && before);
      EXPECT_EQ(paths.words(1)[i], u32{want}) << form << " lane " << i;
    }
  }
}

} // namespace
} // namespace harness::sass::test

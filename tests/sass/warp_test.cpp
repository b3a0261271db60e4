// What lanes know of themselves and tell each other.

#include "tests/sass/assembly.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/Support/FormatVariadic.h>

#include <bit>
#include <cmath>
#include <optional>

namespace harness::sass::test {
namespace {

using testing::Each;
using u32 = std::uint32_t;

// ---- special registers

TEST(SassWarp, ThreadAndBlockIndices) {
  const Launch kLaunches[] = {{{2, 3, 2}, {5, 3, 2}, 0, {}},  {{1, 1, 1}, {1, 1, 1}, 0, {}},
                              {{3, 1, 1}, {33, 1, 1}, 0, {}}, {{1, 2, 1}, {4, 8, 2}, 0, {}},
                              {{1, 1, 4}, {7, 1, 9}, 0, {}},  {{1, 1, 1}, {2, 16, 32}, 0, {}}};
  for (const Launch& launch : kLaunches) {
    Assembly a;
    auto threads = static_cast<u32>(launch.threadsPerBlock()), blocks = static_cast<u32>(launch.blocks());
    a.buffer("out", std::vector<u32>(threads * blocks * 8)).pointer(4, "out");
    a.lines(R"(
      S2R R8, SR_TID.X
      S2R R9, SR_TID.Y
      S2R R10, SR_TID.Z
      S2R R11, SR_CTAID.X
      S2R R12, SR_CTAID.Y
      S2R R13, SR_CTAID.Z
      S2R R14, SR_LANEID
      S2UR UR6, SR_CTAID.Y
      MOV R15, UR6)");
    // ((z * ny + y) * nx + x) of thread and block, in the grid's order.
    a.add(llvm::formatv("IMAD R16, R13, {0:x}, R12", launch.grid[1]));
    a.add(llvm::formatv("IMAD R16, R16, {0:x}, R11", launch.grid[0]));
    a.add(llvm::formatv("IMAD R16, R16, {0:x}, R10", launch.block[2]));
    a.add(llvm::formatv("IMAD R16, R16, {0:x}, R9", launch.block[1]));
    a.add(llvm::formatv("IMAD R16, R16, {0:x}, R8", launch.block[0]));
    a.lines("IMAD.WIDE.U32 R4, R16, 0x20, R4\nSTG.E.128 desc[UR4][R4.64], R8\nSTG.E.128 "
            "desc[UR4][R4.64+0x10], R12\nEXIT");
    ExecutionResult result = a.run(launch);
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
    std::vector<u32> out = a.words("out");
    std::size_t at = 0;
    for (u32 cz = 0; cz < launch.grid[2]; ++cz)
      for (u32 cy = 0; cy < launch.grid[1]; ++cy)
        for (u32 cx = 0; cx < launch.grid[0]; ++cx)
          for (u32 z = 0, thread = 0; z < launch.block[2]; ++z)
            for (u32 y = 0; y < launch.block[1]; ++y)
              for (u32 x = 0; x < launch.block[0]; ++x, ++thread, at += 8)
                ASSERT_EQ(std::vector<u32>(out.begin() + static_cast<long>(at),
                                           out.begin() + static_cast<long>(at) + 8),
                          (std::vector<u32>{x, y, z, cx, cy, cz, thread % 32, cy}));
  }
}

TEST(SassWarp, LaneMasks) {
  Assembly a;
  a.buffer("out", std::vector<u32>(32 * 8)).pointer(4, "out");
  a.lines(R"(
    S2R R0, SR_LANEID
    S2R R8, SR_EQMASK
    S2R R9, SR_LTMASK
    S2R R10, SR_LEMASK
    S2R R11, SR_GTMASK
    S2R R12, SR_GEMASK
    S2R R13, SRZ
    S2R R14, SR_LMEMHIOFF
    S2R R15, SR_CgaCtaId
    IMAD.WIDE.U32 R4, R0, 0x20, R4
    STG.E.128 desc[UR4][R4.64], R8
    STG.E.128 desc[UR4][R4.64+0x10], R12
    EXIT)");
  ExecutionResult result = a.run(32);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  for (u32 i = 0; i < 32; ++i) {
    const std::vector<u32> out = a.words("out");
    u32 below = 0;
    for (u32 j = 0; j < i; ++j)
      below |= 1u << j;
    u32 self = 1u << i, above = ~(below | self);
    EXPECT_EQ(std::vector<u32>(out.begin() + i * 8, out.begin() + i * 8 + 8),
              (std::vector<u32>{self, below, below | self, above, above | self, 0, 0, 0}));
  }
}

TEST(SassWarp, BlocksRunInOrder) {
  Assembly a;
  a.buffer("counter", {0}).buffer("out", std::vector<u32>(12)).pointer(2, "counter").pointer(4, "out");
  a.lines(R"(
    S2R R8, SR_CTAID.X
    S2R R9, SR_CTAID.Y
    S2R R10, SR_CTAID.Z
    IMAD R9, R10, 0x3, R9
    IMAD R8, R9, 0x2, R8
    IMAD.WIDE.U32 R4, R8, 0x4, R4
    LDG.E R11, desc[UR4][R2.64]
    STG.E desc[UR4][R4.64], R11
    IADD3 R11, R11, 0x1, RZ
    STG.E desc[UR4][R2.64], R11
    EXIT)");
  Launch launch;
  launch.grid = {2, 3, 2};
  ASSERT_EQ(a.run(launch).end, ExecutionEnd::Completed);
  EXPECT_EQ(a.words("out"), (std::vector<u32>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

// ---- shuffle

constexpr u32 kOutOfRange = 0x80000000; ///< beside the lane's value

/// Lane i's value is 100 + i. Runs `SHFL.<mode>` in all lanes with these third operands; the result has
/// kOutOfRange added where the predicate is false.
std::vector<u32> shuffled(const std::string& mode, const std::string& amount, const std::string& control,
                          unsigned threads = 32, const std::string& prologue = "",
                          std::byte poison = std::byte{0xAA}) {
  Assembly a;
  a.buffer("out", std::vector<u32>(threads, 0x77)).pointer(4, "out");
  a.lines("S2R R0, SR_TID.X\nS2R R1, SR_LANEID\nIMAD.WIDE.U32 R4, R0, 0x4, R4\nIADD3 R8, R0, 0x64, RZ\n" +
          prologue);
  a.add("SHFL." + mode + " P0, R9, R8, " + amount + ", " + control);
  a.lines("SEL R10, RZ, -0x80000000, P0\nIADD3 R9, R9, R10, RZ\nSTG.E desc[UR4][R4.64], R9\nEXIT");
  ExecutionOptions options;
  options.poison = poison;
  ExecutionResult result = a.run(threads, options);
  EXPECT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  return a.words("out");
}

/// The PTX manual's rule for shfl.
std::vector<u32> expectedShuffle(const std::string& mode, u32 b, u32 c) {
  std::vector<u32> values;
  for (int lane = 0; lane < 32; ++lane) {
    int bval = b & 0x1f, cval = c & 0x1f, segmask = c >> 8 & 0x1f;
    int maxLane = (lane & segmask) | (cval & ~segmask & 0x1f);
    int minLane = lane & segmask;
    int j = 0;
    bool p = false;
    if (mode == "UP") {
      j = lane - bval;
      p = j >= maxLane;
    } else if (mode == "DOWN") {
      j = lane + bval;
      p = j <= maxLane;
    } else if (mode == "BFLY") {
      j = lane ^ bval;
      p = j <= maxLane;
    } else {
      j = minLane | (bval & ~segmask & 0x1f);
      p = j <= maxLane;
    }
    if (!p) j = lane;
    values.push_back(100 + static_cast<u32>(j) + (p ? 0 : kOutOfRange));
  }
  return values;
}

TEST(SassWarp, ShuffleAsThePtxManualSays) {
  for (const std::string mode : {"IDX", "UP", "DOWN", "BFLY"})
    for (u32 width : {1u, 2u, 4u, 8u, 16u, 32u})
      for (u32 amount : {0u, 1u, 2u, 3u, 5u, 8u, 15u, 16u, 31u, 32u, 33u, 0xffffffffu}) {
        // As cuda's __shfl_*_sync(…, width) compiles.
        u32 control = (32 - width) << 8 | (mode == "UP" ? 0 : 0x1f);
        EXPECT_EQ(shuffled(mode, llvm::formatv("{0:x}", amount), llvm::formatv("{0:x}", control)),
                  expectedShuffle(mode, amount, control))
            << mode << " " << amount << " width " << width;
      }
}

TEST(SassWarp, ShuffleWithOddControls) {
  for (const std::string mode : {"IDX", "UP", "DOWN", "BFLY"})
    for (u32 control : {0x0007u, 0x1003u, 0x0a15u, 0x1f00u, 0x1f1fu, 0xffffe0e0u})
      for (u32 amount : {0u, 1u, 7u, 19u})
        EXPECT_EQ(shuffled(mode, llvm::formatv("{0:x}", amount), llvm::formatv("{0:x}", control)),
                  expectedShuffle(mode, amount, control))
            << mode << " " << amount << " " << control;
}

/// In the words of CUDA: within segments of 8, one lane down; the last keeps its own.
TEST(SassWarp, ShuffleDownInSegments) {
  std::vector<u32> values = shuffled("DOWN", "0x1", "0x181f");
  for (u32 i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], i % 8 == 7 ? 100 + i + kOutOfRange : 101 + i);
}

TEST(SassWarp, ShuffleWithAnAmountALane) {
  std::vector<u32> values =
      shuffled("IDX", "R11", "R12", 32, "LOP3.LUT R11, R1, 0x1f, RZ, 0x3c, !PT\nMOV R12, 0x1f");
  for (u32 i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], 100 + (31 - i)) << "reversed";
}

/// What a lane that takes no part would give is undefined: poison, so that nothing rests on it.
TEST(SassWarp, ShuffleFromInactiveLanes) {
  for (std::byte poison : {std::byte{0xAA}, std::byte{0x55}}) {
    u32 fill = static_cast<u32>(poison) * 0x01010101u;
    std::vector<u32> values =
        shuffled("DOWN", "0x1", "0x1f", 32, "LOP3.LUT P1, RZ, R0, 0x4, RZ, 0xc0, !PT\n@P1 EXIT", poison);
    for (u32 i = 0; i < 32; ++i) {
      u32 want = i & 4 ? 0x77 : (i + 1) & 4 ? fill : 101 + i;
      EXPECT_EQ(values[i], want) << i;
    }
    // A warp that is not full has no lanes there either.
    values = shuffled("BFLY", "0x10", "0x1f", 20, "", poison);
    for (u32 i = 0; i < 20; ++i)
      EXPECT_EQ(values[i], i < 4 ? 116 + i : i < 16 ? fill : 84 + i) << i;
  }
}

TEST(SassWarp, ShuffleIntoNothing) {
  Assembly a;
  a.buffer("out", std::vector<u32>(32)).pointer(4, "out");
  a.lines(R"(
    S2R R0, SR_TID.X
    IMAD.WIDE.U32 R4, R0, 0x4, R4
    SHFL.UP P0, RZ, R0, 0x4, RZ
    SHFL.BFLY PT, R0, R0, 0x1, 0x1f
    SEL R8, R0, 0x63, P0
    STG.E desc[UR4][R4.64], R8
    EXIT)");
  ASSERT_EQ(a.run(32).end, ExecutionEnd::Completed);
  for (u32 i = 0; i < 32; ++i)
    EXPECT_EQ(a.words("out")[i], i < 4 ? 99 : i ^ 1) << "the destination is also the source";
}

/// Lanes that meet at WARPSYNC see each other's values again.
TEST(SassWarp, SumOverAWarp) {
  Assembly a;
  a.buffer("out", std::vector<u32>(96)).pointer(4, "out");
  a.lines("S2R R0, SR_TID.X\nIMAD.WIDE.U32 R4, R0, 0x4, R4\nIMAD R8, R0, R0, RZ");
  for (unsigned step : {16, 8, 4, 2, 1})
    a.lines(llvm::formatv("SHFL.BFLY PT, R9, R8, {0:x}, 0x1f\nIADD3 R8, R8, R9, RZ", step).str());
  a.lines("STG.E desc[UR4][R4.64], R8\nEXIT");
  ASSERT_EQ(a.run(96).end, ExecutionEnd::Completed);
  for (u32 i = 0; i < 96; ++i) {
    u32 sum = 0;
    for (u32 j = i / 32 * 32; j < i / 32 * 32 + 32; ++j)
      sum += j * j;
    EXPECT_EQ(a.words("out")[i], sum);
  }
}

// ---- clocks

/// Clocks count what has been executed: the same in every run, and they go on.
TEST(SassWarp, Clocks) {
  std::vector<u32> first;
  for (int run = 0; run < 2; ++run) {
    Assembly a;
    a.buffer("out", std::vector<u32>(12)).pointer(4, "out");
    a.lines(R"(
      CS2R R8, SR_CLOCKLO
      CS2R.32 R10, SR_CLOCKLO
      S2UR UR6, SR_CLOCKLO
      MOV R11, UR6
      STG.E.128 desc[UR4][R4.64], R8
      MOV R9, -0x1
      MOV R8, -0x1
      CS2R R8, SRZ
      CS2R R10, SR_GLOBALTIMERLO
      STG.E.128 desc[UR4][R4.64+0x10], R8
      CS2R.32 R8, SR_CLOCKHI
      S2R R9, SR_VIRTUALSMID
      CS2R.32 R10, SR_CgaSize
      S2R R11, SR_VIRTID
      STG.E.128 desc[UR4][R4.64+0x20], R8
      EXIT)");
    ASSERT_EQ(a.run(1).end, ExecutionEnd::Completed);
    std::vector<u32> out = a.words("out");
    EXPECT_LT(out[0], out[2]);
    EXPECT_LT(out[2], out[3]);
    EXPECT_LT(out[3], out[6]);
    for (unsigned zero : {1, 4, 5, 7, 8, 9, 10, 11})
      EXPECT_EQ(out[zero], 0u) << zero;
    if (run == 1) {
      EXPECT_EQ(out, first);
    }
    first = out;
  }
}

/// What a kernel reads of its cluster when the launch asked for none: one block in each direction.
TEST(SassWarp, ConstantsOfACluster) {
  for (unsigned sm : {90u, 100u}) {
    u32 shape = sm == 90 ? 0x144 : 0x2a0, reciprocal = sm == 90 ? 0x150 : 0x2b0,
        clusters = sm == 90 ? 0x15c : 0x2c0;
    Assembly a(sm);
    a.buffer("out", std::vector<u32>(4)).pointer(4, "out");
    a.add(llvm::formatv("LDC R8, c[0x0][{0:x}]", shape + 8))
        .add(llvm::formatv("LDC R9, c[0x0][{0:x}]", reciprocal + 4));
    a.add(llvm::formatv("LDC R10, c[0x0][{0:x}]", clusters + 4));
    a.add(sm == 90 ? "LDC R11, c[0x0][0x140]" : "LDC R11, c[0x0][0x36c]");
    a.lines("STG.E.128 desc[UR4][R4.64], R8\nEXIT");
    Launch launch;
    launch.grid = {2, 3, 1};
    ASSERT_EQ(a.run(launch).end, ExecutionEnd::Completed);
    EXPECT_EQ(a.words("out"), (std::vector<u32>{1, 0x3f800000, 3, 0}));
  }
}

// ---- values of other lanes

/// Runs `code` in lanes from 4 on, the value in R10 (R11:R10 for wide ones); gives R20 and P2 (as 1 or 0) of
/// lanes 4…31.
std::vector<std::pair<u32, u32>> warpWide(const std::string& code, const std::vector<u32>& low,
                                          const std::vector<u32>& high = {}) {
  Assembly a;
  std::vector<u32> in;
  for (u32 i = 0; i < 32; ++i) {
    in.push_back(low[i]);
    in.push_back(high.empty() ? 0 : high[i]);
  }
  a.buffer("in", in).buffer("out", std::vector<u32>(64)).pointer(2, "in").pointer(4, "out");
  a.lines("S2R R0, SR_TID.X\nIMAD.WIDE.U32 R2, R0, 0x8, R2\nIMAD.WIDE.U32 R4, R0, 0x8, R4\n"
          "LDG.E.64 R10, desc[UR4][R2.64]\nISETP.GE.AND P1, PT, R0, 0x4, PT\nPLOP3.LUT P2, PT, PT, PT, PT, "
          "0x0, 0x0\n"
          "MOV R20, 0x77\n@P1 " +
          code + "\nSEL R21, RZ, 0x1, !P2\nSTG.E.64 desc[UR4][R4.64], R20\nEXIT");
  ExecutionResult result = a.run(32);
  EXPECT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  std::vector<u32> out = a.words("out");
  for (u32 i = 0; i < 4; ++i)
    EXPECT_EQ(out[i * 2], 0x77u) << "a lane that takes no part";
  std::vector<std::pair<u32, u32>> values;
  for (u32 i = 4; i < 32; ++i)
    values.emplace_back(out[i * 2], out[i * 2 + 1]);
  return values;
}

/// Sets of 32 values: all equal but for the first four lanes, few different ones, edges.
std::vector<std::vector<u32>> someValues() {
  std::vector<std::vector<u32>> sets(6, std::vector<u32>(32));
  for (u32 i = 0; i < 32; ++i) {
    sets[0][i] = i < 4 ? i : 0xdeadbeef;
    sets[1][i] = i % 3;
    sets[2][i] = 0x80000000 - 16 + i;
    sets[3][i] = i * 0x9e3779b9u;
    sets[4][i] = i == 31 ? 0x80000000 : 0xffffffff;
    sets[5][i] = 1u << i;
  }
  return sets;
}

TEST(SassWarp, Match) {
  for (const std::vector<u32>& low : someValues())
    for (const std::vector<u32>& high : someValues())
      for (bool wide : {false, true}) {
        auto equal = [&](u32 i, u32 j) { return low[i] == low[j] && (!wide || high[i] == high[j]); };
        auto any = warpWide(wide ? "MATCH.ANY.U64 R20, R10" : "MATCH.ANY R20, R10", low, high);
        auto all = warpWide(wide ? "MATCH.ALL.U64 P2, R20, R10" : "MATCH.ALL P2, R20, R10", low, high);
        bool same = true;
        for (u32 i = 4; i < 32; ++i)
          same = same && equal(i, 4);
        for (u32 i = 4; i < 32; ++i) {
          u32 want = 0;
          for (u32 j = 4; j < 32; ++j)
            want |= u32{equal(i, j)} << j;
          EXPECT_EQ(any[i - 4].first, want);
          EXPECT_EQ(all[i - 4], (std::pair<u32, u32>(same ? 0xfffffff0 : 0, same)));
        }
      }
}

TEST(SassWarp, Reductions) {
  using i32 = std::int32_t;
  struct Case {
    const char* opcode;
    u32 (*combine)(u32, u32);
  };
  const Case kCases[] = {
      {"REDUX", [](u32 a, u32 b) { return a & b; }},
      {"REDUX.OR", [](u32 a, u32 b) { return a | b; }},
      {"REDUX.XOR", [](u32 a, u32 b) { return a ^ b; }},
      {"REDUX.SUM", [](u32 a, u32 b) { return a + b; }},
      {"REDUX.SUM.S32", [](u32 a, u32 b) { return a + b; }},
      {"REDUX.MIN", [](u32 a, u32 b) { return a < b ? a : b; }},
      {"REDUX.MAX", [](u32 a, u32 b) { return a < b ? b : a; }},
      {"REDUX.MIN.S32",
       [](u32 a, u32 b) {
         return static_cast<u32>(std::min<i32>(static_cast<i32>(a), static_cast<i32>(b)));
       }},
      {"REDUX.MAX.S32",
       [](u32 a, u32 b) {
         return static_cast<u32>(std::max<i32>(static_cast<i32>(a), static_cast<i32>(b)));
       }},
      {"CREDUX.MIN", [](u32 a, u32 b) { return a < b ? a : b; }},
      {"CREDUX.MAX.S32",
       [](u32 a, u32 b) {
         return static_cast<u32>(std::max<i32>(static_cast<i32>(a), static_cast<i32>(b)));
       }},
  };
  for (const Case& c : kCases)
    for (const std::vector<u32>& values : someValues()) {
      u32 want = values[4];
      for (u32 i = 5; i < 32; ++i)
        want = c.combine(want, values[i]);
      for (auto [got, unused] : warpWide(std::string(c.opcode) + " UR6, R10\n@P1 MOV R20, UR6", values))
        EXPECT_EQ(got, want) << c.opcode;
    }
}

/// redux.sync of f32 (PTX ISA): -0 is less than +0; a NaN loses, or with NAN wins and is the canonical one.
TEST(SassWarp, RealReductions) {
  constexpr u32 kNan = 0x7fffffff;
  const std::vector<u32> kSets[] = {
      {0x3f800000, 0xbf800000, 0, 0x80000000}, {0x80000000, 0},
      {0x7fc00001, 0xc0000000, 0x00000001},    {0x80000001, 0x00000001, 0x7f800000},
      {0xff800000, 0x7f7fffff, 0xffc12345},    {0x7f800001}};
  for (bool maximum : {false, true})
    for (bool absolute : {false, true})
      for (bool wins : {false, true})
        for (const std::vector<u32>& set : kSets) {
          std::vector<u32> values(32);
          for (u32 i = 0; i < 32; ++i)
            values[i] = set[i % set.size()];
          std::optional<double> best;
          bool anyNan = false;
          for (u32 bits : set) {
            if (absolute) bits &= 0x7fffffff;
            auto value = static_cast<double>(std::bit_cast<float>(bits));
            anyNan |= value != value;
            if (value != value) continue;
            bool better = !best || (maximum ? value > *best : value < *best);
            bool zeros = best && value == 0 && *best == 0;
            if (better || (zeros && std::signbit(value) != maximum)) best = value;
          }
          u32 want = !best || (wins && anyNan) ? kNan : std::bit_cast<u32>(static_cast<float>(*best));
          std::string code = std::string("CREDUX.") + (maximum ? "MAX" : "MIN") + (absolute ? "ABS" : "") +
                             ".F32" + (wins ? ".NAN" : "") + " UR6, R10\n@P1 MOV R20, UR6";
          for (auto [got, unused] : warpWide(code, values))
            EXPECT_EQ(got, want) << code;
        }
}

/// The lowest lane for which the predicate holds.
TEST(SassWarp, Elect) {
  for (u32 lowest : {4u, 9u, 31u}) {
    std::vector<u32> values(32);
    for (u32 i = 0; i < 32; ++i)
      values[i] = i == lowest || i == 31 || i < 4;
    auto got = warpWide("ISETP.NE.AND P3, PT, R10, RZ, PT\n@P1 ELECT P2, UR6, P3\n@P1 MOV R20, UR6", values);
    for (u32 i = 4; i < 32; ++i)
      EXPECT_EQ(got[i - 4], (std::pair<u32, u32>(lowest, i == lowest)));
  }
}

TEST(SassWarp, ElectAmongAllAsOldPtxasHasIt) {
  auto got = warpWide("ELECT P2, UR6, ~URZ\n@P1 MOV R20, UR6", std::vector<u32>(32));
  for (u32 i = 4; i < 32; ++i)
    EXPECT_EQ(got[i - 4], (std::pair<u32, u32>(4, i == 4)));
}

} // namespace
} // namespace harness::sass::test

// Copies from global to shared memory, mbarriers, and what only orders.

#include "harness/sass/mbarrier.h"

#include "tests/sass/assembly.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/Support/FormatVariadic.h>

#include <cstring>

namespace harness::sass::test {
namespace {

using testing::HasSubstr;
using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

std::vector<u32> someWords(unsigned count) {
  std::vector<u32> words(count);
  for (u32 i = 0; i < count; ++i)
    words[i] = i * 0x9e3779b9u + 0x01020304u;
  return words;
}

// ---- LDGSTS

struct Copy {
  std::string modifiers, predicate;
  unsigned bytes;
};

/// Each lane copies from its 16 bytes at in + 16·lane + skip to shared 16·lane; P0 holds in even lanes.
std::vector<u32> runCopy(const Copy& copy, unsigned skip) {
  Assembly a;
  a.buffer("in", someWords(128)).buffer("out", std::vector<u32>(128)).pointer(2, "in").pointer(4, "out");
  a.kernel.staticShared = 0x400 + 512;
  a.lines(R"(
    S2R R0, SR_TID.X
    IMAD.WIDE.U32 R2, R0, 0x10, R2
    IMAD.WIDE.U32 R4, R0, 0x10, R4
    IMAD.SHL.U32 R6, R0, 0x10, RZ
    UMOV UR6, 0x3f0
    LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT
    MOV R12, 0x55555555
    MOV R13, 0x55555555
    MOV R14, 0x55555555
    MOV R15, 0x55555555
    STS.128 [R6+UR6+0x10], R12)");
  a.add(llvm::formatv("LDGSTS.E{0} [R6+UR6+0x10], desc[UR4][R2.64+{1:x}]{2}", copy.modifiers, skip,
                      copy.predicate)
            .str());
  a.lines(R"(
    LDGDEPBAR
    DEPBAR.LE SB0, 0x0
    LDS.128 R12, [R6+UR6+0x10]
    STG.E.128 desc[UR4][R4.64], R12
    EXIT)");
  ExecutionResult result = a.run(32);
  EXPECT_EQ(result.end, ExecutionEnd::Completed) << copy.modifiers << result.message;
  return a.words("out");
}

TEST(SassAsync, Copies) {
  const Copy kCopies[] = {{"", "", 4},
                          {".64", "", 8},
                          {".128", "", 16},
                          {".BYPASS.128", "", 16},
                          {".BYPASS.LTC128B.128", "", 16},
                          {"", ", !P0", 4},
                          {".LTC64B.64", ", P0", 8},
                          {".BYPASS.128", ", !P0", 16},
                          {".ZFILL", "", 4},
                          {".64.ZFILL", ", !P0", 8},
                          {".128.ZFILL", "", 16},
                          {".BYPASS.LTC256B.128.ZFILL", ", P0", 16}};
  for (const Copy& copy : kCopies) {
    bool fills = copy.modifiers.find("ZFILL") != std::string::npos;
    for (unsigned skip = 0; skip < (fills ? copy.bytes : 1); ++skip) {
      std::vector<u32> got = runCopy(copy, skip);
      std::vector<u32> in = someWords(128), want(128, 0x55555555);
      for (unsigned lane = 0; lane < 32; ++lane) {
        // P0: the lane's number is odd.
        bool reads = copy.predicate.empty() || (copy.predicate == ", P0") == (lane % 2 == 1);
        u8 bytes[16] = {};
        // A source that is `skip` bytes past its place: so many bytes at the end are zeros.
        if (reads) std::memcpy(bytes, &in[4 * lane], copy.bytes - skip);
        std::memcpy(&want[4 * lane], bytes, copy.bytes);
      }
      ASSERT_EQ(got, want) << copy.modifiers << copy.predicate << skip;
    }
  }
}

/// A lane that does not read needs no good address; one that does, does.
TEST(SassAsync, CopiesOutOfBounds) {
  for (const char* last : {", P0", ", !P0", ""}) {
    Assembly a;
    a.kernel.staticShared = 0x410;
    a.lines("ISETP.NE.AND P0, PT, RZ, RZ, PT\nMOV R6, 0x400");
    a.add(std::string("LDGSTS.E.128 [R6], desc[UR4][RZ+0x10]") + last).add("EXIT");
    ExecutionResult result = a.run(1);
    EXPECT_EQ(result.end, *last && last[2] == 'P' ? ExecutionEnd::Completed : ExecutionEnd::Fault) << last;
  }
  Assembly a;
  a.buffer("in", someWords(4)).pointer(2, "in");
  a.kernel.staticShared = 0x410;
  a.lines("MOV R6, 0x410\nLDGSTS.E [R6], desc[UR4][R2.64]\nEXIT");
  EXPECT_THAT(a.run(1).message, HasSubstr("shared 0x410: outside"));
  Assembly misaligned;
  misaligned.buffer("in", someWords(4)).pointer(2, "in");
  misaligned.kernel.staticShared = 0x410;
  misaligned.lines("MOV R6, 0x400\nLDGSTS.E.64 [R6], desc[UR4][R2.64+0x4]\nEXIT");
  EXPECT_THAT(misaligned.run(1).message, HasSubstr("misaligned 8-byte access"));
}

// ---- mbarriers

/// As mbarrier.init makes them.
u64 counter(u32 expected) {
  return (0x40000000u - expected) | u64{0x80000000u - expected} << 32;
}
u64 barrier(u32 expected) {
  u32 less = 0x100000 - expected;
  return (less << 1) | u64{less << 11} << 32;
}
bool phase(u64 state) {
  return state >> 63;
}
/// As mbarrier.pending_count reads them.
u32 counterPending(u64 state) {
  return 0x80000000u - (static_cast<u32>(state >> 32) & 0x7fffffff);
}
u32 barrierPending(u64 state) {
  return 0x100000 - (static_cast<u32>(state >> 43) & 0xfffff);
}

TEST(SassAsync, CounterPhases) {
  for (u32 expected : {1u, 2u, 32u, 1000u}) {
    u64 state = counter(expected);
    for (unsigned round = 0; round < 5; ++round)
      for (u32 i = 0; i < expected; ++i) {
        EXPECT_EQ(phase(state), round % 2 == 1);
        EXPECT_EQ(counterPending(state), expected - i);
        state = arriveAtCounter(state);
      }
    EXPECT_EQ(phase(state), true);
  }
  // mbarrier.arrive_drop adds one to the lower word before it arrives.
  u64 state = arriveAtCounter(counter(3) + 1);
  state = arriveAtCounter(arriveAtCounter(state));
  EXPECT_TRUE(phase(state));
  EXPECT_EQ(counterPending(state), 2u);
}

TEST(SassAsync, BarrierPhases) {
  for (u32 expected : {1u, 2u, 32u, 1000u, (1u << 20) - 1}) {
    u64 state = barrier(expected);
    for (unsigned round = 0; round < 5; ++round) {
      EXPECT_EQ(phase(state), round % 2 == 1);
      EXPECT_EQ(barrierPending(state), expected);
      state = arriveAtBarrier(state, {expected, 0, false});
    }
  }
  u64 state = barrier(3);
  state = arriveAtBarrier(state, {1, 0, true});
  EXPECT_EQ(barrierPending(state), 2u);
  state = arriveAtBarrier(state, {2, 0, false});
  EXPECT_TRUE(phase(state));
  EXPECT_EQ(barrierPending(state), 2u) << "one has left";
}

/// A phase ends when all have arrived and all bytes have come, in whatever order.
TEST(SassAsync, BarrierTransactions) {
  u64 state = arriveAtBarrier(barrier(2), {1, 4096, false});
  state = arriveAtBarrier(state, {1, 0, false});
  EXPECT_FALSE(phase(state));
  state = arriveAtBarrier(state, {0, -4000, false});
  EXPECT_FALSE(phase(state));
  state = arriveAtBarrier(state, {0, -96, false});
  EXPECT_TRUE(phase(state));
  EXPECT_EQ(barrierPending(state), 2u);
  state = arriveAtBarrier(state, {0, -1048575, false}); // before it is announced
  state = arriveAtBarrier(state, {2, 0, false});
  EXPECT_TRUE(phase(state));
  EXPECT_FALSE(phase(arriveAtBarrier(state, {0, 1048575, false})));
}

/// A block's barrier: every thread arrives by the instruction; the state it gets and the phase are seen.
TEST(SassAsync, Arrivals) {
  struct Form {
    const char* name;
    u32 value;
    u32 count;      ///< per thread
    bool completes; ///< no bytes are left to come
  };
  for (const Form& form : {Form{"A1T0", 77, 1, true},
                           {"ART0", 2, 2, true},
                           {"", 0, 1, true},
                           {"", 16, 1, false},
                           {"OPTOUT.A1T0", 5, 1, true}}) {
    Assembly a;
    a.buffer("out", std::vector<u32>(32 * 4)).pointer(4, "out");
    a.kernel.staticShared = 0x410;
    std::string dot = *form.name ? "." : "";
    u32 less = 0x100000 - 32 * form.count;
    a.add(llvm::formatv("UMOV UR4, {0:x}", less << 1)).add(llvm::formatv("UMOV UR5, {0:x}", less << 11));
    a.add("UMOV UR6, 0x400").add("SYNCS.EXCH.64 URZ, [UR6+0x8], UR4");
    a.add("S2R R0, SR_TID.X").add("IMAD.WIDE.U32 R4, R0, 0x10, R4");
    a.add(llvm::formatv("MOV R6, {0:x}", form.value));
    a.add("SYNCS.ARRIVE.TRANS64" + dot + form.name + " R8, [UR6+0x8], R6");
    a.add("SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR6+0x8], R9").add("SEL R10, RZ, 0x1, !P0");
    a.add("LDS R11, [UR6+0xc]").add("STG.E.128 desc[UR4][R4.64], R8").add("EXIT");
    ExecutionResult result = a.run(32);
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
    for (u32 lane = 0; lane < 32; ++lane) {
      std::vector<u32> out = a.words("out");
      u64 state = out[4 * lane] | u64{out[4 * lane + 1]} << 32;
      EXPECT_EQ(barrierPending(state), (32 - lane) * form.count) << form.name;
      EXPECT_FALSE(phase(state));
      EXPECT_EQ(out[4 * lane + 2], u32{form.completes}) << form.name;
      EXPECT_EQ(out[4 * lane + 3] >> 31, u32{form.completes});
    }
  }
}

/// expect_tx and complete_tx, as ptxas has them; then the copies' own arrivals.
TEST(SassAsync, SilentArrivals) {
  Assembly a;
  a.buffer("out", std::vector<u32>(8)).pointer(4, "out");
  a.kernel.staticShared = 0x410;
  auto check = [&a, at = 0](const char* parity) mutable {
    a.add(std::string("SYNCS.PHASECHK.TRANS64 P0, [UR6], ") + parity).add("SEL R10, RZ, 0x1, !P0");
    a.add("STG.E " + a.at(4, static_cast<unsigned>(4 * at++)) + ", R10");
  };
  a.lines("UMOV UR4, 0x1ffffe\nUMOV UR5, 0x7ffff800\nUMOV UR6, 0x400\nSYNCS.EXCH.64 URZ, [UR6], UR4\n"
          "MOV R8, 0x30\nMOV R11, 0x80000000");
  check("RZ"); // 0: phase 0 goes on
  a.add("SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [UR6], R8").add("SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [UR6], RZ");
  check("RZ"); // 0
  a.add("SYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [UR6], R8");
  check("RZ");  // 1
  check("R11"); // 0: phase 1 goes on
  a.add("SYNCS.ARRIVE.TRANS64.RED.A0T1 RZ, [UR6], RZ").add("SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [UR6], RZ");
  check("R11"); // 0
  a.add("ARRIVES.LDGSTSBAR.64.TRANSCNT [UR6]");
  check("R11"); // 1
  a.add("ARRIVES.LDGSTSBAR.64.ARVCNT [UR6]");
  check("RZ"); // 1
  a.add("SYNCS.CCTL.IV [UR6]").add("EXIT");
  ExecutionResult result = a.run(1);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  EXPECT_EQ(a.words("out"), (std::vector<u32>{0, 0, 1, 0, 0, 1, 1, 0}));
}

/// The mbarrier of sm_80 in shared memory: arrivals of threads and of their copies.
TEST(SassAsync, Counters) {
  Assembly a(80);
  a.buffer("out", std::vector<u32>(32 * 4)).pointer(4, "out");
  a.kernel.staticShared = 16;
  a.lines(R"(
    MOV R8, 0x3fffffc0
    MOV R9, 0x7fffffc0
    STS.64 [RZ+0x8], R8
    S2R R0, SR_TID.X
    IMAD.WIDE.U32 R4, R0, 0x10, R4
    UMOV UR6, 0x8
    ARRIVES.LDGSTSBAR.64 [UR6]
    ATOMS.ARRIVE.64 R12, [RZ+UR6]
    LDS.64 R14, [RZ+0x8]
    STG.E.128 [R4.64], R12
    EXIT)");
  ExecutionResult result = a.run(32);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  std::vector<u32> out = a.words("out");
  for (u32 lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(counterPending(u64{out[4 * lane + 1]} << 32), 32 - lane);
    EXPECT_EQ(out[4 * lane + 2], 0x3fffffc0u);
    EXPECT_EQ(out[4 * lane + 3], 0xffffffc0u) << "phase 1, 64 pending";
  }
}

/// What comes asynchronously is counted by an mbarrier of one thread, whose phase ends with the last byte.
/// R8 = its parity 0 is over, before and after.
void checkCounted(const std::string& code, u32 bytes, const std::vector<u32>& want) {
  Assembly a;
  a.buffer("out", std::vector<u32>(8)).pointer(4, "out");
  a.kernel.staticShared = 0x440;
  a.lines("UMOV UR4, 0x1ffffe\nUMOV UR5, 0x7ffff800\nUMOV UR6, 0x400\nSYNCS.EXCH.64 URZ, [UR6], UR4\n"
          "UMOV UR8, 0x420");
  a.add(llvm::formatv("MOV R8, {0:x}", bytes)).add("SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [UR6], R8");
  a.lines("SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [UR6], RZ\nMOV R12, 0x11111111\nMOV R13, 0x22222222\n"
          "MOV R14, 0x33333333\nMOV R15, 0x44444444\nMOV R16, 0x420\nMOV R17, 0x400\nSTS.128 [R16], R12\n"
          "MOV R20, 0xfffffff0\nMOV R21, 0x1\nMOV R22, 0x2\nMOV R23, 0x3");
  a.add("SYNCS.PHASECHK.TRANS64 P0, [UR6], RZ").add("SEL R24, RZ, 0x1, !P0").add(code);
  a.add("SYNCS.PHASECHK.TRANS64 P0, [UR6], RZ").add("SEL R25, RZ, 0x1, !P0").add("LDS.128 R12, [R16]");
  a.add("STG.E.128 " + a.at(4) + ", R12").add("STG.E.64 " + a.at(4, 16) + ", R24").add("EXIT");
  ExecutionResult result = a.run(1);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << code << result.message;
  std::vector<u32> out = a.words("out");
  EXPECT_EQ(std::vector<u32>(out.begin(), out.begin() + 4), want) << code;
  EXPECT_EQ(out[4], 0u) << code;
  EXPECT_EQ(out[5], 1u) << code;
}

TEST(SassAsync, CountedStores) {
  checkCounted("STAS [R16.64], R20", 4, {0xfffffff0, 0x22222222, 0x33333333, 0x44444444});
  checkCounted("STAS.64 [R16.64], R20", 8, {0xfffffff0, 1, 0x33333333, 0x44444444});
  checkCounted("STAS.128 [R16.64], R20", 16, {0xfffffff0, 1, 2, 3});
}

TEST(SassAsync, CountedReductions) {
  auto first = [](u32 word) { return std::vector<u32>{word, 0x22222222, 0x33333333, 0x44444444}; };
  checkCounted("REDAS.ADD [R16.64], R20", 4, first(0x11111101));
  checkCounted("REDAS.MIN [R16.64], R20", 4, first(0x11111111));
  checkCounted("REDAS.MIN.S32 [R16.64], R20", 4, first(0xfffffff0));
  checkCounted("REDAS.MAX.S32 [R16.64], R20", 4, first(0x11111111));
  checkCounted("REDAS.AND [R16.64], R20", 4, first(0x11111110));
  checkCounted("REDAS.XOR [R16.64], R20", 4, first(0xeeeeeee1));
  checkCounted("REDAS.INC [R16.64], R22", 4, first(0));
  checkCounted("REDAS.DEC [R16.64], R22", 4, first(2));
  checkCounted("REDAS.ADD.64 [R16.64], R20", 8, {0x11111101, 0x22222224, 0x33333333, 0x44444444});
}

/// No block is cancelled: bit 64 of the answer is clear.
TEST(SassAsync, NextWorkIsDeclined) {
  checkCounted("UGETNEXTWORKID.SELFCAST [UR8], [UR6]", 16, {0, 0, 0, 0});
}

TEST(SassAsync, MoreArrivalsThanExpected) {
  Assembly a;
  a.kernel.staticShared = 0x408;
  a.lines("UMOV UR4, 0x1ffffe\nUMOV UR5, 0x7ffff800\nUMOV UR6, 0x400\nSYNCS.EXCH.64 URZ, [UR6], UR4\n"
          "MOV R8, 0x2\nSYNCS.ARRIVE.TRANS64.ART0 RZ, [UR6], R8\nEXIT");
  ExecutionResult result = a.run(1);
  EXPECT_EQ(result.end, ExecutionEnd::Unsupported);
  EXPECT_THAT(result.message, HasSubstr("more threads arrive"));
}

// ---- order

TEST(SassAsync, WhatOnlyOrders) {
  Assembly a;
  a.buffer("out", {1}).pointer(4, "out");
  a.lines(
      "FENCE.VIEW.ASYNC.S\nFENCE.VIEW.ASYNC.G\nCCTL.IVALL\nCCTL.E.PF2 [R4]\nCCTL.E.PF1 [RZ]\nCCTLL.PF1 [RZ]\n"
      "LDGDEPBAR\nDEPBAR.LE SB0, 0x1\nMEMBAR.ALL.GPU\nSYNCS.CCTL.IVALL\nEXIT");
  ExecutionResult result = a.run(32);
  EXPECT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  EXPECT_EQ(a.words("out")[0], 1u);
}

/// A cluster of one block: no thread goes on before all have come.
TEST(SassAsync, ClusterBarrier) {
  Assembly a;
  a.buffer("out", std::vector<u32>(64)).pointer(4, "out");
  a.kernel.staticShared = 0x500;
  a.lines(R"(
    S2R R0, SR_TID.X
    IMAD.SHL.U32 R6, R0, 0x4, RZ
    STS [R6+0x400], R0
    UCGABAR_ARV
    UCGABAR_WAIT
    IADD3 R7, -R6, 0x4fc, RZ
    LDS R8, [R7]
    IMAD.WIDE.U32 R4, R0, 0x4, R4
    STG.E desc[UR4][R4.64], R8
    EXIT)");
  ExecutionResult result = a.run(64);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  for (u32 i = 0; i < 64; ++i)
    EXPECT_EQ(a.words("out")[i], 63 - i);
}

} // namespace
} // namespace harness::sass::test

// Loads and stores of every space, and how accesses go wrong.

#include "tests/sass/assembly.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/Support/FormatVariadic.h>

#include <cstring>

namespace harness::sass::test {
namespace {

using testing::Each;
using testing::HasSubstr;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr unsigned kArchs[] = {75, 80, 86, 90, 100, 120};

struct Access {
  const char* word;
  unsigned bytes;
  bool isSigned;
};
constexpr Access kAccesses[] = {{".U8", 1, false}, {".S8", 1, true},  {".U16", 2, false}, {".S16", 2, true},
                                {"", 4, false},    {".64", 8, false}, {".128", 16, false}};

/// Bytes whose value tells their place; both signs occur.
std::vector<u32> pattern(unsigned words) {
  std::vector<u32> values;
  for (u32 i = 0; i < words; ++i)
    values.push_back(0x70f1a2b3u + i * 0x1f2e3d4cu);
  return values;
}

/// What a load of `access` at byte `offset` of `memory` puts into the first words of a group.
std::vector<u32> loaded(const std::vector<u32>& memory, unsigned offset, const Access& access) {
  std::vector<u32> words(std::max(1u, access.bytes / 4));
  std::memcpy(words.data(), reinterpret_cast<const char*>(memory.data()) + offset, access.bytes);
  if (access.isSigned) {
    unsigned up = 32 - 8 * access.bytes;
    words[0] = static_cast<u32>(static_cast<std::int32_t>(words[0] << up) >> up);
  }
  return words;
}

std::string withOffset(const std::string& base, int offset) {
  if (offset == 0) return base + "]";
  return base + llvm::formatv("+{0}{1:x}]", offset < 0 ? "-" : "", std::abs(offset)).str();
}

/// "[R2.64" and the like: how a pair prints as a global address, without the bracket that closes it.
std::string global(unsigned sm, unsigned pair) {
  std::string inside = "[R" + std::to_string(pair) + (sm >= 80 ? ".64" : "");
  return sm >= 90 ? "desc[UR4]" + inside : inside;
}

// ---- global

TEST(SassMemory, GlobalLoadsOfEverySize) {
  for (unsigned sm : kArchs)
    for (const Access& access : kAccesses)
      for (unsigned offset = 0; offset + access.bytes <= 48; offset += access.bytes) {
        Assembly a(sm);
        a.buffer("in", pattern(12)).buffer("out", std::vector<u32>(4)).pointer(2, "in").pointer(4, "out");
        for (unsigned i = 8; i < 12; ++i)
          a.add(llvm::formatv("MOV R{0}, 0x5a5a5a5a", i));
        a.add(std::string("LDG.E") + access.word + " R8, " +
              withOffset(global(sm, 2), static_cast<int>(offset)));
        a.add("STG.E.128 " + a.at(4) + ", R8").add("EXIT");
        ExecutionResult result = a.run(1);
        ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
        std::vector<u32> want = loaded(pattern(12), offset, access);
        want.resize(4, 0x5a5a5a5a);
        EXPECT_EQ(a.words("out"), want) << sm << access.word << " at " << offset;
      }
}

TEST(SassMemory, GlobalStoresOfEverySize) {
  for (unsigned sm : kArchs)
    for (const Access& access : kAccesses)
      for (unsigned offset = 0; offset + access.bytes <= 32; offset += access.bytes) {
        Assembly a(sm);
        a.buffer("out", pattern(8)).pointer(4, "out");
        std::vector<u32> stored = {0x11223344, 0x55667788, 0x99aabbcc, 0xddeeff00};
        for (unsigned i = 0; i < 4; ++i)
          a.add(llvm::formatv("MOV R{0}, {1:x}", 8 + i, stored[i]));
        a.add(std::string("STG.E") + access.word + " " + withOffset(global(sm, 4), static_cast<int>(offset)) +
              ", R8");
        a.add("EXIT");
        ExecutionResult result = a.run(1);
        ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
        std::vector<u32> want = pattern(8);
        std::memcpy(reinterpret_cast<char*>(want.data()) + offset, stored.data(), access.bytes);
        EXPECT_EQ(a.words("out"), want) << sm << access.word << " at " << offset;
      }
}

TEST(SassMemory, CacheWordsChangeNothing) {
  for (const char* words :
       {".E.CONSTANT", ".E.STRONG.GPU", ".E.STRONG.SYS", ".E.EF", ".E.LTC128B", ".E.SYS"}) {
    Assembly a;
    a.buffer("in", {7}).buffer("out", {0}).pointer(2, "in").pointer(4, "out");
    a.add(std::string("LDG") + words + " R8, desc[UR4][R2.64]").add("STG.E desc[UR4][R4.64], R8").add("EXIT");
    ASSERT_EQ(a.run(1).end, ExecutionEnd::Completed) << words;
    EXPECT_EQ(a.words("out")[0], 7u);
  }
}

/// [R6.U32+UR4]: a 32-bit register, extended by zeros, and a uniform pair. [UR4+8]: the pair alone.
TEST(SassMemory, UniformPairAddresses) {
  Assembly a;
  a.buffer("in", pattern(64)).buffer("out", std::vector<u32>(32)).pointer(2, "in").pointer(4, "out");
  a.lines(R"(
    R2UR UR6, R2
    R2UR UR7, R3
    S2R R0, SR_TID.X
    IMAD.SHL.U32 R8, R0, 0x8, RZ
    LDG.E R9, desc[UR4][R8.U32+UR6+0x4]
    LDG.E R10, desc[UR4][UR6+0x8]
    IADD3 R9, R9, R10, RZ
    IMAD.WIDE.U32 R4, R0, 0x4, R4
    STG.E desc[UR4][R4.64], R9
    EXIT)");
  ExecutionResult result = a.run(32);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  for (u32 i = 0; i < 32; ++i)
    EXPECT_EQ(a.words("out")[i], pattern(64)[2 * i + 1] + pattern(64)[2]);
}

TEST(SassMemory, ThirtyTwoBitOffsetIsNotSignExtended) {
  Assembly a;
  a.buffer("in", pattern(4)).pointer(2, "in");
  a.lines("R2UR UR6, R2\nR2UR UR7, R3\nMOV R8, -0x4\nLDG.E R9, desc[UR4][R8.U32+UR6+0x8]\nEXIT");
  EXPECT_EQ(a.run(1).end, ExecutionEnd::Fault) << "4 GiB further on, not at word 1";
}

TEST(SassMemory, NegativeOffset) {
  for (unsigned sm : kArchs) {
    Assembly a(sm);
    a.buffer("in", pattern(4)).buffer("out", {0}).pointer(2, "in").pointer(4, "out");
    a.add("IADD3 R2, R2, 0xc, RZ").add("LDG.E R8, " + withOffset(global(sm, 2), -8));
    a.add("STG.E " + a.at(4) + ", R8").add("EXIT");
    ASSERT_EQ(a.run(1).end, ExecutionEnd::Completed);
    EXPECT_EQ(a.words("out")[0], pattern(4)[1]) << sm;
  }
}

/// Whole warps that access words in a row, as streaming code does, at every offset to the buffer's end.
TEST(SassMemory, WordsInARow) {
  for (int past : {-4, -1, 0, 1, 3, 31, 32}) {
    for (const char* access : {"LDG.E R8, desc[UR4][R2.64]", "STG.E desc[UR4][R2.64], R0"}) {
      Assembly a;
      a.buffer("in", pattern(40)).buffer("out", std::vector<u32>(32)).pointer(2, "in").pointer(4, "out");
      a.lines("S2R R0, SR_TID.X\nIMAD.WIDE.U32 R2, R0, 0x4, R2\nIMAD.WIDE.U32 R4, R0, 0x4, R4\nMOV R8, R0");
      a.add(llvm::formatv("IADD3 R2, R2, {0}{1:x}, RZ", past < -8 ? "-" : "", std::abs(8 + past) * 4));
      a.add(access).add("STG.E desc[UR4][R4.64], R8").add("EXIT");
      ExecutionResult result = a.run(32);
      if (past > 0) {
        EXPECT_EQ(result.end, ExecutionEnd::Fault);
        EXPECT_THAT(result.message, HasSubstr("bytes past the end of 'in'"));
        EXPECT_THAT(result.message, HasSubstr(llvm::formatv("lane {0}", 32 - past).str()));
        continue;
      }
      ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
      std::vector<u32> in = a.words("in"), out = a.words("out");
      for (u32 i = 0; i < 32; ++i) {
        auto at = static_cast<std::size_t>(static_cast<int>(i) + 8 + past);
        if (*access == 'L')
          EXPECT_EQ(out[i], pattern(40)[at]);
        else
          EXPECT_EQ(in[at], i);
      }
    }
  }
}

/// Lanes that go backwards, all to one place, to two buffers in turn, misaligned.
TEST(SassMemory, WordsInOtherOrders) {
  auto loads = [](const std::string& address) {
    Assembly a;
    a.buffer("in", pattern(40)).buffer("other", pattern(80)).buffer("out", std::vector<u32>(32));
    a.pointer(2, "in").pointer(6, "other").pointer(4, "out");
    a.lines("S2R R0, SR_TID.X\nIMAD.WIDE.U32 R4, R0, 0x4, R4\n" + address +
            "\nLDG.E R8, desc[UR4][R10.64]\nSTG.E desc[UR4][R4.64], R8\nEXIT");
    ExecutionResult result = a.run(32);
    EXPECT_EQ(result.end, ExecutionEnd::Completed) << result.message;
    return a.words("out");
  };
  std::vector<u32> back = loads("IADD3 R12, -R0, 0x1f, RZ\nIMAD.WIDE.U32 R10, R12, 0x4, R2");
  std::vector<u32> same = loads("MOV R10, R2\nMOV R11, R3");
  std::vector<u32> turns =
      loads("LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT\nSEL R10, R2, R6, P0\nSEL R11, R3, R7, P0\n"
            "IMAD.WIDE.U32 R10, R0, 0x4, R10");
  for (u32 i = 0; i < 32; ++i) {
    EXPECT_EQ(back[i], pattern(40)[31 - i]);
    EXPECT_EQ(same[i], pattern(40)[0]);
    EXPECT_EQ(turns[i], pattern(80)[i]);
  }
  Assembly a;
  a.buffer("in", pattern(40)).pointer(2, "in");
  a.lines("S2R R0, SR_TID.X\nIMAD.WIDE.U32 R2, R0, 0x4, R2\nLDG.E R8, desc[UR4][R2.64+0x2]\nEXIT");
  EXPECT_THAT(a.run(32).message, HasSubstr("misaligned 4-byte access"));
}

/// Lanes store in their order, so of several to one address the last stays.
TEST(SassMemory, LanesStoreInOrder) {
  Assembly a;
  a.buffer("out", {0, 0}).pointer(4, "out");
  a.lines("S2R R0, SR_TID.X\nISETP.LT.AND P0, PT, R0, 0x14, PT\nSTG.E desc[UR4][R4.64], R0\n"
          "@P0 STG.E desc[UR4][R4.64+0x4], R0\nEXIT");
  ASSERT_EQ(a.run(32).end, ExecutionEnd::Completed);
  EXPECT_EQ(a.words("out"), (std::vector<u32>{31, 19}));
}

// ---- faults

struct BadAccess {
  const char* text;
  std::vector<const char*> message;
};

/// Every message says what was accessed, where, by whom.
TEST(SassMemory, OutOfBounds) {
  const BadAccess kBad[] = {
      {"LDG.E R8, desc[UR4][R4.64+0x10]", {"4-byte access", "0 bytes past the end of 'out' (16 bytes)"}},
      {"LDG.E.U8 R8, desc[UR4][R4.64+0x10]", {"1-byte access", "0 bytes past the end of 'out'"}},
      {"LDG.E.128 R8, desc[UR4][R4.64+0x20]", {"16-byte access", "16 bytes past the end of 'out'"}},
      {"LDG.E R8, desc[UR4][R4.64+-0x4]", {"4 bytes before the start of 'out' (16 bytes)"}},
      {"STG.E desc[UR4][R4.64+0x10], R8", {"0 bytes past the end of 'out'"}},
      {"STG.E.U8 desc[UR4][R4.64+-0x1], R8", {"1 bytes before the start of 'out'"}},
      {"LDG.E RZ, desc[UR4][R4.64+0x10]", {"past the end"}},
      {"LDG.E R8, desc[UR4][RZ]", {"4-byte access to 0x0", "in no buffer"}},
      {"STG.E desc[UR4][RZ+0x10], R8", {"in no buffer"}},
      {"LDG.E R8, desc[UR4][R12.64]", {"in no buffer"}},
  };
  for (const BadAccess& bad : kBad) {
    Assembly a;
    a.buffer("in", pattern(4)).buffer("out", pattern(4)).pointer(4, "out");
    a.lines("MOV R12, -0x10\nMOV R13, -0x1\nS2R R0, SR_TID.X\nISETP.EQ.AND P0, PT, R0, 0x15, PT");
    a.add("@P0 " + std::string(bad.text)).add("EXIT");
    Launch launch;
    launch.grid = {1, 2, 1};
    launch.block = {32, 1, 1};
    ExecutionResult result = a.run(launch);
    EXPECT_EQ(result.end, ExecutionEnd::Fault) << bad.text;
    for (const char* part : bad.message)
      EXPECT_THAT(result.message, HasSubstr(part)) << bad.text;
    EXPECT_THAT(result.message, HasSubstr(bad.text));
    EXPECT_THAT(result.message, HasSubstr("block (0,0,0), warp 0, lane 21"));
    EXPECT_EQ(a.words("out"), pattern(4)) << "nothing was written";
  }
}

TEST(SassMemory, BlockOfAFault) {
  Assembly a;
  a.buffer("out", {0}).pointer(4, "out");
  a.lines("S2R R0, SR_CTAID.Z\nS2R R1, SR_TID.X\nISETP.EQ.AND P0, PT, R0, 0x2, PT\nISETP.EQ.AND P1, PT, R1, "
          "0x41, P0\n"
          "@P1 LDG.E R8, desc[UR4][R4.64+0x4]\nEXIT");
  Launch launch;
  launch.grid = {2, 2, 3};
  launch.block = {70, 1, 1};
  ExecutionResult result = a.run(launch);
  EXPECT_EQ(result.end, ExecutionEnd::Fault);
  EXPECT_THAT(result.message, HasSubstr("block (0,0,2), warp 2, lane 1"));
}

/// An access that begins inside and ends outside.
TEST(SassMemory, AccessAcrossTheEnd) {
  Assembly a;
  a.buffer("out", pattern(3)).pointer(4, "out");
  a.lines("LDG.E.64 R8, desc[UR4][R4.64+0x8]\nEXIT");
  ExecutionResult result = a.run(1);
  EXPECT_EQ(result.end, ExecutionEnd::Fault);
  EXPECT_THAT(result.message, HasSubstr("8 bytes at 'out'+0x8, which ends at 0xc"));
}

/// The same in a lane that is not the first: the lanes before it were inside.
TEST(SassMemory, AccessAcrossTheEndInALaterLane) {
  for (const char* access : {"LDG.E.64 R8, desc[UR4][R4.64]", "STG.E.64 desc[UR4][R4.64], R8"}) {
    Assembly a;
    a.buffer("out", pattern(5)).pointer(4, "out");
    a.lines("S2R R0, SR_TID.X\nIMAD.WIDE.U32 R4, R0, 0x8, R4").add(access).add("EXIT");
    EXPECT_EQ(a.run(2).end, ExecutionEnd::Completed);
    ExecutionResult result = a.run(3);
    EXPECT_EQ(result.end, ExecutionEnd::Fault) << access;
    EXPECT_THAT(result.message, HasSubstr("8 bytes at 'out'+0x10, which ends at 0x14"));
    EXPECT_THAT(result.message, HasSubstr("lane 2"));
  }
  Assembly a(80);
  a.kernel.staticShared = 20;
  a.lines("S2R R0, SR_TID.X\nIMAD.SHL.U32 R4, R0, 0x8, RZ\nLDS.64 R8, [R4]\nEXIT");
  EXPECT_EQ(a.run(2).end, ExecutionEnd::Completed);
  EXPECT_EQ(a.run(3).end, ExecutionEnd::Fault);
}

TEST(SassMemory, MisalignedAccess) {
  for (const Access& access : kAccesses)
    for (unsigned offset = 1; offset < access.bytes; offset += 1 + offset / 3) {
      Assembly a;
      a.buffer("out", pattern(16)).pointer(4, "out");
      a.add(std::string("LDG.E") + access.word + " R8, " +
            withOffset("desc[UR4][R4.64", static_cast<int>(offset)));
      a.add("EXIT");
      ExecutionResult result = a.run(1);
      EXPECT_EQ(result.end, ExecutionEnd::Fault) << access.word << offset;
      EXPECT_THAT(result.message, HasSubstr(llvm::formatv("misaligned {0}-byte access", access.bytes).str()));
    }
}

/// Lanes before the faulty one have stored; inactive lanes are not asked for their address.
TEST(SassMemory, OnlyActiveLanesAccess) {
  Assembly a;
  a.buffer("out", std::vector<u32>(16)).pointer(4, "out");
  a.lines("S2R R0, SR_TID.X\nIMAD.WIDE.U32 R4, R0, 0x4, R4\nISETP.LT.AND P0, PT, R0, 0x10, PT\n"
          "@P0 STG.E desc[UR4][R4.64], R0\nEXIT");
  ASSERT_EQ(a.run(32).end, ExecutionEnd::Completed);
  EXPECT_EQ(a.words("out")[15], 15u);
}

// ---- shared and local

/// Where a kernel's own shared memory starts.
u32 sharedStart(unsigned sm) {
  return sm >= 90 ? 0x400 : 0;
}

TEST(SassMemory, SharedAndLocalOfEverySize) {
  for (unsigned sm : kArchs)
    for (const char* space : {"S", "L"})
      for (const Access& access : kAccesses)
        for (unsigned offset : {0u, 16u, 48u}) {
          Assembly a(sm);
          a.buffer("out", std::vector<u32>(8)).pointer(4, "out");
          a.kernel.staticShared = sharedStart(sm) + 64;
          a.add(llvm::formatv("MOV R6, {0:x}", *space == 'S' ? sharedStart(sm) : 0));
          for (unsigned i = 0; i < 4; ++i)
            a.add(llvm::formatv("MOV R{0}, {1:x}", 8 + i, pattern(4)[i]))
                .add(llvm::formatv("MOV R{0}, RZ", 12 + i));
          std::string at = withOffset("[R6", static_cast<int>(offset)), type = std::string(space);
          a.add("ST" + type + ".128 " + at + ", RZ");
          a.add("ST" + type + access.word + " " + at + ", R8");
          a.add("LD" + type + access.word + " R12, " + at);
          a.add("LD" + type + ".128 R16, " + at);
          a.add("STG.E.128 " + a.at(4) + ", R12").add("STG.E.128 " + a.at(4, 16) + ", R16").add("EXIT");
          ExecutionResult result = a.run(1);
          ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
          std::vector<u32> got = a.words("out"), want = loaded(pattern(4), 0, access), raw(4);
          want.resize(4);
          std::memcpy(raw.data(), pattern(4).data(), access.bytes);
          want.insert(want.end(), raw.begin(), raw.end());
          EXPECT_EQ(got, want) << sm << space << access.word;
        }
}

TEST(SassMemory, SharedAddressForms) {
  Assembly a;
  a.buffer("out", std::vector<u32>(32)).pointer(4, "out");
  a.kernel.staticShared = 0x400 + 512;
  a.lines(R"(
    S2R R0, SR_TID.X
    UMOV UR6, 0x400
    IADD3 R9, R0, 0x55, RZ
    STS [R0.X16+UR6], R9
    IMAD.SHL.U32 R8, R0, 0x10, RZ
    LDS R10, [R8+UR6]
    IADD3 R11, R8, 0x404, RZ
    LDS R12, [R11+-0x4]
    IADD3 R10, R10, R12, RZ
    IMAD.WIDE.U32 R4, R0, 0x4, R4
    STG.E desc[UR4][R4.64], R10
    EXIT)");
  ExecutionResult result = a.run(32);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  for (u32 i = 0; i < 32; ++i)
    EXPECT_EQ(a.words("out")[i], 2 * (i + 0x55));
}

/// A thread's local memory is its own, a block's shared memory the block's; both start as poison.
TEST(SassMemory, SpacesAreApart) {
  for (std::byte poison : {std::byte{0xAA}, std::byte{0x55}}) {
    Assembly a;
    a.buffer("out", std::vector<u32>(2 * 64 * 2)).pointer(4, "out");
    a.kernel.staticShared = 0x404;
    a.lines(R"(
      S2R R0, SR_TID.X
      S2R R1, SR_CTAID.X
      IMAD R2, R1, 0x40, R0
      IMAD.WIDE.U32 R4, R2, 0x8, R4
      LDL R8, [RZ]
      LDS R9, [RZ+0x400]
      BAR.SYNC 0x0
      STL [RZ], R2
      STS [RZ+0x400], R1
      BAR.SYNC 0x0
      LDL R10, [RZ]
      LDS R11, [RZ+0x400]
      LOP3.LUT R8, R8, R9, RZ, 0x3c, !PT
      IADD3 R10, R10, R8, RZ
      IADD3 R11, R11, R9, RZ
      STG.E.64 desc[UR4][R4.64], R10
      EXIT)");
    Launch launch;
    launch.grid = {2, 1, 1};
    launch.block = {64, 1, 1};
    ExecutionOptions options;
    options.poison = poison;
    ExecutionResult result = a.run(launch, options);
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
    u32 fill = static_cast<u32>(poison) * 0x01010101u;
    for (u32 i = 0; i < 128; ++i) {
      EXPECT_EQ(a.words("out")[2 * i], i) << "local";
      EXPECT_EQ(a.words("out")[2 * i + 1], i / 64 + fill) << "shared";
    }
  }
}

TEST(SassMemory, SharedBounds) {
  const struct {
    unsigned sm;
    u32 staticShared, dynamicShared, address;
    bool good;
  } kCases[] = {
      {90, 0x400, 0, 0x400, false}, {90, 0x404, 0, 0x400, true},  {90, 0x404, 0, 0x404, false},
      {90, 0x404, 0, 0x3fc, false}, {90, 0x404, 0, 0, false},     {90, 0, 8, 0x404, true},
      {90, 0, 8, 0x408, false},     {90, 0x410, 16, 0x41c, true}, {90, 0x410, 16, 0x420, false},
      {80, 4, 0, 0, true},          {80, 4, 0, 4, false},         {80, 0, 0, 0, false},
      {75, 16, 16, 0x1c, true},     {75, 16, 16, 0x20, false},    {120, 0x404, 0, 0xfffffffc, false},
      {80, 8, 0, 2, false},
  };
  for (const auto& one : kCases) {
    Assembly a(one.sm);
    a.kernel.staticShared = one.staticShared;
    a.add(llvm::formatv("MOV R6, {0:x}", one.address)).add("STS [R6], RZ").add("EXIT");
    Launch launch;
    launch.dynamicShared = one.dynamicShared;
    ExecutionResult result = a.run(launch);
    EXPECT_EQ(result.end, one.good ? ExecutionEnd::Completed : ExecutionEnd::Fault)
        << one.sm << " " << one.address << result.message;
    EXPECT_TRUE(one.good || result.message.find("shared") != std::string::npos) << result.message;
  }
}

TEST(SassMemory, LocalBounds) {
  for (unsigned sm : kArchs) {
    Assembly a(sm);
    a.kernel.frameSize = 0x500;
    a.kernel.minStackSize = 0x500;
    std::string stack = llvm::formatv("c[0x0][{0:x}]", sm >= 100 ? 0x37c : 0x28).str();
    // The stack pointer starts at the end; a frame of the kernel's size below it can be used.
    a.add(sm >= 90 ? "LDC R1, " + stack : "MOV R1, " + stack);
    a.add("IADD3 R2, R1, -0xa00, RZ")
        .add("STL [R2], RZ")
        .add("STL [R1+-0x4], RZ")
        .add("STL [R1], RZ")
        .add("EXIT");
    ExecutionResult result = a.run(1);
    EXPECT_EQ(result.end, ExecutionEnd::Fault) << sm;
    EXPECT_THAT(result.message, HasSubstr("STL [R1], RZ")) << sm;
    EXPECT_THAT(result.message, HasSubstr("of a thread")) << sm;
  }
}

/// A generic pointer into shared or local memory is its window plus the offset there.
TEST(SassMemory, GenericPointers) {
  for (unsigned sm : kArchs) {
    Assembly a(sm);
    a.buffer("out", std::vector<u32>(4)).pointer(4, "out");
    a.kernel.staticShared = sharedStart(sm) + 16;
    auto pointer = [sm](unsigned pair) { return withOffset(global(sm, pair), 4); };
    // R8: shared, R10: local
    a.add(llvm::formatv("MOV R8, {0:x}", sharedStart(sm))).add("MOV R10, 0x20");
    std::string load = sm >= 90 ? "LDC " : "MOV ";
    if (sm >= 90)
      a.add("S2R R9, SR_SWINHI");
    else
      a.add("MOV R9, c[0x0][0x1c]");
    a.add(load + llvm::formatv("R11, c[0x0][{0:x}]", sm >= 100 ? 0x2fc : 0x24).str());
    a.add("MOV R12, 0x11").add("MOV R13, 0x22").add("MOV R14, 0x33");
    a.add("ST.E " + pointer(8) + ", R12")
        .add("ST.E " + pointer(10) + ", R13")
        .add("ST.E " + pointer(4) + ", R14");
    a.add(llvm::formatv("LDS R16, [RZ+{0:x}]", sharedStart(sm) + 4)).add("LDL R17, [RZ+0x24]");
    a.add("LD.E R18, " + pointer(4)).add("LD.E R19, " + pointer(8));
    a.add("STG.E.128 " + a.at(4) + ", R16").add("EXIT");
    ExecutionResult result = a.run(1);
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << sm << result.message;
    EXPECT_EQ(a.words("out"), (std::vector<u32>{0x11, 0x22, 0x33, 0x11})) << sm;
  }
}

TEST(SassMemory, GlobalAccessDoesNotSeeTheWindows) {
  Assembly a;
  a.kernel.staticShared = 0x410;
  a.lines("MOV R8, 0x400\nS2R R9, SR_SWINHI\nLDG.E R10, desc[UR4][R8.64]\nEXIT");
  ExecutionResult result = a.run(1);
  EXPECT_EQ(result.end, ExecutionEnd::Fault);
  EXPECT_THAT(result.message, HasSubstr("in no buffer"));
}

// ---- constants

TEST(SassMemory, ConstantLoads) {
  std::vector<u32> table = pattern(8);
  for (const Access& access : kAccesses) {
    if (access.bytes > 8) continue;
    for (unsigned offset = 0; offset + access.bytes <= 32; offset += access.bytes) {
      Assembly a;
      a.kernel.constants[3].assign(reinterpret_cast<const char*>(table.data()), 32);
      a.buffer("out", std::vector<u32>(4)).pointer(4, "out");
      for (unsigned i = 8; i < 12; ++i)
        a.add(llvm::formatv("MOV R{0}, 0x5a5a5a5a", i));
      a.add(llvm::formatv("LDC{0} R8, c[0x3][{1:x}]", access.word, offset));
      a.add("STG.E.128 " + a.at(4) + ", R8").add("EXIT");
      ExecutionResult result = a.run(1);
      ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
      std::vector<u32> want = loaded(table, offset, access);
      want.resize(4, 0x5a5a5a5a);
      EXPECT_EQ(a.words("out"), want) << access.word << offset;
    }
  }
}

TEST(SassMemory, IndexedConstants) {
  std::vector<u32> table = pattern(32);
  Assembly a;
  a.kernel.constants[3].assign(reinterpret_cast<const char*>(table.data()), 128);
  a.buffer("out", std::vector<u32>(32 * 4)).pointer(4, "out");
  a.lines(R"(
    S2R R0, SR_TID.X
    IMAD.SHL.U32 R6, R0, 0x4, RZ
    LDC R8, c[0x3][R6]
    IADD3 R7, R6, 0x10, RZ
    LDC R9, c[0x3][R7+-0x10]
    UMOV UR6, 0x8
    LDC R10, c[0x3][UR6+0x4]
    LDCU UR7, c[0x3][UR6]
    MOV R11, UR7
    IMAD.WIDE.U32 R4, R0, 0x10, R4
    STG.E.128 desc[UR4][R4.64], R8
    EXIT)");
  ExecutionResult result = a.run(32);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  for (u32 i = 0; i < 32; ++i) {
    EXPECT_EQ(a.words("out")[4 * i], table[i]);
    EXPECT_EQ(a.words("out")[4 * i + 1], table[i]) << "a negative offset";
    EXPECT_EQ(a.words("out")[4 * i + 2], table[3]);
    EXPECT_EQ(a.words("out")[4 * i + 3], table[2]);
  }
}

TEST(SassMemory, ConstantOperands) {
  Assembly a(75);
  a.kernel.constants[2] = std::string("\x01\x02\x03\x04\xff\xff\xff\x7f", 8);
  a.buffer("out", std::vector<u32>(4)).pointer(4, "out");
  a.lines("MOV R8, c[0x2][0x0]\nIADD3 R9, RZ, -c[0x2][0x4], RZ\nFADD R10, -RZ, |c[0x2][0x0]|\n"
          "ISETP.EQ.AND P0, PT, R8, c[0x2][0x0], PT\nSEL R11, RZ, 0x1, !P0");
  a.add("STG.E.128.SYS [R4], R8").add("EXIT");
  ExecutionResult result = a.run(1);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  EXPECT_EQ(a.words("out"), (std::vector<u32>{0x04030201, 0x80000001, 0x04030201, 1}));
}

/// What bank 0 holds: the launch, the parameters, and nothing that is not known.
TEST(SassMemory, BankZero) {
  for (unsigned sm : kArchs) {
    Assembly a(sm);
    a.buffer("out", std::vector<u32>(8)).pointer(4, "out");
    u32 block = sm >= 100 ? 0x360 : 0, grid = sm >= 100 ? 0x370 : 0xc, dynamic = sm >= 100 ? 0x2ac : 0x2c;
    const u32 kPlaces[] = {block, block + 4, block + 8, grid, grid + 4, grid + 8, dynamic};
    for (unsigned i = 0; i < 7; ++i) {
      a.add(llvm::formatv("{0} R8, c[0x0][{1:x}]", sm >= 90 ? "LDC" : "MOV", kPlaces[i]));
      a.add("STG.E " + a.at(4, i * 4) + ", R8");
    }
    a.add("EXIT");
    Launch launch;
    launch.block = {4, 3, 2};
    launch.grid = {5, 6, 7};
    launch.dynamicShared = 48;
    ExecutionResult result = a.run(launch);
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
    EXPECT_EQ(a.words("out"), (std::vector<u32>{4, 3, 2, 5, 6, 7, 48, 0})) << sm;
  }
}

TEST(SassMemory, UnknownConstants) {
  const struct {
    const char* text;
    const char* message;
  } kCases[] = {
      {"LDC.64 R8, c[0x0][0x18]", "reads c[0x0][0x18]"}, // its first word is beyond nctaid
      {"LDC R8, c[0x0][0x60]", "reads c[0x0][0x60], whose meaning is not known"},
      {"LDC.64 R8, c[0x0][0x218]", "reads c[0x0][0x218]"},
      {"LDC R8, c[0x0][0x7fffc]", "reads c[0x0][0x7fffc]"},
      {"LDC R8, c[0x0][R9]", "reads c[0x0][0xaaaaaaa8]"},
      {"LDC R8, c[0x3][0x4]", "reads c[0x3][0x4]"},
      {"LDC.64 R8, c[0x3][0x0]", "reads c[0x3][0x0]"},
      {"LDC R8, c[0x4][0x0]", "reads constant bank 4, which the kernel lacks"},
      {"LDC R8, c[0x3][R10]", "not aligned"},
      {"MOV R8, c[0x3][0x8]", "reads c[0x3][0x8]"},
      {"MOV R8, c[0x3][R9]", "indexed by a register"},
      {"IMAD.WIDE R8, R8, R9, c[0x3][0x0]", "reads c[0x3][0x0]"},
  };
  for (const auto& one : kCases) {
    Assembly a;
    a.kernel.constants[3] = "abcd";
    a.buffer("out", {0}); // the parameter at 0x210…0x217
    a.lines("LOP3.LUT R9, R9, 0x3, RZ, 0x30, !PT\nMOV R10, 0x2").add(one.text).add("EXIT");
    ExecutionResult result = a.run(1);
    EXPECT_EQ(result.end, ExecutionEnd::Unsupported) << one.text;
    EXPECT_THAT(result.message, HasSubstr(one.message));
    EXPECT_THAT(result.message, HasSubstr(one.text));
  }
}

/// Parameters smaller than their slot: the bytes between them are nobody's.
TEST(SassMemory, PaddingBetweenParameters) {
  Assembly a;
  a.kernel.params = {{0, 0, 1}, {1, 4, 4}};
  a.lines("LDC.U8 R8, c[0x0][0x210]\nLDC R9, c[0x0][0x214]\nLDC R10, c[0x0][0x210]\nEXIT");
  Launch launch;
  launch.args = {std::vector<std::byte>(1), std::vector<std::byte>(4)};
  ExecutionResult result = a.run(launch);
  EXPECT_EQ(result.end, ExecutionEnd::Unsupported);
  EXPECT_THAT(result.message, HasSubstr("LDC R10"));
}

/// `.256` loads print the upper group first, stores the lower one.
TEST(SassMemory, TwoGroups) {
  Assembly a(120);
  a.buffer("in", pattern(16)).buffer("out", std::vector<u32>(16)).pointer(2, "in").pointer(4, "out");
  a.lines("LDG.E.ENL2.256 R12, R8, desc[UR4][R2.64+0x20]\nSTG.E.ENL2.256 desc[UR4][R4.64], R8, R12\n"
          "LDG.E.EF.ENL2.256 RZ, R16, desc[UR4][R2.64]\nSTG.E.128 desc[UR4][R4.64+0x20], R16\nEXIT");
  ExecutionResult result = a.run(1);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  std::vector<u32> in = pattern(16), want(16);
  std::copy_n(in.begin() + 8, 8, want.begin());
  std::copy_n(in.begin(), 4, want.begin() + 8);
  EXPECT_EQ(a.words("out"), want);
  Assembly b(120);
  b.buffer("in", pattern(16)).pointer(2, "in");
  b.lines("LDG.E.ENL2.256 R12, R8, desc[UR4][R2.64+0x10]\nEXIT");
  EXPECT_THAT(b.run(1).message, HasSubstr("misaligned 32-byte access"));
}

/// sm_75: [R6.64+UR6] adds a pair to a uniform pair (ULDC.64 fills it with a pointer).
TEST(SassMemory, PairAndUniformPair) {
  Assembly a(75);
  a.buffer("in", pattern(64)).buffer("out", std::vector<u32>(32)).pointer(4, "out");
  a.lines(R"(
    ULDC.64 UR6, c[0x0][{param:in}]
    S2R R0, SR_TID.X
    IADD3 R2, R0, -0x4, RZ
    IMAD.WIDE R6, R2, 0x4, RZ
    LDG.E.SYS R8, [R6.64+UR6+0x10]
    IMAD.WIDE.U32 R4, R0, 0x4, R4
    STG.E.SYS [R4], R8
    EXIT)");
  ExecutionResult result = a.run(32);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  for (u32 i = 0; i < 32; ++i)
    EXPECT_EQ(a.words("out")[i], pattern(64)[i]);
}

/// Which memory a generic pointer is of.
TEST(SassMemory, QuerySpace) {
  const char* kQueries[] = {"G", "S", "L", "D"};
  for (unsigned sm : kArchs)
    for (unsigned query = 0; query < 4; ++query) {
      Assembly a(sm);
      a.buffer("out", std::vector<u32>(3)).pointer(4, "out");
      a.add("MOV R8, 0x400").add("MOV R10, 0x20").add("MOV R12, R4").add("MOV R13, R5");
      a.add(sm >= 90 ? "S2R R9, SR_SWINHI" : "MOV R9, c[0x0][0x1c]");
      a.add(
          llvm::formatv("{0} R11, c[0x0][{1:x}]", sm >= 90 ? "LDC" : "MOV", sm >= 100 ? 0x2fc : 0x24).str());
      for (unsigned space = 0; space < 3; ++space) {
        a.add(llvm::formatv("QSPC.E.{0} P0, RZ, [R{1}]", kQueries[query], space == 0 ? 12 : 6 + 2 * space)
                  .str());
        a.add("SEL R14, RZ, 0x1, !P0").add("STG.E " + a.at(4, 4 * space) + ", R14");
      }
      a.add("EXIT");
      ExecutionResult result = a.run(1);
      ASSERT_EQ(result.end, ExecutionEnd::Completed) << sm << result.message;
      unsigned answer = query == 3 ? 1 : query; // D: shared memory of a cluster of one
      for (unsigned space = 0; space < 3; ++space)
        EXPECT_EQ(a.words("out")[space], u32{space == answer}) << sm << kQueries[query];
    }
}

TEST(SassMemory, FourUniformConstants) {
  std::vector<u32> table = pattern(12);
  Assembly a(120);
  a.kernel.constants[3].assign(reinterpret_cast<const char*>(table.data()), 48);
  a.buffer("out", std::vector<u32>(4)).pointer(4, "out");
  a.lines("UMOV UR4, 0x10\nLDCU.128 UR8, c[0x3][UR4+0x10]\nMOV R8, UR8\nMOV R9, UR9\nMOV R10, UR10\nMOV R11, "
          "UR11\n"
          "STG.E.128 desc[UR4][R4.64], R8\nEXIT");
  ExecutionResult result = a.run(1);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  EXPECT_EQ(a.words("out"), std::vector<u32>(table.begin() + 8, table.end()));
}

// ---- what the module brings

TEST(SassMemory, ModuleVariables) {
  Assembly a;
  a.cubin.globals = std::string("\x07\x00\x00\x00\x08\x00\x00\x00", 8);
  a.buffer("out", {0, 0}).pointer(4, "out");
  a.lines(
      llvm::formatv("MOV R8, {0:x}\nMOV R9, {1:x}", Cubin::kGlobalBase & 0xffffffff, Cubin::kGlobalBase >> 32)
          .str());
  a.lines("LDG.E.64 R10, desc[UR4][R8.64]\nIADD3 R11, R11, 0x1, RZ\nSTG.E desc[UR4][R8.64+0x4], R11\n"
          "LDG.E.64 R12, desc[UR4][R8.64]\nSTG.E.64 desc[UR4][R4.64], R12\nEXIT");
  ExecutionResult result = a.run(1);
  ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
  EXPECT_EQ(a.words("out"), (std::vector<u32>{7, 9}));
}

TEST(SassMemory, ConstantVariablesThroughPointers) {
  for (unsigned sm : kArchs) {
    Assembly a(sm);
    a.kernel.constants[3] = std::string("\x07\x00\x00\x00\x08\x00\x00\x00", 8);
    a.buffer("out", {0}).pointer(4, "out");
    u32 base = sm >= 100 ? 0x120 : sm >= 90 ? 0xd0 : 0x50;
    std::string load = sm >= 90 ? "LDC" : "MOV";
    a.add(llvm::formatv("{0} R8, c[0x0][{1:x}]", load, base))
        .add(llvm::formatv("{0} R9, c[0x0][{1:x}]", load, base + 4));
    a.add("LD.E R10, " + withOffset(global(sm, 8), 4)).add("STG.E " + a.at(4) + ", R10").add("EXIT");
    ExecutionResult result = a.run(1);
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << sm << result.message;
    EXPECT_EQ(a.words("out")[0], 8u);
  }
}

TEST(SassMemory, FencesChangeNothing) {
  Assembly a;
  a.lines("MEMBAR.SC.VC\nMEMBAR.ALL.GPU\nMEMBAR.SC.SYS\nERRBAR\nCGAERRBAR\nEXIT");
  EXPECT_EQ(a.run(32).end, ExecutionEnd::Completed);
}

/// sm_75's other name of 128 bits, and the sum of a pair and a uniform pair (until descriptors came).
TEST(SassMemory, OlderLoads) {
  struct Case {
    const char* load;
    unsigned sm;
    std::uint32_t first;
  };
  for (const Case& c :
       {Case{"LDG.E.U.128.CONSTANT.SYS R8, [R2]", 75, 1}, Case{"LDG.E.128.SYS R8, [R2.64+UR6]", 75, 5},
        Case{"LDG.E.128 R8, [R2.64+UR6]", 80, 5}, Case{"LDG.E.128 R8, [R2.64+UR6+0x10]", 80, 9}}) {
    Assembly a(c.sm);
    a.buffer("in", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}).buffer("out", std::vector<std::uint32_t>(4));
    // The upper words matter: the pair is 2^32 less than the pointer, the uniform pair 2^32 more than 16.
    a.pointer(2, "in").pointer(4, "out").add("UMOV UR6, 0x10").add("UMOV UR7, 0x1");
    if (c.first != 1) a.add("IADD3 R3, R3, -0x1, RZ");
    a.add(c.load).add("STG.E.128 " + a.at(4) + ", R8").add("EXIT");
    ExecutionResult result = a.run(1);
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << c.load << result.message;
    EXPECT_EQ(a.words("out"), (std::vector<std::uint32_t>{c.first, c.first + 1, c.first + 2, c.first + 3}))
        << c.load;
  }
}

} // namespace
} // namespace harness::sass::test

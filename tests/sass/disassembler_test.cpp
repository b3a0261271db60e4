// With an nvdisasm that the test writes itself.

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/sass/disassembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>

namespace harness::sass {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// Prints a word whose low part is 0xKK…AA as the real one would: AA selects the text, "$" in it becomes the
/// number KK… plus the word's address for relative targets, "#" the number alone. Refuses words whose low
/// byte is ff or fe, in other words one whose low byte is fd, and without saying where a word of zeros.
/// Prints nothing for one whose low byte is 51.
constexpr const char* kFake = R"(#!/usr/bin/env python3
import struct, sys
assert sys.argv[1] == '-b' and sys.argv[3] == '-hex', sys.argv
data = open(sys.argv[4], 'rb').read()
words = [struct.unpack_from('<QQ', data, i) for i in range(0, len(data), 16)]
for i, w in enumerate(words):
    if w[0] & 0xff == 0xfd:
        sys.exit("nvdisasm error   : Opclass 'nop_', undefined value 0xe0 for table 'TABLES_opex_1' at address 0x%08x\n\n" % (i * 16))
bad = [i * 16 for i, w in enumerate(words) if w[0] & 0xff in (0xff, 0xfe)]
if bad:
    for address in bad[:2]:
        sys.stderr.write("nvdisasm error   : Unrecognized operation for functional unit 'uC' at address 0x%08x\n" % address)
        sys.stderr.write("nvdisasm error   : Illegal instruction found\n")
    sys.exit(1)
if (0, 0) in words:
    sys.exit('nvdisasm error   : Illegal instruction found')
print('\t.headerflags\t@"EF_CUDA_64BIT_ADDRESS EF_CUDA_%s"' % sys.argv[2])
def hexa(n): return '-0x%x' % -n if n < 0 else '0x%x' % n
TEXTS = {0: 'NOP', 1: '@P0 BRA $', 2: 'BSSY B0, $', 3: 'CALL.REL.NOINC $', 4: 'CALL.ABS.NOINC #', 5: 'RET.REL.NODEC R4 $',
         6: 'RET.ABS.NODEC R4 #', 7: 'WARPSYNC.COLLECTIVE R15, $', 8: 'MOV R2, #', 9: 'IABS R2, R3', 10: '@!P1 BRA.CONV ~URZ, $',
         11: 'JMP #', 12: 'LDG.E R4, [R2.64+#]', 13: 'BRA P0, $', 0x4d: 'EXIT'}
for i, (low, high) in enumerate(words):
    number = struct.unpack('<i', struct.pack('<I', low >> 32))[0]
    if low & 0xff == 0x51:
        print('                             /* 0x%016x */' % low)
        print('                             /* 0x%016x */' % high)
        continue
    text = TEXTS[low & 0xff].replace('$', hexa(number + i * 16)).replace('#', hexa(number))
    print('        /*%04x*/                   %s ;  /* 0x%016x */' % (i * 16, text, low))
    print('                                           /* 0x%016x */' % high)
)";

std::string word(std::uint64_t kind, std::int32_t number = 0, std::uint64_t high = 7) {
  std::uint64_t low = kind | std::uint64_t{static_cast<std::uint32_t>(number)} << 32;
  std::string bytes(16, '\0');
  std::memcpy(bytes.data(), &low, 8);
  std::memcpy(bytes.data() + 8, &high, 8);
  return bytes;
}

class DisassemblerTest : public testing::Test {
protected:
  DisassemblerTest() { write(kFake); }

  void write(const std::string& script) {
    // A name of its own, so that starts can be counted.
    nvdisasm_.program = directory_.path() / (std::string("nvdisasm-") + test_info_->name());
    nvdisasm_.sha256 = "fake";
    writeFileAtomically(nvdisasm_.program, script);
    fs::permissions(nvdisasm_.program, fs::perms::owner_all);
  }
  Disassembler disassembler() {
    ProcessLimits limits;
    limits.wall = std::chrono::seconds(20);
    limits.outputBytes = 1 << 20;
    return {cache_, nvdisasm_, limits};
  }
  std::uint64_t starts() const { return processesStarted(nvdisasm_.program.filename().string()); }
  std::vector<std::string> texts(const std::string& code) {
    std::vector<std::string> texts;
    std::vector<Listing> listings = disassembler().disassemble("sm_90", {code});
    for (const ListedInstruction& one : listings.at(0).instructions)
      texts.push_back(one.illegal ? "!" : one.text);
    return texts;
  }

  const testing::TestInfo* test_info_ = testing::UnitTest::GetInstance()->current_test_info();
  TempDir directory_{"disassembler-test"};
  ArtifactCache cache_{directory_.path() / "cache"};
  Nvdisasm nvdisasm_;
};

TEST_F(DisassemblerTest, OneStartForManyCodes) {
  std::vector<std::string> codes;
  for (int i = 0; i < 50; ++i)
    codes.push_back(word(8, i) + word(0x4d));
  std::vector<Listing> listings = disassembler().disassemble("sm_90a", {codes.begin(), codes.end()});
  ASSERT_EQ(listings.size(), 50u);
  for (std::size_t i = 0; i < 50; ++i) {
    ASSERT_EQ(listings[i].instructions.size(), 2u);
    EXPECT_EQ(listings[i].instructions[0].text, llvm::formatv("MOV R2, {0:x}", i).str());
    EXPECT_EQ(listings[i].instructions[0].low, 8 | std::uint64_t{i} << 32);
    EXPECT_EQ(listings[i].instructions[0].high, 7u);
    EXPECT_EQ(listings[i].instructions[1].text, "EXIT");
  }
  EXPECT_EQ(starts(), 1u);
}

TEST_F(DisassemblerTest, ControlBitsThatNoOpcodeHasAreAnIllegalWord) {
  EXPECT_THAT(texts(word(8, 1) + word(0xfd) + word(0xff) + word(0xfd) + word(0x4d)),
              ElementsAre("MOV R2, 0x1", "!", "!", "!", "EXIT"));
}

TEST_F(DisassemblerTest, EqualCodesAreDecodedOnceAndCachedOnesNotAtAll) {
  std::string one = word(8, 1), two = word(8, 2);
  std::vector<Listing> listings = disassembler().disassemble("sm_90", {one, two, one});
  EXPECT_EQ(listings[0].instructions[0].text, "MOV R2, 0x1");
  EXPECT_EQ(listings[1].instructions[0].text, "MOV R2, 0x2");
  EXPECT_EQ(listings[2].instructions[0].text, "MOV R2, 0x1");
  EXPECT_EQ(starts(), 1u);
  EXPECT_EQ(disassembler().disassemble("sm_90", {two, one})[1].serialize(), listings[0].serialize());
  EXPECT_EQ(starts(), 1u);
  // Another architecture, another nvdisasm: other texts.
  disassembler().disassemble("sm_80", {one});
  EXPECT_EQ(starts(), 2u);
  nvdisasm_.sha256 = "other";
  disassembler().disassemble("sm_90", {one});
  EXPECT_EQ(starts(), 3u);
}

TEST_F(DisassemblerTest, NothingToDecodeStartsNothing) {
  EXPECT_TRUE(disassembler().disassemble("sm_90", {}).empty());
  std::vector<Listing> listings = disassembler().disassemble("sm_90", {"", ""});
  ASSERT_EQ(listings.size(), 2u);
  EXPECT_TRUE(listings[0].instructions.empty());
  EXPECT_EQ(starts(), 0u);
}

/// A code decoded after others reads as if it had been decoded alone.
TEST_F(DisassemblerTest, RelativeTargetsCountFromTheCodesFirstByte) {
  std::string code;
  for (std::uint64_t kind : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
    code += word(kind, 0x100) + word(kind, -0x40);
  std::vector<std::string> alone = texts(code);
  EXPECT_EQ(alone[0], "@P0 BRA 0x100");
  EXPECT_EQ(alone[1], "@P0 BRA -0x30");
  EXPECT_EQ(alone[6], "CALL.ABS.NOINC 0x100");
  EXPECT_EQ(alone[23], "LDG.E R4, [R2.64+-0x40]");
  // Pieces are put together in an order of their own: whichever comes second must be rebased.
  for (int filler = 0; filler < 8; ++filler) {
    nvdisasm_.sha256 = "again " + std::to_string(filler);
    std::string other;
    for (int i = 0; i < 7; ++i)
      other += word(8, filler);
    std::vector<Listing> both = disassembler().disassemble("sm_90", {other, code});
    for (std::size_t i = 0; i < alone.size(); ++i)
      EXPECT_EQ(both[1].instructions[i].text, alone[i]);
    EXPECT_EQ(both[0].instructions[6].text, llvm::formatv("MOV R2, {0:x}", filler).str());
  }
}

TEST_F(DisassemblerTest, ZerosAreIllegal) {
  std::string zeros(16, '\0');
  EXPECT_THAT(texts(zeros + word(9) + word(0xff) + zeros), ElementsAre("!", "IABS R2, R3", "!", "!"));
}

/// A word that nvdisasm accepts and prints nothing for is an instruction, though nobody knows which.
TEST_F(DisassemblerTest, UnprintedWords) {
  EXPECT_THAT(texts(word(9) + word(0x51) + word(0x4d)), ElementsAre("IABS R2, R3", "(unprinted)", "EXIT"));
}

TEST_F(DisassemblerTest, IllegalWordsAreSteppedOver) {
  std::string bad =
      word(8, 1) + word(0xff) + word(8, 3) + word(0xff) + word(0xfe) + word(0xff) + word(1, 0x20);
  EXPECT_THAT(texts(bad),
              testing::ElementsAre("MOV R2, 0x1", "!", "MOV R2, 0x3", "!", "!", "!", "@P0 BRA 0x80"));
  std::uint64_t first = starts();
  EXPECT_LE(first, 3u) << "two addresses are named at a time";
  Listing again = disassembler().disassemble("sm_90", {bad})[0];
  EXPECT_EQ(starts(), first);
  EXPECT_TRUE(again.instructions[1].illegal);
  EXPECT_EQ(again.instructions[1].low, 0xffu) << "the word itself is kept";
}

TEST_F(DisassemblerTest, NoMachineCode) {
  std::string bytes;
  for (int i = 0; i < 300; ++i)
    bytes += word(0xff, i);
  // All named at once, so that this is quick.
  std::string script = kFake;
  script.replace(script.find("bad[:2]"), 7, "bad");
  write(script);
  try {
    texts(bytes);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    EXPECT_THAT(error.what(), HasSubstr("no machine code?"));
  }
}

TEST_F(DisassemblerTest, BadArguments) {
  EXPECT_THROW(disassembler().disassemble("sm_90", {"15 bytes of code"
                                                    "!"}),
               Error);
  EXPECT_THROW(disassembler().disassemble("compute_90", {word(0)}), Error);
  EXPECT_THROW(disassembler().disassemble("", {}), Error);
  EXPECT_EQ(starts(), 0u);
}

/// Whatever nvdisasm does wrong is an environment error, and nothing of it is remembered.
TEST_F(DisassemblerTest, WhatCannotBeReadIsAnError) {
  const std::string line = "echo '        /*0000*/  EXIT ;  /* 0x000000000000004d */'\n";
  const std::string high = "echo '        /* 0x0000000000000007 */'\n";
  const struct {
    const char* name;
    std::string script;
    const char* message;
  } kCases[] = {
      {"silent", "", "could not be read"},
      {"garbage", "echo ';;; /* */ 0x'", "could not be read"},
      {"one instruction too few", line, "could not be read"},
      {"one too many", line + high + line + high, "could not be read"},
      {"another low word", "echo '  /*0000*/  EXIT ;  /* 0x000000000000004e */'\n" + high,
       "could not be read"},
      {"another high word", line + "echo '        /* 0x0000000000000008 */'", "could not be read"},
      {"a word cut short", "echo '  /*0000*/  EXIT ;  /* 0x4d'\n" + high, "could not be read"},
      {"no text", "echo '  /*0000*/   ;  /* 0x000000000000004d */'\n" + high, "could not be read"},
      {"a number without end",
       "echo '  /*0000*/  EXIT ;  /* 0x1000000000000000000000000000000004d */'\n" + high,
       "could not be read"},
      {"crash", line + high + "kill -SEGV $$", "killed by signal 11"},
      {"failure", "echo 'no such architecture' >&2; exit 3", "no such architecture"},
      {"another arch",
       "echo \"nvdisasm fatal   : Value 'SM90' is not defined for option 'binary'\" >&2; exit 1",
       "does not know the architecture SM90"},
      {"refusal without an address", "echo 'Illegal instruction found' >&2; exit 1",
       "without naming the word"},
      {"refusal of what is not there", "echo 'Illegal instruction found at address 0x1000' >&2; exit 1",
       "without naming the word"},
      {"refusal of the same word for ever", "echo 'Illegal instruction found at address 0x0' >&2; exit 1",
       "without naming the word"},
  };
  for (const auto& one : kCases) {
    write("#!/bin/sh\n" + one.script + "\n");
    try {
      disassembler().disassemble("sm_90", {word(0x4d)});
      ADD_FAILURE() << one.name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Environment) << one.name;
      EXPECT_THAT(error.what(), HasSubstr(one.message)) << one.name;
      EXPECT_LT(std::strlen(error.what()), 2000u) << one.name;
    }
  }
  write("#!/bin/sh\n" + line + high);
  EXPECT_EQ(texts(word(0x4d)), std::vector<std::string>{"EXIT"});
}

TEST_F(DisassemblerTest, Limits) {
  auto failure = [this](const std::string& script, std::chrono::milliseconds wall) -> std::string {
    write("#!/bin/sh\n" + script + "\n");
    ProcessLimits limits;
    limits.wall = wall;
    limits.outputBytes = 1 << 20;
    try {
      Disassembler(cache_, nvdisasm_, limits).disassemble("sm_90", {word(0x4d)});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Environment);
      return error.what();
    }
    return "no error";
  };
  auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(failure("sleep 60", std::chrono::milliseconds(300)), HasSubstr("timed out"));
  EXPECT_THAT(failure("yes", std::chrono::seconds(20)), HasSubstr("printed more than its limit"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
}

TEST_F(DisassemblerTest, MissingProgram) {
  nvdisasm_.program = directory_.path() / "nowhere";
  try {
    texts(word(0x4d));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Environment);
    EXPECT_THAT(error.what(), HasSubstr("nowhere"));
  }
}

} // namespace
} // namespace harness::sass

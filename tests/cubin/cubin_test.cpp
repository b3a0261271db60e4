#include "harness/base/error.h"
#include "harness/cubin/cubin.h"

#include "tests/cubin/test_data.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace harness {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

Cubin parseTest(std::string_view name) {
  return Cubin::parse(testCubin(name), name);
}

std::string hex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned char byte : bytes)
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

/// One instruction's bytes at `offset` of the section `name`.
std::string instruction(const Cubin& cubin, std::string_view name, std::uint64_t offset) {
  for (const CodeSection& section : cubin.sections)
    if (section.name == name) return hex(cubin.sectionCode(section).substr(offset, 16));
  return "no such section";
}

std::uint64_t word64(const Cubin& cubin, std::uint64_t address) {
  std::uint64_t value = 0;
  std::memcpy(&value, cubin.globals.data() + (address - Cubin::kGlobalBase), sizeof value);
  return value;
}

std::uint64_t variable(const Cubin& cubin, std::string_view name) {
  for (const GlobalVariable& candidate : cubin.variables)
    if (candidate.name == name) return candidate.address;
  ADD_FAILURE() << "no variable " << name;
  return Cubin::kGlobalBase;
}

/// What `ptxas -v` printed when the cubins were made:
///   11.8.89 sm_75:   Used 10 registers, 132 bytes smem, 376 bytes cmem[0]
///   12.9.86 sm_90, 13.0.88 sm_120a, 13.5.37 sm_100a:   Used 12 registers, used 1 barriers, 132 bytes smem
/// Code sizes and exits as nvdisasm shows them; the parameters start where the code reads them.
struct Expected {
  const char* file;
  unsigned sm, registers;
  std::uint32_t shared, codeSize, exit;
  std::uint16_t paramBase;
};

void PrintTo(const Expected& expected, std::ostream* out) {
  *out << expected.file;
}

class Scale : public testing::TestWithParam<Expected> {};

TEST_P(Scale, HasTheAttributesThatPtxasPrinted) {
  const Expected& expected = GetParam();
  Cubin cubin = parseTest(expected.file);
  EXPECT_EQ(cubin.smVersion, expected.sm);
  EXPECT_THAT(cubin.kernelNames(), ElementsAre("scale"));
  ASSERT_TRUE(cubin.find("scale"));
  EXPECT_FALSE(cubin.find("scal"));
  const Kernel& kernel = *cubin.find("scale");
  EXPECT_EQ(kernel.registers, expected.registers);
  EXPECT_EQ(kernel.barriers, 1u);
  EXPECT_EQ(kernel.staticShared, expected.shared);
  EXPECT_EQ(kernel.frameSize, 0u);
  EXPECT_EQ(kernel.codeSize, expected.codeSize);
  EXPECT_THAT(kernel.exitOffsets, ElementsAre(expected.exit));
  EXPECT_EQ(kernel.paramBase, expected.paramBase);
  EXPECT_EQ(kernel.paramSize, 0x18);
  EXPECT_EQ(kernel.constant0.size(), expected.paramBase + 0x18u);
  std::vector<std::vector<std::uint32_t>> params;
  for (const KernelParam& param : kernel.params)
    params.push_back({param.ordinal, param.offset, param.size});
  EXPECT_THAT(params, ElementsAre(ElementsAre(0, 0, 8), ElementsAre(1, 8, 8), ElementsAre(2, 16, 4),
                                  ElementsAre(3, 20, 1), ElementsAre(4, 22, 2)));
  EXPECT_EQ(kernel.unsupported, "");
}

TEST_P(Scale, HasItsCodeUnchanged) {
  std::string file = testCubin(GetParam().file);
  Cubin cubin = Cubin::parse(file, GetParam().file);
  ASSERT_EQ(cubin.sections.size(), 1u);
  EXPECT_EQ(cubin.sections[0].name, ".text.scale");
  EXPECT_EQ(cubin.sections[0].address % 128, 0u);
  EXPECT_EQ(cubin.find("scale")->entry, cubin.sections[0].address);
  EXPECT_THAT(file, HasSubstr(std::string(cubin.sectionCode(cubin.sections[0]))));
  EXPECT_THAT(cubin.relocations, IsEmpty());
  EXPECT_THAT(cubin.unsupportedWords, IsEmpty());
  EXPECT_THAT(cubin.externals, IsEmpty());
  EXPECT_EQ(cubin.globals, "");
}

INSTANTIATE_TEST_SUITE_P(
    Toolchains, Scale,
    testing::Values(Expected{"scale-11.8.89-sm_75", 75, 10, 132, 0x180, 0x120, 0x160},
                    Expected{"scale-12.9.86-sm_90", 90, 12, 0x400 + 132, 0x280, 0x1a0, 0x210},
                    Expected{"scale-13.0.88-sm_120a", 120, 12, 0x400 + 132, 0x280, 0x190, 0x380},
                    Expected{"scale-13.5.37-sm_100a", 100, 12, 0x400 + 132, 0x280, 0x190, 0x380}));

TEST(Cubin, EveryFunctionOfADebugBuildIsLaidOut) {
  Cubin cubin = parseTest("calls-13.0.88-sm_120a-g");
  ASSERT_EQ(cubin.sections.size(), 2u);
  EXPECT_EQ(cubin.sections[0].name, ".text.calls");
  EXPECT_EQ(cubin.sections[0].address, 0x80u);
  EXPECT_EQ(cubin.sections[0].size, 0xd00u);
  EXPECT_EQ(cubin.sections[1].name, ".text._Z5twicei");
  EXPECT_EQ(cubin.sections[1].address, 0xd80u);
  EXPECT_THAT(cubin.kernelNames(), ElementsAre("calls"));
  EXPECT_THAT(cubin.externals, ElementsAre(Pair(0x10000000000, "vprintf")));
  EXPECT_THAT(cubin.unsupportedWords, IsEmpty());
}

// The words of the file are 0x…02 78 rr 00 00000000… and 43 79 00 00 00000000 0000c003 00de3f00; the
// addresses that go into them, and their bits, were worked out by hand.
TEST(Cubin, CodeIsRelocatedOnSm120) {
  Cubin cubin = parseTest("calls-13.0.88-sm_120a-g");
  EXPECT_EQ(instruction(cubin, ".text.calls", 0x1e0),
            "437960000c0000000000c00300de3f00"); // CALL.ABS twice: 0xd80
  EXPECT_EQ(instruction(cubin, ".text.calls", 0x180),
            "43790000000000000100c00300de3f00"); // CALL.ABS vprintf: 1<<40
  EXPECT_EQ(instruction(cubin, ".text.calls", 0x1c0),
            "0278140070020000000f000000de3f00"); // return to 0x80 + 0x1f0
  EXPECT_EQ(instruction(cubin, ".text.calls", 0x1d0), "0278150000000000000f000000de3f00");
  EXPECT_EQ(instruction(cubin, ".text.calls", 0xb80),
            "0278020000010000000f000000de3f00"); // counter: 0x7f4000000100
  EXPECT_EQ(instruction(cubin, ".text.calls", 0xb90), "02780300407f0000000f000000de3f00");
}

// Types up to sm_89, and SHT_REL sections.
TEST(Cubin, CodeIsRelocatedOnSm75) {
  Cubin cubin = parseTest("calls-13.0.88-sm_75-g");
  EXPECT_EQ(cubin.smVersion, 75u);
  EXPECT_EQ(instruction(cubin, ".text.calls", 0x210),
            "43790000802000000000c00300de3f00"); // CALL.ABS twice: 0x2080
  EXPECT_EQ(instruction(cubin, ".text.calls", 0x1d0),
            "43790000000000000001c00300de3f00"); // CALL.ABS vprintf: 1<<40
  EXPECT_EQ(instruction(cubin, ".text.calls", 0x1f0),
            "02781400a0020000000f000000de3f00"); // return to 0x80 + 0x220
}

// Optimised code of the older ptxas holds addresses too (newer ones use bank 4); 12.0 links its relocation
// sections to a wrong table.
TEST(Cubin, OptimisedCodeOfPtxas120IsRelocated) {
  Cubin cubin = parseTest("calls-12.0.76-sm_90");
  EXPECT_EQ(cubin.smVersion, 90u);
  EXPECT_EQ(cubin.find("calls")->minStackSize, 8u);
  EXPECT_EQ(cubin.relocations.size(), 17u);
  EXPECT_EQ(instruction(cubin, ".text.calls", 0xb0),
            "43790000000000000100c00300ea1f00"); // CALL.ABS vprintf: 1<<40
  EXPECT_EQ(instruction(cubin, ".text.calls", 0x130),
            "82780400200000000000000000e20f00"); // entry: 0x7f4000000020
  EXPECT_EQ(instruction(cubin, ".text.calls", 0x150), "82780500407f00000000000000e20f00");
  EXPECT_EQ(word64(cubin, variable(cubin, "middle")), variable(cubin, "base") + 8);
}

TEST(Cubin, GlobalsAreRelocated) {
  for (const char* name : {"calls-13.0.88-sm_120a-g", "calls-13.0.88-sm_75-g"}) {
    SCOPED_TRACE(name);
    Cubin cubin = parseTest(name);
    std::uint64_t base = variable(cubin, "base");
    EXPECT_EQ(word64(cubin, base), 0x140000000aull);
    EXPECT_EQ(word64(cubin, variable(cubin, "middle")), base + 8);
    EXPECT_EQ(word64(cubin, variable(cubin, "fixed")), Cubin::kConstantBase + 4);
    EXPECT_EQ(cubin.globals.at(variable(cubin, "entry") - Cubin::kGlobalBase), 7);
    EXPECT_EQ(word64(cubin, variable(cubin, "entry") + 1), cubin.sections.at(1).address);
    EXPECT_EQ(cubin.globals.substr(variable(cubin, "$str") - Cubin::kGlobalBase, 10),
              std::string("negative\n", 10));
    EXPECT_EQ(word64(cubin, variable(cubin, "counter")) & 0xffffffff, 0u);
    EXPECT_THAT(cubin.find("calls")->constants, ElementsAre(Pair(3u, std::string("\3\0\0\0\5\0\0\0", 8))));
  }
}

/// A RELA entry's first sixteen bytes.
std::string relocationEntry(std::uint64_t offset, std::uint32_t type, std::uint32_t symbol) {
  std::string entry(16, '\0');
  std::memcpy(entry.data(), &offset, 8);
  std::memcpy(entry.data() + 8, &type, 4);
  std::memcpy(entry.data() + 12, &symbol, 4);
  return entry;
}

TEST(Cubin, AnUnknownRelocationMarksItsInstruction) {
  std::string file = testCubin("calls-13.0.88-sm_120a-g");
  constexpr std::uint32_t kTwice = 15; // its symbol
  Cubin cubin = Cubin::parse(
      patched(file, relocationEntry(0x1e0, 75, kTwice), relocationEntry(0x1e0, 1234, kTwice)), "patched");
  EXPECT_THAT(cubin.unsupportedWords,
              ElementsAre(Pair(0x80 + 0x1e0, HasSubstr("type 1234 at .text.calls+0x1e0 was not applied"))));
  EXPECT_EQ(cubin.find("calls")->unsupported, "");
  EXPECT_NE(cubin.imageHash(cubin.kernels[0]), Cubin::parse(file, "").imageHash(cubin.kernels[0]));
}

TEST(Cubin, AnUnknownRelocationOfDataMarksTheKernel) {
  std::string file = testCubin("calls-13.0.88-sm_120a-g");
  constexpr std::uint32_t kTwice = 15;
  Cubin cubin = Cubin::parse(
      patched(file, relocationEntry(0x28, 83, kTwice), relocationEntry(0x28, 102, kTwice)), "patched");
  EXPECT_THAT(cubin.find("calls")->unsupported, HasSubstr("type 102 at .nv.global.init+0x28"));
}

TEST(Cubin, AKernelWithParametersMustSayWhereTheyAre) {
  std::string file = testCubin("scale-12.9.86-sm_90");
  std::string parameterBank("\x04\x0a\x08\x00", 4), unknown("\x04\xfe\x08\x00", 4);
  try {
    Cubin::parse(patched(file, parameterBank, unknown), "case@12.9.86/sm_90/O3");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "case@12.9.86/sm_90/O3: kernel 'scale' has parameters but does not say where "
                               "(EIATTR_PARAM_CBANK)");
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
  }
}

TEST(Cubin, TheImageHashCoversCodeBanksAndGlobals) {
  std::string file = testCubin("calls-13.0.88-sm_120a-g");
  auto hash = [](const std::string& bytes) {
    Cubin cubin = Cubin::parse(bytes, "test");
    return cubin.imageHash(cubin.kernels.at(0));
  };
  std::string original = hash(file);
  EXPECT_EQ(original.size(), 64u);
  EXPECT_EQ(hash(file), original);
  // base[1], weight[1], the format string, the call's control word
  EXPECT_NE(hash(patched(file, {"\x0a\0\0\0\x14\0\0\0", 8}, {"\x0a\0\0\0\x15\0\0\0", 8})), original);
  EXPECT_NE(hash(patched(file, {"\3\0\0\0\5\0\0\0", 8}, {"\3\0\0\0\6\0\0\0", 8})), original);
  EXPECT_NE(hash(patched(file, {"negative\n", 10}, {"Negative\n", 10})), original);
}

} // namespace
} // namespace harness

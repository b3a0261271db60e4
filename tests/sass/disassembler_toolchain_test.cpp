// With the installed nvdisasm (label `toolchain`): a missing one is a failure.

#include "harness/base/artifact_cache.h"
#include "harness/base/files.h"
#include "harness/cubin/cubin.h"
#include "harness/sass/binder.h"
#include "harness/sass/disassembler.h"
#include "harness/sass/executor.h"

#include "tests/compile/toolchains.h"
#include <gtest/gtest.h>

#include <cstring>

namespace harness::sass {
namespace {

class DisassemblerToolchainTest : public testing::Test {
protected:
  static Cubin cubin(const std::string& name) {
    return Cubin::parse(readFile(std::filesystem::path(CUBIN_TEST_DATA) / (name + ".cubin")), name);
  }
  /// "scale-13.0.88-sm_120a" → "sm_120a"
  static std::string arch(const std::string& name) {
    std::string rest = name.substr(name.find("sm_"));
    return rest.substr(0, rest.find('-'));
  }
  static std::vector<std::string_view> codes(const Cubin& cubin) {
    std::vector<std::string_view> codes;
    for (const CodeSection& section : cubin.sections)
      codes.push_back(cubin.sectionCode(section));
    return codes;
  }
  /// Every one decoded in a start of its own.
  std::vector<Listing> alone(const std::string& arch, const std::vector<std::string_view>& codes) {
    ArtifactCache cache(directory_.path() / "alone");
    Disassembler disassembler(cache, nvdisasm_, {});
    std::vector<Listing> listings;
    for (std::string_view code : codes)
      listings.push_back(disassembler.disassemble(arch, {code})[0]);
    return listings;
  }

  static constexpr const char* kCubins[] = {
      "scale-11.8.89-sm_75", "scale-12.9.86-sm_90",   "scale-13.0.88-sm_120a",  "scale-13.5.37-sm_100a",
      "calls-12.0.76-sm_90", "calls-13.0.88-sm_75-g", "calls-13.0.88-sm_120a-g"};

  TempDir directory_{"disassembler-toolchain-test"};
  ArtifactCache cache_{directory_.path() / "cache"};
  Nvdisasm nvdisasm_ = test::installedToolchains().nvdisasm();
};

/// Decoded together, each code reads as it does alone, branch targets included; and none is refused.
TEST_F(DisassemblerToolchainTest, TogetherAsAlone) {
  for (const std::string name : kCubins) {
    Cubin one = cubin(name);
    std::vector<std::string_view> all = codes(one);
    std::string filler(all[0].substr(0, 16)); // so that not even the first one starts at 0
    std::vector<Listing> want = alone(arch(name), all);
    all.push_back(filler);
    std::vector<Listing> got = Disassembler(cache_, nvdisasm_, {}).disassemble(arch(name), all);
    for (std::size_t i = 0; i < want.size(); ++i) {
      EXPECT_EQ(got[i].serialize(), want[i].serialize()) << name << " " << one.sections[i].name;
      EXPECT_EQ(Listing::parse(got[i].serialize()).serialize(), got[i].serialize());
      EXPECT_EQ(got[i].instructions.size() * 16, one.sections[i].size);
      for (const ListedInstruction& instruction : got[i].instructions) {
        EXPECT_FALSE(instruction.illegal);
        EXPECT_TRUE(parseInstruction(instruction.text)) << instruction.text;
      }
    }
  }
}

TEST_F(DisassemblerToolchainTest, WordsAreThoseOfTheCode) {
  Cubin one = cubin("scale-13.0.88-sm_120a");
  std::string code(one.sectionCode(one.sections[0]));
  std::string back;
  Listing listing = Disassembler(cache_, nvdisasm_, {}).disassemble("sm_120a", {code})[0];
  for (const ListedInstruction& instruction : listing.instructions) {
    back.append(reinterpret_cast<const char*>(&instruction.low), 8);
    back.append(reinterpret_cast<const char*>(&instruction.high), 8);
  }
  EXPECT_EQ(back, code);
}

TEST_F(DisassemblerToolchainTest, StartsOnceAnArch) {
  std::string program = nvdisasm_.program.filename().string();
  std::uint64_t before = processesStarted(program);
  Cubin one = cubin("calls-13.0.88-sm_75-g");
  Disassembler disassembler(cache_, nvdisasm_, {});
  disassembler.disassemble("sm_75", codes(one));
  EXPECT_EQ(processesStarted(program), before + 1);
  disassembler.disassemble("sm_75", codes(one));
  EXPECT_EQ(processesStarted(program), before + 1);
}

/// The word that a refused one is replaced with is EXIT on every architecture, and the real refusals name
/// addresses as expected.
TEST_F(DisassemblerToolchainTest, IllegalWords) {
  std::string exit(16, '\0'), illegal(16, '\xff');
  const std::uint64_t kExit[2] = {0x000000000000794d, 0x000fea0003800000};
  std::memcpy(exit.data(), kExit, 16);
  for (const char* arch : {"sm_75", "sm_80", "sm_89", "sm_90a", "sm_100a", "sm_110", "sm_121"}) {
    std::string code = exit + illegal + exit + illegal + illegal + exit;
    Listing listing = Disassembler(cache_, nvdisasm_, {}).disassemble(arch, {code})[0];
    ASSERT_EQ(listing.instructions.size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) {
      bool legal = i == 0 || i == 2 || i == 5;
      EXPECT_EQ(listing.instructions[i].illegal, !legal) << arch << i;
      EXPECT_EQ(listing.instructions[i].text, legal ? "EXIT" : "") << arch << i;
    }
  }
}

/// Zeros, as a damaged or padded section has them: nvdisasm refuses them without saying where.
TEST_F(DisassemblerToolchainTest, Zeros) {
  Cubin one = cubin("scale-12.9.86-sm_90");
  std::string code =
      std::string(32, '\0') + std::string(one.sectionCode(one.sections[0])) + std::string(16, '\0');
  Listing listing = Disassembler(cache_, nvdisasm_, {}).disassemble("sm_90", {code})[0];
  std::size_t count = listing.instructions.size();
  ASSERT_EQ(count * 16, code.size());
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_EQ(listing.instructions[i].illegal, i < 2 || i == count - 1) << i;
}

/// data/scale.cu, as four toolchains compiled it for four architectures.
TEST_F(DisassemblerToolchainTest, ExecutesRealCode) {
  for (const std::string name :
       {"scale-11.8.89-sm_75", "scale-12.9.86-sm_90", "scale-13.0.88-sm_120a", "scale-13.5.37-sm_100a"}) {
    auto image = std::make_shared<const Cubin>(cubin(name));
    Program program(image, Disassembler(cache_, nvdisasm_, {}).disassemble(arch(name), codes(*image)));
    GlobalMemory memory;
    auto out = memory.allocate("out", 128, std::byte{0xAA});
    auto in = memory.allocate("in", 128, std::byte{0});
    std::vector<float> values;
    for (int i = 0; i < 32; ++i)
      values.push_back(0.37f * static_cast<float>(i * i) - 11.0f);
    std::memcpy(in.host, values.data(), 128);
    Launch launch;
    launch.block = {32, 1, 1};
    auto argument = [&launch](auto value) {
      std::memcpy(launch.args.emplace_back(sizeof value).data(), &value, sizeof value);
    };
    argument(out.address);
    argument(in.address);
    argument(1.7f);
    argument(static_cast<unsigned char>(200));
    argument(static_cast<short>(-7));
    ExecutionResult result = execute(program, *image->find("scale"), launch, memory, {});
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << name << ": " << result.message;
    for (std::size_t i = 0; i < 32; ++i) {
      float got = 0;
      std::memcpy(&got, memory.bytes("out").data() + 4 * i, 4);
      EXPECT_EQ(got, values[31 - i] * 1.7f + -1400.0f) << name << " " << i;
    }
  }
}

} // namespace
} // namespace harness::sass

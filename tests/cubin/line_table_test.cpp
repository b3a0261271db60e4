#include "harness/base/error.h"
#include "harness/cubin/elf_view.h"
#include "harness/cubin/line_table.h"

#include "tests/cubin/test_data.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace harness {
namespace {

std::vector<std::uint32_t> linesOf(const std::string& bytes) {
  return ptxLines(bytes, Cubin::parse(bytes, "t"), "t");
}

TEST(LineTable, EveryInstructionOfDebugCodeHasItsLine) {
  for (const char* file : {"calls-13.0.88-sm_120a-g", "calls-13.0.88-sm_75-g"}) {
    std::string bytes = testCubin(file);
    Cubin cubin = Cubin::parse(bytes, file);
    std::vector<std::uint32_t> lines = linesOf(bytes);
    ASSERT_EQ(lines.size(), cubin.code.size() / 16) << file;
    std::vector<std::uint32_t> firstLines;
    for (const CodeSection& section : cubin.sections) {
      EXPECT_GT(lines[section.address / 16], 0u) << section.name;
      firstLines.push_back(lines[section.address / 16]);
    }
    std::sort(firstLines.begin(), firstLines.end());
    EXPECT_EQ(std::adjacent_find(firstLines.begin(), firstLines.end()), firstLines.end())
        << "each function begins on a line of its own: its addresses are relocated";
    EXPECT_EQ(lines[0], 0u) << "no code lies there";
  }
}

TEST(LineTable, WithoutLineinfoThereIsNone) {
  EXPECT_TRUE(linesOf(testCubin("scale-13.0.88-sm_120a")).empty());
}

TEST(LineTable, DamagedTablesAreErrorsOrHarmless) {
  std::string bytes = testCubin("calls-13.0.88-sm_75-g");
  Cubin cubin = Cubin::parse(bytes, "t");
  ElfView elf = ElfView::read(bytes, "t");
  auto section = std::find_if(elf.sections.begin(), elf.sections.end(),
                              [](const ElfSection& one) { return one.name == ElfView::kLineSection; });
  ASSERT_NE(section, elf.sections.end());
  std::size_t begin = static_cast<std::size_t>(section->contents.data() - bytes.data());
  for (std::size_t at = 0; at < section->contents.size(); ++at)
    for (char flip : {'\x01', '\x80', '\xff'}) {
      std::string damaged = bytes;
      damaged[begin + at] = static_cast<char>(damaged[begin + at] ^ flip);
      try {
        EXPECT_EQ(ptxLines(damaged, cubin, "t").size(), cubin.code.size() / 16);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
      }
    }
}

} // namespace
} // namespace harness

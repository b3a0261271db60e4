#include "harness/report/side_by_side.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace harness {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

CodeSide code(const std::vector<std::string>& texts) {
  CodeSide side;
  for (const std::string& text : texts)
    side.code.instructions.push_back({0, 0x000fea0000000000, text, false});
  return side;
}

std::string render(const CodeSide& left, const CodeSide& right, const SideBySideOptions& options = {}) {
  return renderSideBySide(left, right, options);
}

TEST(SideBySide, Equal) {
  EXPECT_EQ(render(code({"MOV R1, R2", "EXIT"}), code({"MOV R1, R2", "EXIT"})), "no difference\n");
  EXPECT_EQ(render({}, {}, {.full = true}), "no difference\n");
}

TEST(SideBySide, EveryMark) {
  CodeSide left = code({"S2R R0, SR_TID.X", "NOP", "MUFU.RCP R0, R0", "MOV R2, R0", "MOV R3, RZ", "EXIT"});
  CodeSide right = code({"S2R R4, SR_TID.X", "NOP", "FADD R4, R4, R4", "MOV R2, R4", "EXIT", "NOP"});
  right.code.instructions[1].high |= std::uint64_t{1} << 52;
  EXPECT_EQ(render(left, right, {.full = true}),
            "0000 S2R R0, SR_TID.X B------:R-:W-:-:S05 = 0000 S2R R4, SR_TID.X B------:R-:W-:-:S05\n"
            "0010 NOP              B------:R-:W-:-:S05 ~ 0010 NOP              B0-----:R-:W-:-:S05\n"
            "0020 MUFU.RCP R0, R0  B------:R-:W-:-:S05 | 0020 FADD R4, R4, R4  B------:R-:W-:-:S05\n"
            "0030 MOV R2, R0       B------:R-:W-:-:S05 = 0030 MOV R2, R4       B------:R-:W-:-:S05\n"
            "0040 MOV R3, RZ       B------:R-:W-:-:S05 <\n"
            "0050 EXIT             B------:R-:W-:-:S05   0040 EXIT             B------:R-:W-:-:S05\n"
            "                                          > 0050 NOP              B------:R-:W-:-:S05\n"
            "1 different, 1 only left, 1 only right, 1 with another control word; 2 equal on renamed "
            "registers\n");
}

TEST(SideBySide, WithoutControlWords) {
  CodeSide left = code({"NOP", "EXIT"}), right = left;
  right.code.instructions[0].high |= std::uint64_t{1} << 52;
  EXPECT_THAT(render(left, right), StartsWith("0000 NOP  B------:R-:W-:-:S05 ~ 0000 NOP  B0-----"));
  EXPECT_EQ(render(left, right, {.control = false}), "no difference\n");
  EXPECT_EQ(render(left, right, {.full = true, .control = false}),
            "0000 NOP    0000 NOP\n0010 EXIT   0010 EXIT\nno difference\n");
}

TEST(SideBySide, OnlyAroundDifferences) {
  std::vector<std::string> texts, other;
  for (int i = 0; i < 20; ++i) {
    texts.push_back("MOV R" + std::to_string(i) + ", 0x" + std::to_string(i));
    other.push_back("MOV R" + std::to_string(i == 15 ? 99 : i) + ", 0x" + std::to_string(i));
  }
  other[10] = "EXIT";
  std::string text = render(code(texts), code(other));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10) << text;
  EXPECT_THAT(text, StartsWith("… 7 equal\n0070 MOV R7, 0x7 "));
  EXPECT_THAT(text, HasSubstr(" | 00a0 EXIT "));
  EXPECT_THAT(text, EndsWith("… 6 equal, 1 of them on renamed registers\n"
                             "1 different; 1 equal on renamed registers\n"));
}

TEST(SideBySide, ColoursOnlyIfAskedFor) {
  CodeSide left = code({"MOV R1, 0x1"}), right = code({"MOV R1, 0x2"});
  EXPECT_THAT(render(left, right), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(render(left, right, {.color = true}), HasSubstr("\x1b["));
}

TEST(SideBySide, LinesOfPtxStandAboveWhatCameFromThem) {
  CodeSide left = code({"MOV R1, 0x1", "MOV R2, 0x2", "EXIT"}), right = code({"MOV R1, 0x1", "EXIT"});
  left.ptx = {"7: mov.u32 %r1, 1;", "7: mov.u32 %r1, 1;", "9: ret;"};
  right.ptx = {"5: mov.u32 %r1, 1;", ""};
  EXPECT_EQ(render(left, right, {.full = true, .control = false}),
            "     7: mov.u32 %r1, 1;        5: mov.u32 %r1, 1;\n"
            "0000 MOV R1, 0x1          0000 MOV R1, 0x1\n"
            "0010 MOV R2, 0x2        <\n"
            "     9: ret;\n"
            "0020 EXIT                 0010 EXIT\n"
            "1 only left\n");
}

TEST(SideBySide, Json) {
  CodeSide left = code({"S2R R0, SR_TID.X", "EXIT"}), right = code({"S2R R4, SR_TID.X"});
  left.ptx = {"7: mov.u32 %r1, %tid.x;", ""};
  left.code.instructions[1].illegal = true;
  nlohmann::ordered_json lines = sideBySideJson(left, right);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["kind"], "renamed");
  EXPECT_EQ(lines[0]["renamed"].dump(), R"({"R0":"R4"})");
  EXPECT_EQ(lines[0]["left"].dump(),
            R"({"address":0,"text":"S2R R0, SR_TID.X","control":{"wait":[],"read_barrier":null,)"
            R"("write_barrier":null,"yield":false,"stall":5},"ptx":"7: mov.u32 %r1, %tid.x;"})");
  EXPECT_EQ(lines[0]["right"]["ptx"], nullptr);
  EXPECT_EQ(lines[1]["kind"], "left");
  EXPECT_EQ(lines[1]["left"]["text"], nullptr);
  EXPECT_EQ(lines[1]["right"], nullptr);
}

} // namespace
} // namespace harness

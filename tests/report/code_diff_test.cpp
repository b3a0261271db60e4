#include "harness/report/code_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

sass::Listing code(const std::vector<std::string>& texts) {
  sass::Listing listing;
  for (const std::string& text : texts)
    listing.instructions.push_back({0, 0x000fea0000000000, text, false});
  return listing;
}

/// A letter a line: s same, r renamed, v other value, c changed, < and >.
std::string kinds(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  std::string text;
  for (const DiffLine& line : diffCode(code(left), code(right)))
    text += "srvc<>"[static_cast<int>(line.kind)];
  return text;
}

TEST(CodeDiff, Alignment) {
  EXPECT_EQ(kinds({}, {}), "");
  EXPECT_EQ(kinds({"NOP"}, {}), "<");
  EXPECT_EQ(kinds({}, {"NOP"}), ">");
  EXPECT_EQ(kinds({"NOP", "EXIT"}, {"NOP", "MOV R1, 0x1", "EXIT"}), "s>s");
  EXPECT_EQ(kinds({"MOV R1, 0x1", "EXIT"}, {"MOV R1, 0x2", "EXIT"}), "cs") << "the same opcode";
  EXPECT_EQ(kinds({"NOP", "MUFU.RCP R0, R1", "EXIT"}, {"NOP", "FADD R0, R1, R1", "EXIT"}), "scs")
      << "nothing in common, but in the same place";
}

TEST(CodeDiff, TheSameOpcodeIsPreferredToWhatStandsThere) {
  std::vector<DiffLine> lines = diffCode(
      code({"LDC R1, c[0x0][0x28]", "LDG.E R2, [R4.64]", "EXIT"}),
      code({"LDC R1, c[0x0][0x37c]", "LDC.64 R4, c[0x0][0x380]", "LDG.E R2, desc[UR4][R4.64]", "EXIT"}));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[2].left, 1u) << "of another architecture";
  EXPECT_EQ(lines[2].right, 2u);
}

TEST(CodeDiff, RegistersRenamed) {
  std::vector<DiffLine> lines =
      diffCode(code({"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x4, RZ", "STG.E [R2.64], R0", "EXIT"}),
               code({"S2R R5, SR_TID.X", "IMAD.WIDE R8, R5, 0x4, RZ", "STG.E [R8.64], R5", "EXIT"}));
  ASSERT_EQ(lines.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(lines[i].kind, DiffKind::Renamed) << i;
  EXPECT_THAT(lines[2].renamed, ElementsAre(std::pair("R2", "R8"), std::pair("R0", "R5")));
  EXPECT_EQ(lines[3].kind, DiffKind::Same);
  EXPECT_THAT(lines[3].renamed, IsEmpty());
  EXPECT_EQ(kinds({"@P0 MOV R1, 0x1"}, {"@P1 MOV R1, 0x1"}), "r") << "predicates";
  EXPECT_EQ(kinds({"BSSY B0, 0x20", "NOP", "BSYNC B0"}, {"BSSY B1, 0x20", "NOP", "BSYNC B1"}), "rsr");
  EXPECT_EQ(kinds({"MOV R1, R2.reuse"}, {"MOV R1, R2"}), "s") << "that is the control word's";
  EXPECT_EQ(kinds({"MOV R1, RZ"}, {"MOV R1, R2"}), "c") << "RZ is no name of a register";
}

TEST(CodeDiff, TheWrongRegisterIsADifference) {
  EXPECT_EQ(kinds({"S2R R0, SR_TID.X", "S2R R1, SR_CTAID.X", "MOV R9, R0"},
                  {"S2R R0, SR_TID.X", "S2R R1, SR_CTAID.X", "MOV R9, R1"}),
            "ssc");
  EXPECT_EQ(kinds({"S2R R4, SR_TID.X", "S2R R5, SR_CTAID.X", "IMAD R6, R4, 0x3, R5"},
                  {"S2R R5, SR_TID.X", "S2R R4, SR_CTAID.X", "IMAD R6, R4, 0x3, R5"}),
            "rrv")
      << "the same words, but what they mean has been exchanged";
  EXPECT_EQ(kinds({"LDG.E.64 R2, [R8.64]", "MOV R4, R3"}, {"LDG.E.64 R6, [R8.64]", "MOV R4, R6"}), "rc")
      << "the low half in place of the high one";
  EXPECT_EQ(kinds({"LDG.E.64 R2, [R8.64]", "MOV R4, R3"}, {"LDG.E.64 R6, [R8.64]", "MOV R4, R7"}), "rr");
}

TEST(CodeDiff, AValueMadeInAnotherWayIsOneDifferenceOnly) {
  EXPECT_EQ(kinds({"S2R R0, SR_TID.X", "F2I.U8.F16 R11, R0", "STG.E.U8 [R2.64], R11"},
                  {"S2R R0, SR_TID.X", "PRMT R7, R0, 0x7610, R7", "STG.E.U8 [R2.64], R7"}),
            "scr");
  EXPECT_EQ(kinds({"S2R R0, SR_TID.X", "F2I.U8.F16 R11, R0", "STG.E.U8 [R2.64], R11", "MOV R1, R0"},
                  {"S2R R0, SR_TID.X", "STG.E.U8 [R2.64], R0", "MOV R1, R0"}),
            "s<cs")
      << "here the value itself is stored";
}

TEST(CodeDiff, ARegisterThatIsWrittenAgainIsAnotherOne) {
  EXPECT_EQ(kinds({"MOV R0, 0x1", "MOV R1, R0", "MOV R0, 0x2", "MOV R2, R0"},
                  {"MOV R4, 0x1", "MOV R1, R4", "MOV R5, 0x2", "MOV R2, R5"}),
            "rrrr");
  EXPECT_EQ(kinds({"MOV R0, 0x1", "MOV R1, R0", "MOV R0, 0x2", "MOV R2, R0"},
                  {"MOV R4, 0x1", "MOV R1, R4", "MOV R5, 0x2", "MOV R2, R4"}),
            "rrrc")
      << "the old value";
}

TEST(CodeDiff, UnderAPredicate) {
  EXPECT_EQ(kinds({"MOV R0, 0x1", "@P0 MOV R0, 0x2", "@P0 MOV R1, R0"},
                  {"MOV R4, 0x1", "@P0 MOV R5, 0x2", "@P0 MOV R1, R5"}),
            "rrr");
  EXPECT_EQ(kinds({"MOV R0, 0x1", "@P0 MOV R0, 0x2", "MOV R1, R0"},
                  {"MOV R4, 0x1", "@P0 MOV R5, 0x2", "MOV R1, R5"}),
            "rrc")
      << "where P0 is false, R5 is not 1";
  EXPECT_EQ(kinds({"MOV R0, 0x1", "@P0 MOV R0, 0x2", "MOV R1, R0"},
                  {"MOV R4, 0x1", "@P0 MOV R4, 0x2", "MOV R1, R4"}),
            "rrr");
}

TEST(CodeDiff, AroundALoop) {
  // R2 counts in a loop, R3 sums.
  std::vector<std::string> loop = {
      "MOV R2, RZ",        "MOV R3, RZ", "IADD3 R3, R3, R2, RZ", "IADD3 R2, R2, 0x1, RZ", "@P0 BRA 0x20",
      "STG.E [R8.64], R3", "EXIT"};
  std::vector<std::string> renamed = {
      "MOV R5, RZ",        "MOV R6, RZ", "IADD3 R6, R6, R5, RZ", "IADD3 R5, R5, 0x1, RZ", "@P0 BRA 0x20",
      "STG.E [R8.64], R6", "EXIT"};
  EXPECT_EQ(kinds(loop, renamed), "rrrrsrs");
  renamed[3] = "IADD3 R4, R5, 0x1, RZ"; // what the second time round is read in R5 never grew
  EXPECT_EQ(kinds(loop, renamed), "rrccsrs") << "R5 is the start's value, then another than R2";
}

TEST(CodeDiff, BranchesAreComparedByWhereTheyLead) {
  EXPECT_EQ(kinds({"@P0 BRA 0x20", "NOP", "EXIT"}, {"MOV R1, 0x1", "@P0 BRA 0x30", "NOP", "EXIT"}), ">sss");
  EXPECT_EQ(kinds({"@P0 BRA 0x20", "NOP", "EXIT"}, {"@P0 BRA 0x10", "NOP", "EXIT"}), "css");
  EXPECT_EQ(kinds({"@P0 BRA 0x20", "NOP", "EXIT"}, {"@P0 BRA 0x20", "NOP", "MOV R1, 0x1", "EXIT"}), "ss>s")
      << "there with one more instruction before it";
}

TEST(CodeDiff, IllegalWordsAreComparedAsSuch) {
  sass::Listing left, right;
  left.instructions = {{1, 2, "", true}, {3, 4, "", true}};
  right.instructions = {{1, 2, "", true}, {3, 5, "", true}};
  std::vector<DiffLine> lines = diffCode(left, right);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].kind, DiffKind::Same);
  EXPECT_EQ(lines[1].kind, DiffKind::Changed);
}

TEST(CodeDiff, LongCodeIsCutAtWhatBothHaveOnce) {
  std::vector<std::string> left, right;
  for (int i = 0; i < 20000; ++i) {
    left.push_back("MOV R1, 0x" + std::to_string(i));
    right.push_back(i % 100 ? left.back() : "NOP");
  }
  std::vector<DiffLine> lines = diffCode(code(left), code(right));
  EXPECT_EQ(
      std::count_if(lines.begin(), lines.end(), [](const DiffLine& l) { return l.kind == DiffKind::Same; }),
      19800);
}

TEST(CodeDiff, ControlWords) {
  sass::Listing left = code({"NOP"}), right = left;
  right.instructions[0].high |= std::uint64_t{1} << 52;
  EXPECT_FALSE(diffCode(left, left)[0].control);
  EXPECT_TRUE(diffCode(left, right)[0].control);
}

} // namespace
} // namespace harness

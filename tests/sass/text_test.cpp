#include "harness/sass/binder.h"
#include "harness/sass/text.h"

#include "tests/sass/samples.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace harness::sass {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The operand of "OP <text>".
TextOperand operand(const std::string& text) {
  auto instruction = parseInstruction("OP " + text);
  EXPECT_TRUE(instruction) << text;
  EXPECT_EQ(instruction->operands.size(), 1u) << text;
  return instruction->operands.at(0);
}

TEST(SassText, Mnemonic) {
  auto plain = parseInstruction("EXIT ");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->opcode, "EXIT");
  EXPECT_FALSE(plain->guard);
  EXPECT_THAT(plain->modifiers, IsEmpty());
  EXPECT_THAT(plain->operands, IsEmpty());
  auto full = parseInstruction("  @!P0 FSETP.GTU.FTZ.AND P0, PT, |R4|, +INF , PT ");
  ASSERT_TRUE(full);
  ASSERT_TRUE(full->guard);
  EXPECT_EQ(full->guard->kind, OperandKind::Predicate);
  EXPECT_EQ(full->guard->index, 0u);
  EXPECT_TRUE(full->guard->inverted);
  EXPECT_EQ(full->opcode, "FSETP");
  EXPECT_THAT(full->modifiers, ElementsAre("GTU", "FTZ", "AND"));
  EXPECT_EQ(full->operands.size(), 5u);
  auto uniform = parseInstruction("@UP3 UMOV UR4, 0x1");
  ASSERT_TRUE(uniform && uniform->guard);
  EXPECT_EQ(uniform->guard->kind, OperandKind::UniformPredicate);
  EXPECT_EQ(uniform->guard->index, 3u);
}

TEST(SassText, Registers) {
  EXPECT_EQ(operand("R0").kind, OperandKind::Register);
  EXPECT_EQ(operand("R254").index, 254u);
  EXPECT_EQ(operand("RZ").index, kZeroRegister);
  EXPECT_EQ(operand("UR62").kind, OperandKind::UniformRegister);
  EXPECT_EQ(operand("UR62").index, 62u);
  EXPECT_EQ(operand("URZ").index, kZeroRegister);
  EXPECT_EQ(operand("P6").kind, OperandKind::Predicate);
  EXPECT_EQ(operand("PT").index, kTruePredicate);
  EXPECT_EQ(operand("!P3").index, 3u);
  EXPECT_TRUE(operand("!P3").inverted);
  EXPECT_EQ(operand("UPT").kind, OperandKind::UniformPredicate);
  EXPECT_EQ(operand("UPT").index, kTruePredicate);
  EXPECT_EQ(operand("B15").kind, OperandKind::Barrier);
  EXPECT_EQ(operand("B15").index, 15u);
  EXPECT_EQ(operand("SR_TID.X").kind, OperandKind::Special);
  EXPECT_EQ(operand("SR_TID.X").text, "SR_TID.X");
  for (const char* none : {"R255",  "R999", "R99999999999999999999",
                           "UR255", "P7",   "UP7",
                           "B16",   "R",    "UR",
                           "P",     "B",    "R1x",
                           "r1",    "R-1",  "R 1",
                           "-",     "~",    "!",
                           "|",     "||",   "-||",
                           ".",     ".X"})
    EXPECT_EQ(operand(none).kind, OperandKind::Other) << none;
  auto empty = parseInstruction("OP R1,, R2");
  ASSERT_TRUE(empty);
  ASSERT_EQ(empty->operands.size(), 3u);
  EXPECT_EQ(empty->operands[1].kind, OperandKind::Other);
}

TEST(SassText, SignsAndBars) {
  TextOperand negated = operand("-R4");
  EXPECT_EQ(negated.kind, OperandKind::Register);
  EXPECT_TRUE(negated.negated);
  EXPECT_FALSE(negated.absolute);
  TextOperand absolute = operand("|R4|");
  EXPECT_TRUE(absolute.absolute);
  EXPECT_FALSE(absolute.negated);
  EXPECT_EQ(absolute.index, 4u);
  TextOperand both = operand("-|R4|.reuse");
  EXPECT_TRUE(both.absolute && both.negated);
  EXPECT_THAT(both.suffixes, IsEmpty());
  TextOperand inverted = operand("~UR4");
  EXPECT_EQ(inverted.kind, OperandKind::UniformRegister);
  EXPECT_TRUE(inverted.inverted);
  EXPECT_TRUE(operand("-RZ").negated);
  EXPECT_EQ(operand("-RZ").index, kZeroRegister);
  EXPECT_TRUE(operand("-|RZ|").absolute);
  EXPECT_TRUE(operand("~c[0x0][0x174]").inverted);
  EXPECT_TRUE(operand("-c[0x0][0x174]").negated);
  EXPECT_TRUE(operand("|c[0x0][0x174]|").absolute);
}

TEST(SassText, Suffixes) {
  EXPECT_THAT(operand("R4.H0_H0").suffixes, ElementsAre("H0_H0"));
  EXPECT_THAT(operand("R4.H1_H1.reuse").suffixes, ElementsAre("H1_H1"));
  EXPECT_THAT(operand("R4.reuse").suffixes, IsEmpty());
  EXPECT_THAT(operand("-RZ.H0_H0").suffixes, ElementsAre("H0_H0"));
  EXPECT_THAT(operand("|R4|.H1_H1").suffixes, ElementsAre("H1_H1"));
  EXPECT_THAT(operand("R4.SIGN").suffixes, ElementsAre("SIGN"));
}

TEST(SassText, Numbers) {
  EXPECT_EQ(operand("0x10").kind, OperandKind::Number);
  EXPECT_EQ(operand("0x10").number, 16);
  EXPECT_FALSE(operand("0x10").isFloat);
  EXPECT_EQ(operand("-0x1").number, -1);
  EXPECT_FALSE(operand("-0x1").negated) << "the sign belongs to the number";
  EXPECT_EQ(operand("-0x80000000").number, -0x80000000LL);
  EXPECT_EQ(operand("0xfffffffffffffffe").number, -2);
  EXPECT_EQ(operand("127").number, 127);
  EXPECT_EQ(operand("-1").number, -1);
}

TEST(SassText, FloatNumbers) {
  for (const char* text : {"+INF ", "-INF ", "+QNAN ", "-QNAN ", "-QNAN", "+SNAN", "1.5", "-0.25", "1e+10",
                           "-2.5e-08", "1.84467440737095516160e+19", "3.07559967041015625e-05"}) {
    TextOperand number = operand(text);
    EXPECT_EQ(number.kind, OperandKind::Number) << text;
    EXPECT_TRUE(number.isFloat) << text;
    EXPECT_FALSE(number.negated) << text;
  }
  EXPECT_EQ(operand("-0").kind, OperandKind::Number);
  EXPECT_EQ(operand("1.5R").kind, OperandKind::Other);
  EXPECT_EQ(operand("1.5.x").kind, OperandKind::Other);
}

TEST(SassText, HugeNumbers) {
  EXPECT_EQ(operand("0xffffffffffffffff").number, -1);
  EXPECT_EQ(operand("-0xffffffffffffffff").number, 1);
  EXPECT_EQ(operand("-0x8000000000000000").number, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(operand("0x10000000000000000").kind, OperandKind::Other);
  EXPECT_EQ(operand(std::string(10000, '9')).kind, OperandKind::Other);
  EXPECT_EQ(operand("0x").kind, OperandKind::Other);
}

TEST(SassText, Constants) {
  TextOperand plain = operand("c[0x0][0x28]");
  EXPECT_EQ(plain.kind, OperandKind::Constant);
  EXPECT_EQ(plain.bank, 0u);
  EXPECT_EQ(plain.number, 0x28);
  EXPECT_FALSE(plain.base || plain.uniform);
  TextOperand spaced = operand("c[0x2] [0x4].F32");
  EXPECT_EQ(spaced.kind, OperandKind::Constant);
  EXPECT_EQ(spaced.bank, 2u);
  EXPECT_EQ(spaced.number, 4);
  EXPECT_THAT(spaced.suffixes, ElementsAre("F32"));
  TextOperand indexed = operand("c[0x3][R0+0x160]");
  EXPECT_EQ(indexed.base, 0u);
  EXPECT_EQ(indexed.number, 0x160);
  EXPECT_EQ(operand("c[0x0][RZ]").base, kZeroRegister);
  EXPECT_EQ(operand("c[0x0][UR4]").uniform, 4u);
  EXPECT_EQ(operand("c[0x0][R0+-0x8]").number, -8);
  for (const char* bad :
       {"c[0x0]", "c[0x0][", "c[0x0]0x4", "c[][0x4]", "c[0x20][0x4]", "c[-0x1][0x4]", "c[R1][0x4]",
        "c[0x0][R0+R1]", "c[0x0][0x4+]", "c[", "c", "c[0x0][x]", "cx[0x0][0x4]"})
    EXPECT_EQ(operand(bad).kind, OperandKind::Other) << bad;
}

TEST(SassText, Addresses) {
  TextOperand plain = operand("[R4]");
  EXPECT_EQ(plain.kind, OperandKind::Memory);
  EXPECT_EQ(plain.base, 4u);
  EXPECT_EQ(plain.number, 0);
  EXPECT_THAT(plain.baseSuffixes, IsEmpty());
  TextOperand wide = operand("desc[UR4][R2.64+0x8]");
  EXPECT_EQ(wide.kind, OperandKind::Memory);
  EXPECT_EQ(wide.base, 2u);
  EXPECT_FALSE(wide.uniform) << "the descriptor is no part of the address";
  EXPECT_THAT(wide.baseSuffixes, ElementsAre("64"));
  EXPECT_EQ(wide.number, 8);
  TextOperand extended = operand("[R6.U32+UR4]");
  EXPECT_THAT(extended.baseSuffixes, ElementsAre("U32"));
  EXPECT_EQ(extended.uniform, 4u);
  EXPECT_FALSE(extended.uniformBase64);
  EXPECT_TRUE(operand("desc[UR8][UR4.64+0x10]").uniformBase64);
  EXPECT_EQ(operand("[UR4+0x80]").uniform, 4u);
  EXPECT_EQ(operand("[R3+UR4+0x8]").number, 8);
  EXPECT_EQ(operand("[R1+-0x10]").number, -16);
  EXPECT_EQ(operand("[RZ]").base, kZeroRegister);
  EXPECT_THAT(operand("[R4.X16+UR5]").baseSuffixes, ElementsAre("X16"));
  EXPECT_EQ(operand("[0x10]").number, 16);
  EXPECT_THAT(operand("[R4].X").suffixes, ElementsAre("X"));
  for (const char* bad :
       {"[R4", "R4]", "[]", "[R4+]", "[+R4]", "[R4+R5]", "[UR4+UR5]", "[R4++0x1]", "[UR4.32]", "[-R4]",
        "desc[UR4]", "desc[UR4[R2]", "desc[", "[P0]", "[R256]", "[[R4]]"})
    EXPECT_EQ(operand(bad).kind, OperandKind::Other) << bad;
}

TEST(SassText, OffsetsWrap) {
  EXPECT_EQ(operand("[R1+0x7fffffffffffffff+0x7fffffffffffffff]").number, -2);
  EXPECT_EQ(operand("[0xffffffffffffffff+0x1]").number, 0);
}

/// The two words of RET are one operand.
TEST(SassText, ReturnTarget) {
  TextOperand target = operand("R2 0x0");
  EXPECT_EQ(target.kind, OperandKind::Other);
  EXPECT_EQ(target.text, "R2 0x0");
}

TEST(SassText, PartsAreKeptAsPrinted) {
  auto instruction = parseInstruction("LDG.E.U8 R4,   desc[UR8][R4.64] , c[0x0] [0x4]");
  ASSERT_TRUE(instruction);
  ASSERT_EQ(instruction->operands.size(), 3u);
  EXPECT_EQ(instruction->operands[1].text, "desc[UR8][R4.64]");
  EXPECT_EQ(instruction->operands[2].text, "c[0x0] [0x4]");
}

TEST(SassText, NoInstruction) {
  for (const char* text :
       {"", " ", "\t", "@", "@P0", "@ ", "@R0 EXIT", "@P9 EXIT", "@!! EXIT", ".X R1", "@P0 .X R1"})
    EXPECT_FALSE(parseInstruction(text)) << "'" << text << "'";
}

/// Every operand of every form of real code is taken for something, but for those that their opcode takes
/// whole.
TEST(SassText, EveryOperandOfRealCode) {
  auto isWhole = [](const TextOperand& one) {
    return one.text == "PR" || one.text == "Rpc.LO" || one.text == "UPR" || one.text == "SB0" ||
           one.text.starts_with('{') || one.text == "4.5736980577097704378e-41.H0" ||
           (one.text.find(' ') != std::string::npos && one.text.find("c[") == std::string::npos);
  };
  for (const test::Sample& sample : test::samples()) {
    auto instruction = parseInstruction(sample.text);
    ASSERT_TRUE(instruction) << sample.text;
    for (const TextOperand& one : instruction->operands)
      EXPECT_EQ(one.kind == OperandKind::Other, isWhole(one)) << sample.text << ": " << one.text;
  }
}

/// Whatever is thrown at it, it neither crashes nor hangs, and what it does not know it refuses.
TEST(SassText, MutatedTextIsSafe) {
  std::mt19937 random(1);
  const std::string alphabet = "RUPBZT0123456789x.,[]{}()|~-+!@ \tcdesc_INFQ\x7f\xff\n";
  auto samples = test::samples();
  std::size_t parsed = 0;
  for (int i = 0; i < 100000; ++i) {
    std::string text(samples[random() % samples.size()].text);
    for (unsigned edits = 1 + random() % 4; edits-- > 0 && !text.empty();) {
      std::size_t at = random() % text.size();
      switch (random() % 4) {
      case 0: text.erase(at, 1 + random() % 3); break;
      case 1: text[at] = alphabet[random() % alphabet.size()]; break;
      case 2: text.insert(at, 1, alphabet[random() % alphabet.size()]); break;
      default: text += std::string(samples[random() % samples.size()].text).substr(0, random() % 20);
      }
    }
    auto instruction = parseInstruction(text);
    if (!instruction) continue;
    ++parsed;
    const OpcodeRow* row = findOpcode(instruction->opcode);
    if (!row) continue;
    Encoding encoding{random(), random(), 90, 0x80, 0x80};
    Binder binder(*instruction, encoding);
    row->bind(binder);
    EXPECT_TRUE(!binder.complete() || binder.op.run) << text;
  }
  EXPECT_GT(parsed, 50000u);
}

} // namespace
} // namespace harness::sass

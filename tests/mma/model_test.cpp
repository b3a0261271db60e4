#include "harness/mma/multiplier.h"
#include "harness/mma/vector_file.h"
#include "harness/mma/wide_dot.h"

#include "tests/mma/families.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace harness::mma::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// Asked for before main, in an order of files that nothing fixes.
const std::size_t kShapesAtStart =
    findModel(80, Instruction::MmaSync, parseInputs("f16"), Format::F32).shapes.size();

TEST(MmaModels, StandBeforeMain) {
  EXPECT_EQ(kShapesAtStart,
            findModel(80, Instruction::MmaSync, parseInputs("f16"), Format::F32).shapes.size());
  EXPECT_GT(kShapesAtStart, 0u);
}

TEST(MmaModels, NamesAreUnique) {
  std::set<std::string> names;
  for (const Model& model : models())
    EXPECT_TRUE(names.insert(model.name()).second) << model.name();
}

TEST(MmaModels, WhatIsOpenSaysWhatWouldSettleIt) {
  for (const Model& model : models()) {
    EXPECT_FALSE(model.evidence.empty()) << model.name();
    if (model.status != Status::Defined) {
      EXPECT_FALSE(model.open.empty()) << model.name();
    }
    EXPECT_FALSE(model.shapes.empty());
  }
}

TEST(MmaModels, EveryRowCanBeComputed) {
  for (const Model& model : models())
    for (const Shape& shape : model.shapes)
      EXPECT_NO_THROW(Multiplier(model, {model.formats.front(), model.formats.back(), model.scaling}, shape));
}

TEST(MmaModels, Names) {
  EXPECT_EQ(parseArch("sm_90a"), 90u);
  EXPECT_EQ(parseArch("86"), 86u);
  EXPECT_EQ(parseArch("Hopper"), 90u);
  EXPECT_EQ(parseArch("L40S"), 89u);
  EXPECT_EQ(tableArch(121), 120u);
  for (const char* bad : {"", "sm_", "sm_91", "sm_90x", "90aa", "-90", "99999999999999"})
    EXPECT_THROW(parseArch(bad), UnknownModel) << bad;
  EXPECT_EQ(parseShape("m16n8k16"), (Shape{16, 8, 16}));
  for (const char* bad : {"", "m16n8", "m16n8k16 ", "m0n8k16", "m16n8k99999", "16x8x16"})
    EXPECT_THROW(parseShape(bad), UnknownModel) << bad;
  for (const char* name : {"f16", "e4m3*e5m2", "mx-e2m3", "mxf4", "mxf4-16", "nvf4", "u8*s8"})
    EXPECT_EQ(toString(parseInputs(name)), name);
  EXPECT_EQ(toString(parseInputs("FP16")), "f16");
  for (const char* bad : {"", "f32", "e4m3*", "*", "mx-"})
    EXPECT_THROW(parseInputs(bad), UnknownModel) << bad;
}

TEST(MmaModels, WhatIsNotThereIsExplained) {
  auto find = [](unsigned sm, Instruction instruction, const char* inputs) {
    return [=] { findModel(sm, instruction, parseInputs(inputs), Format::F32); };
  };
  EXPECT_THAT(find(90, Instruction::MmaSync, "e4m3"),
              ThrowsMessage<UnknownModel>(HasSubstr("mma.sync-expanded into f32")));
  EXPECT_THAT(find(70, Instruction::MmaSync, "bf16"),
              ThrowsMessage<UnknownModel>("sm_70 has no mma.sync of bf16 into f32"));
  const Model& model = findModel(80, Instruction::MmaSync, parseInputs("f16"), Format::F32);
  EXPECT_THAT([&] { Multiplier(model, parseInputs("f16"), {16, 8, 32}); },
              ThrowsMessage<UnknownModel>(HasSubstr("m16n8k16")));
  EXPECT_THROW(Multiplier(model, parseInputs("bf16"), {16, 8, 16}), UnknownModel);
}

TEST(MmaModels, MixedFormatsTakeTheRowThatHasBoth) {
  EXPECT_EQ(findModel(120, Instruction::MmaSync, parseInputs("e4m3*e5m2"), Format::F32).status,
            Status::MeasuredByOthers);
  EXPECT_EQ(findModel(120, Instruction::MmaSync, parseInputs("e4m3*e2m3"), Format::F32).status,
            Status::Unverified);
}

TEST(MmaFormats, RoundTripOfEveryCode) {
  for (Format format : {Format::F16, Format::BF16, Format::E4M3, Format::E5M2, Format::E2M3, Format::E3M2,
                        Format::E2M1, Format::S8, Format::U8, Format::S4, Format::U4}) {
    int bits = isInteger(format) ? (elementBytes(format) == 1 && toDouble(format, 0x80) == 0 ? 4 : 8)
                                 : 1 + layoutOf(format).exponentBits + layoutOf(format).mantissaBits;
    for (std::uint64_t code = 0; code < std::uint64_t{1} << bits; ++code) {
      double value = toDouble(format, code);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(toDouble(format, fromDouble(format, value))));
        continue;
      }
      ASSERT_EQ(fromDouble(format, value), code) << toString(format);
    }
  }
}

TEST(MmaFormats, Rounding) {
  EXPECT_EQ(fromDouble(Format::F16, 65519.9), 0x7bffu);
  EXPECT_EQ(fromDouble(Format::F16, 65520), 0x7c00u);
  EXPECT_EQ(fromDouble(Format::F16, 0x1p-25), 0u);
  EXPECT_EQ(fromDouble(Format::F16, 0x1.8p-25), 1u);
  EXPECT_EQ(fromDouble(Format::E4M3, 1e9), 0x7eu);
  EXPECT_EQ(fromDouble(Format::E2M1, -5), 0xeu); // between 4 and 6: to even
  EXPECT_EQ(fromDouble(Format::TF32, 1), 0x3f800000u);
  EXPECT_EQ(fromDouble(Format::S8, 200), 127u);
  EXPECT_EQ(fromDouble(Format::S8, -3), 0xfdu);
}

/// A GEMM is the chain of its instructions, whatever its size and on however many threads.
TEST(MmaGemm, EqualsTheChainOfInstructions) {
  Random random(7);
  for (auto [sm, instruction, name, shape] : {std::tuple{80u, Instruction::MmaSync, "f16", Shape{16, 8, 16}},
                                              {90u, Instruction::MmaSyncExpanded, "e4m3", Shape{16, 8, 32}},
                                              {120u, Instruction::MmaSync, "nvf4", Shape{16, 8, 64}},
                                              {80u, Instruction::MmaSync, "s8", Shape{16, 8, 32}},
                                              {80u, Instruction::MmaSync, "f64", Shape{8, 8, 4}}}) {
    Inputs inputs = parseInputs(name);
    Format out = isInteger(inputs.a) ? Format::S32 : inputs.a == Format::F64 ? Format::F64 : Format::F32;
    Multiplier mma(findModel(sm, instruction, inputs, out), inputs, shape);
    Shape size = {67, 70, 64 * 9};
    Matrices matrices = generate(Family::Normal, inputs, out, size, random);
    std::size_t bytes =
        static_cast<std::size_t>(size.m) * static_cast<std::size_t>(size.n) * elementBytes(out);
    std::vector<std::uint8_t> one(bytes), four(bytes), chain(bytes);
    auto product = [&](std::vector<std::uint8_t>& d, unsigned threads) {
      gemm(mma, size, d.data(), matrices.a.data(), matrices.b.data(), matrices.c.data(), threads,
           matrices.aScales.data(), matrices.bScales.data());
    };
    product(one, 1);
    product(four, 4);
    std::size_t n = static_cast<std::size_t>(size.n), k = static_cast<std::size_t>(size.k);
    mma.multiply(size, {chain.data(), matrices.a.data(), matrices.b.data(), matrices.c.data(), n, k, n, n,
                        matrices.aScales.data(), matrices.bScales.data()});
    EXPECT_EQ(one, chain) << name;
    EXPECT_EQ(four, chain) << name;
  }
}

TEST(MmaGemm, MissingDepthIsZeros) {
  Inputs inputs = parseInputs("f16");
  Multiplier mma(findModel(90, Instruction::MmaSync, inputs, Format::F32), inputs, {16, 8, 16});
  Random random(3);
  Shape size = {5, 3, 19};
  Matrices matrices = generate(Family::Normal, inputs, Format::F32, size, random);
  std::vector<float> d(15);
  gemm(mma, size, d.data(), matrices.a.data(), matrices.b.data(), matrices.c.data());
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j) {
      DotOperands operands = matrices.dot(inputs, Format::F32, i, j);
      operands.a.resize(32);
      operands.b.resize(32);
      std::uint64_t expected = referenceDot(mma.model(), inputs, 16, Format::F32, false, operands);
      EXPECT_EQ(std::bit_cast<std::uint32_t>(d[static_cast<std::size_t>(i * 3 + j)]), expected);
    }
}

TEST(MmaGemm, InPlace) {
  Inputs inputs = parseInputs("f16");
  Multiplier mma(findModel(90, Instruction::MmaSync, inputs, Format::F32), inputs, {16, 8, 16});
  Random random(5);
  Matrices matrices = generate(Family::Specials, inputs, Format::F32, {16, 8, 16}, random);
  std::vector<std::uint8_t> d(matrices.c.size()), inPlace = matrices.c;
  mma(d.data(), matrices.a.data(), matrices.b.data(), matrices.c.data());
  mma(inPlace.data(), matrices.a.data(), matrices.b.data(), inPlace.data());
  EXPECT_EQ(d, inPlace);
}

TEST(MmaVectorFile, BadLinesAreNamed) {
  const std::string header = "a\tb\tc\td_f32\td_f16\n", good = "3f800000\t3f800000\t0\t3f800000\t-\n";
  EXPECT_EQ(readRecords(header + good).size(), 1u);
  auto read = [](const std::string& text) { return [=] { readRecords(text); }; };
  auto saysLine = [](const char* text) { return ThrowsMessage<std::invalid_argument>(HasSubstr(text)); };
  EXPECT_THAT(read(""), saysLine("line 1: the header"));
  EXPECT_THAT(read("a\tb\n"), saysLine("line 1: the header"));
  EXPECT_THAT(read(header + good + "3f800000\t3f800000\n"), saysLine("line 3: fewer than the 5 fields"));
  EXPECT_THAT(read(header + "3f80000g\t0\t0\t0\t0\n"), saysLine("line 2: '3f80000g' is no hex word"));
  EXPECT_THAT(read(header + "0 0\t0\t0\t0\t0\n"), saysLine("a has 2 operands, b has 1"));
  EXPECT_THAT(read(header + "0\t0\t0\t0\t0\t0\n"), saysLine("line 2: more than the 5 fields"));
  EXPECT_THAT(read(header + "123456789\t0\t0\t0\t0\n"), saysLine("is no hex word"));
  Inputs inputs = parseInputs("f16");
  Multiplier mma(findModel(90, Instruction::MmaSync, inputs, Format::F32), inputs, {16, 8, 8});
  EXPECT_THAT([&] { check(readRecords(header + "3f800001\t0\t0\t0\t-\n"), mma, UseOfC::AsF32); },
              saysLine("line 2: 3f800001 is no f16"));
  std::vector<Record> wrong = readRecords(header + "3f800000\t3f800000\t3f800000\t3f800000\t-\n" + good);
  EXPECT_EQ(check(wrong, mma, UseOfC::AsF32).wrong.at(0).got, 0x40000000u);
  EXPECT_EQ(check(wrong, mma, UseOfC::Ignore).wrong.size(), 0u);
  EXPECT_EQ(check(wrong, mma, UseOfC::AsF32).compared, 2u);
}

} // namespace
} // namespace harness::mma::test

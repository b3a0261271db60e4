// Matrices that a warp loads, stores and transposes together, element by element as PTX describes them.

#include "tests/sass/assembly.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/Support/FormatVariadic.h>

#include <cstring>

namespace harness::sass::test {
namespace {

using testing::HasSubstr;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;

std::string count(unsigned matrices) {
  return matrices == 1 ? "" : "." + std::to_string(matrices);
}

/// Rows of matrices are stored in shared memory in a shuffled order: row i at 0x400 + 16·place(i).
unsigned place(unsigned row) {
  return (row * 5 + 3) % 32;
}

/// Lane i has 4 words at `words`; they go to shared memory, or come from there, around `lines`. R8 is the
/// lane's row's address less 16, R12…R15 are its words.
std::vector<u32> runWarp(const std::vector<u32>& words, const std::string& before, const std::string& line,
                         const std::string& after) {
  Assembly a;
  a.buffer("in", words).buffer("out", std::vector<u32>(128)).pointer(2, "in").pointer(4, "out");
  a.kernel.staticShared = 0x400 + 512;
  a.lines(R"(
    S2R R0, SR_TID.X
    IMAD.WIDE.U32 R2, R0, 0x10, R2
    IMAD.WIDE.U32 R4, R0, 0x10, R4
    LDG.E.128 R12, desc[UR4][R2.64]
    IMAD.SHL.U32 R6, R0, 0x10, RZ
    IADD3 R6, R6, 0x400, RZ
    IMAD R7, R0, 0x5, RZ
    IADD3 R7, R7, 0x3, RZ
    LOP3.LUT R7, R7, 0x1f, RZ, 0xc0, !PT
    IMAD.SHL.U32 R8, R7, 0x10, RZ
    IADD3 R8, R8, 0x3f0, RZ)");
  a.lines(before).add(line).lines(after).add("STG.E.128 desc[UR4][R4.64], R12").add("EXIT");
  ExecutionResult result = a.run(32);
  EXPECT_EQ(result.end, ExecutionEnd::Completed) << line << result.message;
  return a.words("out");
}

std::vector<u32> someWords() {
  std::vector<u32> words(128);
  for (u32 i = 0; i < 128; ++i)
    words[i] = i * 0x9e3779b9u + 0x7f4a7c15u;
  return words;
}

u16 half(const std::vector<u32>& words, std::size_t at) {
  return static_cast<u16>(words[at / 2] >> (at % 2 * 16));
}

TEST(SassMatrix, Load) {
  std::vector<u32> shared = someWords();
  for (unsigned matrices : {1u, 2u, 4u})
    for (bool transpose : {false, true}) {
      std::string line =
          std::string("LDSM.16.") + (transpose ? "MT88" : "M88") + count(matrices) + " R12, [R8+0x10]";
      std::vector<u32> got = runWarp(
          shared, "STS.128 [R6], R12\nMOV R12, 0x77\nMOV R13, 0x77\nMOV R14, 0x77\nMOV R15, 0x77", line, "");
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned m = 0; m < 4; ++m) {
          u32 want = 0x77;
          if (m < matrices) {
            auto element = [&](unsigned row, unsigned column) {
              if (transpose) std::swap(row, column);
              return u32{half(shared, 8 * place(8 * m + row) + column)};
            };
            unsigned row = lane / 4, column = 2 * (lane % 4);
            want = element(row, column) | element(row, column + 1) << 16;
          }
          ASSERT_EQ(got[4 * lane + m], want) << line << lane << m;
        }
    }
}

TEST(SassMatrix, Store) {
  std::vector<u32> words = someWords();
  for (unsigned matrices : {1u, 2u, 4u})
    for (bool transpose : {false, true}) {
      std::string line =
          std::string("STSM.16.") + (transpose ? "MT88" : "M88") + count(matrices) + " [R8+0x10], R12";
      std::vector<u32> got = runWarp(words, "STS.128 [R6], RZ", line, "LDS.128 R12, [R6]");
      std::vector<u32> want(128);
      for (unsigned m = 0; m < matrices; ++m)
        for (unsigned row = 0; row < 8; ++row)
          for (unsigned column = 0; column < 8; ++column) {
            unsigned r = transpose ? column : row, c = transpose ? row : column;
            u32 element = words[4 * (4 * r + c / 2) + m] >> (c % 2 * 16) & 0xffff;
            want[4 * place(8 * m + row) + column / 2] |= element << (column % 2 * 16);
          }
      EXPECT_EQ(got, want) << line;
    }
}

/// 16×8 bytes as an mma gives them: a lane has (g, 2q), (g, 2q+1), (g+8, 2q), (g+8, 2q+1) with g = lane / 4,
/// q = lane % 4; a row in memory is a column of the matrix. Not seen on hardware.
TEST(SassMatrix, StoreBytes) {
  std::vector<u32> words = someWords();
  for (unsigned matrices : {1u, 2u, 4u}) {
    std::string line = "STSM.8.MT168" + count(matrices) + " [R8+0x10], R12";
    std::vector<u32> got = runWarp(words, "STS.128 [R6], RZ", line, "LDS.128 R12, [R6]");
    std::vector<u32> want(128);
    for (unsigned m = 0; m < matrices; ++m)
      for (unsigned i = 0; i < 16; ++i)
        for (unsigned j = 0; j < 8; ++j) {
          unsigned lane = 4 * (i % 8) + j / 2, byte = i / 8 * 2 + j % 2;
          u32 element = words[4 * lane + m] >> (8 * byte) & 0xff;
          want[4 * place(8 * m + j) + i / 4] |= element << (i % 4 * 8);
        }
    EXPECT_EQ(got, want) << line;
  }
}

TEST(SassMatrix, Transpose) {
  std::vector<u32> words = someWords();
  std::vector<u32> got = runWarp(words, "", "MOVM.16.MT88 R12, R13", "");
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column) {
      auto element = [](const std::vector<u32>& from, unsigned word, unsigned r, unsigned c) {
        return from[4 * (4 * r + c / 2) + word] >> (c % 2 * 16) & 0xffff;
      };
      EXPECT_EQ(element(got, 0, row, column), element(words, 1, column, row));
    }
}

TEST(SassMatrix, Refused) {
  for (const char* text : {"LDSM.16.M88.4 R12, [R8]", "STSM.16.M88 [R8], R12", "MOVM.16.MT88 R12, R13"}) {
    Assembly a;
    a.kernel.staticShared = 0x800;
    a.add("MOV R8, 0x400").add(text).add("EXIT");
    ExecutionResult result = a.run(31);
    EXPECT_EQ(result.end, ExecutionEnd::Unsupported) << text;
    EXPECT_THAT(result.message, HasSubstr("not all 32 lanes"));
  }
  Assembly a;
  a.kernel.staticShared = 0x800;
  a.lines("MOV R8, 0x408\nLDSM.16.M88 R12, [R8]\nEXIT");
  EXPECT_THAT(a.run(32).message, HasSubstr("misaligned 16-byte access to shared"));
}

} // namespace
} // namespace harness::sass::test

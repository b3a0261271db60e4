// Tensor-core instructions: where every element lies (PTX's tables of matrix fragments, written here from the
// element to its lane), what is computed (the mma library's), and what is refused.

#include "harness/sass/binder.h"
#include "harness/sass/mma_operation.h"

#include "tests/sass/assembly.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/Support/FormatVariadic.h>

#include <cmath>
#include <cstring>
#include <random>

namespace harness::sass::test {
namespace {

using mma::Format;
using testing::HasSubstr;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr unsigned kWarps = 4; ///< of a launch, each with matrices of its own

/// Where an element lies: in `bits` bits from `bit` on of word `word` of a lane.
struct Spot {
  unsigned lane, word, bit;
};

/// A matrix by rows, its elements as stored in `bits` bits.
struct Matrix {
  unsigned rows = 0, columns = 0, bits = 0;
  std::vector<u64> codes;

  Matrix(unsigned rowCount, unsigned columnCount, unsigned width)
      : rows(rowCount), columns(columnCount), bits(width), codes(std::size_t{rowCount} * columnCount) {}
  u64& at(unsigned row, unsigned column) { return codes[row * columns + column]; }
  u64 at(unsigned row, unsigned column) const { return codes[row * columns + column]; }
};

/// A run of `each` elements along k goes to one of four lanes; four such runs to one word of each of them.
Spot spotA(unsigned row, unsigned k, unsigned rows, unsigned bits) {
  unsigned each = bits > 32 ? 1 : 32 / bits, run = k / each;
  unsigned element = run / 4 * (rows / 8) + row / 8, words = bits > 32 ? 2 : 1;
  return {row % 8 * 4 + run % 4, element * words, k % each * bits};
}
Spot spotB(unsigned k, unsigned column, unsigned bits) {
  unsigned each = bits > 32 ? 1 : 32 / bits, run = k / each;
  return {column * 4 + run % 4, run / 4 * (bits > 32 ? 2 : 1), k % each * bits};
}
Spot spotC(unsigned row, unsigned column, unsigned bits) {
  unsigned lane = row % 8 * 4 + column / 2;
  if (bits == 16) return {lane, row / 8, column % 2 * 16};
  return {lane, (row / 8 * 2 + column % 2) * (bits / 32), 0};
}

/// A form and what the test says of it.
struct Case {
  std::string name;
  unsigned sm;
  Format a, b, c; ///< C and D
  mma::Shape shape;
  std::string layouts = ""; ///< "ROW" prints R8.ROW, R24.COL
  mma::Scaling scaling = mma::Scaling::None;
  bool saturate = false;
  mma::BitOperation bits = mma::BitOperation::Xor;
};

unsigned bitsOf(Format format, const Case& test) {
  switch (format) {
  case Format::B1: return 1;
  case Format::S4:
  case Format::U4: return 4;
  case Format::E2M1: return test.shape.k == 64 ? 4 : 8;
  case Format::F16:
  case Format::BF16: return 16;
  case Format::TF32:
  case Format::F32:
  case Format::S32: return 32;
  case Format::F64: return 64;
  default: return 8;
  }
}

/// The element in its place of a register: E2M1 lies in the middle of a byte.
u64 placed(Format format, const Case& test, u64 code) {
  return format == Format::E2M1 && test.shape.k != 64 ? code << 2 : code;
}

struct Inputs {
  Matrix a, b, c;
  std::vector<std::uint8_t> aScales, bScales; ///< m×blocks, blocks×n
};

unsigned blocksOf(const Case& test) {
  return test.scaling == mma::Scaling::None
             ? 0
             : static_cast<unsigned>(test.shape.k / mma::blockOf(test.scaling));
}

/// Words of all lanes of all warps: [thread * 16 + word].
using Words = std::vector<u32>;

void put(Words& words, unsigned warp, const Spot& spot, u64 code) {
  u32* at = &words[(warp * 32 + spot.lane) * 16 + spot.word];
  at[0] |= static_cast<u32>(code << spot.bit);
  if (code >> 32) at[1] |= static_cast<u32>(code >> 32);
}

/// Executes the instruction in every warp on its inputs; gives D of each.
std::vector<Matrix> execute(const Case& test, const std::vector<Inputs>& inputs, u32 selector = 0) {
  unsigned m = static_cast<unsigned>(test.shape.m), n = static_cast<unsigned>(test.shape.n),
           k = static_cast<unsigned>(test.shape.k);
  std::size_t size = std::size_t{kWarps} * 32 * 16;
  Words a(size), b(size), c(size), scales(size, 0x5a5a5a5a);
  for (unsigned warp = 0; warp < kWarps; ++warp) {
    const Inputs& in = inputs[warp];
    for (unsigned i = 0; i < k; ++i) {
      for (unsigned row = 0; row < m; ++row)
        put(a, warp, spotA(row, i, m, in.a.bits), placed(test.a, test, in.a.at(row, i)));
      for (unsigned column = 0; column < n; ++column)
        put(b, warp, spotB(i, column, in.b.bits), placed(test.b, test, in.b.at(i, column)));
    }
    for (unsigned row = 0; row < m; ++row)
      for (unsigned column = 0; column < n; ++column)
        put(c, warp, spotC(row, column, in.c.bits), in.c.at(row, column));
    for (unsigned block = 0; block < blocksOf(test); ++block) {
      auto byteOf = [&](unsigned lane, unsigned word) {
        return reinterpret_cast<std::uint8_t*>(&scales[(warp * 32 + lane) * 16 + word]);
      };
      for (unsigned row = 0; row < m; ++row)
        byteOf(row % 8 * 4 + row / 8 + 2 * (selector >> 2 & 1), 0)[(selector & 3) + block] =
            in.aScales[row * blocksOf(test) + block];
      for (unsigned column = 0; column < n; ++column)
        byteOf(column * 4 + (selector >> 5 & 3), 1)[(selector >> 3 & 3) + block] =
            in.bScales[block * n + column];
    }
  }
  Assembly program(test.sm);
  program.kernel.registers = 96;
  program.buffer("a", a).buffer("b", b).buffer("c", c).buffer("s", scales).buffer("d", Words(size));
  program.add("S2R R0, SR_TID.X");
  auto load = [&](const std::string& name, unsigned first, unsigned words) {
    program.pointer(2, name).add("IMAD.WIDE.U32 R4, R0, 0x40, R2");
    for (unsigned i = 0; i < words; ++i)
      program.add(llvm::formatv("LDG.E R{0}, {1}", first + i, program.at(4, 4 * i)).str());
  };
  load("a", 8, 16), load("b", 24, 8), load("c", 32, 8), load("s", 6, 2);
  std::string row = test.layouts.empty() ? "" : ".ROW", column = test.layouts.empty() ? "" : ".COL";
  std::string line = test.name + " R40, R8" + row + ", R24" + column + ", R32";
  if (test.scaling != mma::Scaling::None) {
    program.add(llvm::formatv("UMOV UR9, {0:x}", selector).str());
    line += ", R6, R7, UR9";
  }
  program.add(line).pointer(2, "d").add("IMAD.WIDE.U32 R4, R0, 0x40, R2");
  for (unsigned i = 0; i < 8; ++i)
    program.add(llvm::formatv("STG.E {0}, R{1}", program.at(4, 4 * i), 40 + i).str());
  ExecutionResult result = program.add("EXIT").run(kWarps * 32);
  EXPECT_EQ(result.end, ExecutionEnd::Completed) << line << result.message;
  Words d = program.words("d");
  std::vector<Matrix> results;
  for (unsigned warp = 0; warp < kWarps; ++warp) {
    Matrix& matrix = results.emplace_back(m, n, bitsOf(test.c, test));
    for (unsigned i = 0; i < m; ++i)
      for (unsigned j = 0; j < n; ++j) {
        Spot spot = spotC(i, j, matrix.bits);
        const u32* at = &d[(warp * 32 + spot.lane) * 16 + spot.word];
        u64 all = matrix.bits == 64 ? at[0] | u64{at[1]} << 32 : at[0] >> spot.bit;
        matrix.at(i, j) = matrix.bits == 16 ? all & 0xffff : all;
      }
  }
  return results;
}

using Fill = std::function<u64(Format, std::mt19937&)>;

Inputs makeInputs(const Case& test, std::mt19937& random, const Fill& fill) {
  unsigned m = static_cast<unsigned>(test.shape.m), n = static_cast<unsigned>(test.shape.n),
           k = static_cast<unsigned>(test.shape.k), blocks = blocksOf(test);
  Inputs in{{m, k, bitsOf(test.a, test)},
            {k, n, bitsOf(test.b, test)},
            {m, n, bitsOf(test.c, test)},
            std::vector<std::uint8_t>(m * blocks),
            std::vector<std::uint8_t>(blocks * n)};
  for (u64& code : in.a.codes)
    code = fill(test.a, random);
  for (u64& code : in.b.codes)
    code = fill(test.b, random);
  for (u64& code : in.c.codes)
    code = fill(test.c, random);
  return in;
}

/// Numbers that every format has, so small that sums are exact.
u64 smallNumber(Format format, std::mt19937& random) {
  static constexpr double kNumbers[] = {0, 1, 2, 3, 4, 6, -1, -2, -3, -4, -6, 0};
  static constexpr double kNatural[] = {0, 1, 2, 3, 4, 6, 7, 5};
  switch (format) {
  case Format::B1: return random() & 1;
  case Format::U8:
  case Format::U4: return mma::fromDouble(format, kNatural[random() % std::size(kNatural)]);
  case Format::F16: return mma::fromDouble(format, static_cast<double>(random() % 17) - 8);
  case Format::F32:
  case Format::S32:
  case Format::F64: return mma::fromDouble(format, static_cast<double>(random() % 201) - 100);
  default: return mma::fromDouble(format, kNumbers[random() % std::size(kNumbers)]);
  }
}

double valueOf(Format format, u64 code) {
  if (format == Format::B1) return static_cast<double>(code);
  return mma::toDouble(format, code);
}

std::vector<Case> floatCases() {
  using F = Format;
  std::vector<Case> cases = {
      {"HMMA.1688.F32", 75, F::F16, F::F16, F::F32, {16, 8, 8}},
      {"HMMA.1688.F16", 75, F::F16, F::F16, F::F16, {16, 8, 8}},
  };
  for (unsigned sm : {80u, 89u, 90u, 100u, 120u}) {
    cases.insert(cases.end(), {
                                  {"HMMA.1688.F32", sm, F::F16, F::F16, F::F32, {16, 8, 8}},
                                  {"HMMA.1688.F16", sm, F::F16, F::F16, F::F16, {16, 8, 8}},
                                  {"HMMA.16816.F32", sm, F::F16, F::F16, F::F32, {16, 8, 16}},
                                  {"HMMA.16816.F16", sm, F::F16, F::F16, F::F16, {16, 8, 16}},
                                  {"HMMA.1688.F32.BF16", sm, F::BF16, F::BF16, F::F32, {16, 8, 8}},
                                  {"HMMA.16816.F32.BF16", sm, F::BF16, F::BF16, F::F32, {16, 8, 16}},
                                  {"HMMA.1684.F32.TF32", sm, F::TF32, F::TF32, F::F32, {16, 8, 4}},
                                  {"HMMA.1688.F32.TF32", sm, F::TF32, F::TF32, F::F32, {16, 8, 8}},
                              });
    cases.push_back({sm < 90 ? "DMMA.884" : "DMMA.8x8x4", sm, F::F64, F::F64, F::F64, {8, 8, 4}});
  }
  cases.push_back({"DMMA.16x8x4", 90, F::F64, F::F64, F::F64, {16, 8, 4}});
  cases.push_back({"DMMA.16x8x8", 90, F::F64, F::F64, F::F64, {16, 8, 8}});
  cases.push_back({"DMMA.16x8x16", 90, F::F64, F::F64, F::F64, {16, 8, 16}});
  auto named = [](const std::string& prefix, F c, F a, F b) {
    auto upper = [](F format) {
      std::string name(toString(format));
      for (char& letter : name)
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
      return name;
    };
    return prefix + "." + upper(c) + "." + upper(a) + "." + upper(b);
  };
  for (F a : {F::E4M3, F::E5M2})
    for (F b : {F::E4M3, F::E5M2})
      for (F c : {F::F32, F::F16}) {
        cases.push_back({named("QMMA.16816", c, a, b), 89, a, b, c, {16, 8, 16}, "ROW"});
        cases.push_back({named("QMMA.16832", c, a, b), 89, a, b, c, {16, 8, 32}, "ROW"});
      }
  for (F a : {F::E4M3, F::E5M2, F::E2M3, F::E3M2, F::E2M1})
    for (F b : {F::E4M3, F::E5M2, F::E2M3, F::E3M2, F::E2M1}) {
      for (F c : {F::F32, F::F16})
        cases.push_back({named("QMMA.16832", c, a, b), 120, a, b, c, {16, 8, 32}});
      cases.push_back({named("QMMA.SF.16832", F::F32, a, b) + ".E8",
                       120,
                       a,
                       b,
                       F::F32,
                       {16, 8, 32},
                       "",
                       mma::Scaling::Mxf8f6f4});
    }
  std::string four = named("OMMA.SF.16864", F::F32, F::E2M1, F::E2M1);
  cases.push_back({four + ".E8", 120, F::E2M1, F::E2M1, F::F32, {16, 8, 64}, "", mma::Scaling::Mxf4});
  cases.push_back({four + ".E8.4X", 120, F::E2M1, F::E2M1, F::F32, {16, 8, 64}, "", mma::Scaling::Mxf4Per16});
  cases.push_back({four + ".UE4M3.4X", 120, F::E2M1, F::E2M1, F::F32, {16, 8, 64}, "", mma::Scaling::Nvf4});
  return cases;
}

std::vector<Case> integerCases() {
  using F = Format;
  std::vector<Case> cases;
  auto add = [&](const std::string& shape, unsigned sm, F a, F b, mma::Shape size) {
    static const std::map<F, std::string> kNames = {
        {F::S8, "S8"}, {F::U8, "U8"}, {F::S4, "S4"}, {F::U4, "U4"}};
    for (bool saturate : {false, true})
      cases.push_back({"IMMA." + shape + "." + kNames.at(a) + "." + kNames.at(b) + (saturate ? ".SAT" : ""),
                       sm, a, b, F::S32, size, "ROW", mma::Scaling::None, saturate});
  };
  for (F a : {F::S8, F::U8})
    for (F b : {F::S8, F::U8}) {
      for (unsigned sm : {75u, 80u, 89u, 90u})
        add("8816", sm, a, b, {8, 8, 16});
      for (unsigned sm : {80u, 89u, 90u, 100u, 120u}) {
        add("16816", sm, a, b, {16, 8, 16});
        add("16832", sm, a, b, {16, 8, 32});
      }
    }
  for (F a : {F::S4, F::U4})
    for (F b : {F::S4, F::U4}) {
      add("8832", 75, a, b, {8, 8, 32});
      for (unsigned sm : {80u, 89u}) {
        add("8832", sm, a, b, {8, 8, 32});
        add("16832", sm, a, b, {16, 8, 32});
        add("16864", sm, a, b, {16, 8, 64});
      }
    }
  auto bits = [&](const std::string& name, unsigned sm, mma::Shape size, mma::BitOperation operation) {
    cases.push_back({name, sm, F::B1, F::B1, F::S32, size, "ROW", mma::Scaling::None, false, operation});
  };
  bits("BMMA.88128.XOR.POPC", 75, {8, 8, 128}, mma::BitOperation::Xor);
  for (unsigned sm : {80u, 90u})
    for (auto operation : {mma::BitOperation::Xor, mma::BitOperation::And}) {
      std::string end = operation == mma::BitOperation::Xor ? ".XOR.POPC" : ".AND.POPC";
      bits("BMMA.88128" + end, sm, {8, 8, 128}, operation);
      bits("BMMA.168128" + end, sm, {16, 8, 128}, operation);
      bits("BMMA.168256" + end, sm, {16, 8, 256}, operation);
    }
  return cases;
}

/// A power of two from 1/4 to 4, of the type that the scaling has.
std::uint8_t smallScale(mma::Scaling scaling, std::mt19937& random) {
  unsigned power = random() % 5;
  return static_cast<std::uint8_t>(scaling == mma::Scaling::Nvf4 ? (5 + power) << 3 : 125 + power);
}
double scaleValue(mma::Scaling scaling, std::uint8_t code) {
  return std::ldexp(1, scaling == mma::Scaling::Nvf4 ? (code >> 3) - 7 : code - 127);
}

/// D of exact numbers, by the definition of a product.
Matrix product(const Case& test, const Inputs& in) {
  Matrix d(in.c.rows, in.c.columns, in.c.bits);
  for (unsigned i = 0; i < d.rows; ++i)
    for (unsigned j = 0; j < d.columns; ++j) {
      double sum = valueOf(test.c, in.c.at(i, j));
      for (unsigned k = 0; k < in.a.columns; ++k) {
        double a = valueOf(test.a, in.a.at(i, k)), b = valueOf(test.b, in.b.at(k, j));
        double scale = 1;
        if (unsigned blocks = blocksOf(test)) {
          unsigned block = k * blocks / in.a.columns;
          scale = scaleValue(test.scaling, in.aScales[i * blocks + block]) *
                  scaleValue(test.scaling, in.bScales[block * d.columns + j]);
        }
        if (test.a == Format::B1)
          sum += test.bits == mma::BitOperation::Xor ? (a != b) : a * b;
        else
          sum += a * b * scale;
      }
      d.at(i, j) = mma::fromDouble(test.c, sum);
    }
  return d;
}

void checkPlacement(const Case& test, u32 selector = 0) {
  std::mt19937 random(7);
  std::vector<Inputs> inputs;
  for (unsigned warp = 0; warp < kWarps; ++warp) {
    Inputs& in = inputs.emplace_back(makeInputs(test, random, smallNumber));
    for (std::uint8_t& scale : in.aScales)
      scale = smallScale(test.scaling, random);
    for (std::uint8_t& scale : in.bScales)
      scale = smallScale(test.scaling, random);
  }
  std::vector<Matrix> d = execute(test, inputs, selector);
  for (unsigned warp = 0; warp < kWarps; ++warp)
    ASSERT_EQ(d[warp].codes, product(test, inputs[warp]).codes)
        << test.name << " sm_" << test.sm << " selector " << selector;
}

TEST(SassMma, FloatElementsLieWherePtxSays) {
  for (const Case& test : floatCases())
    checkPlacement(test);
}

TEST(SassMma, IntegerElementsLieWherePtxSays) {
  for (const Case& test : integerCases())
    checkPlacement(test);
}

TEST(SassMma, Selectors) {
  for (const Case& test : floatCases()) {
    if (test.scaling == mma::Scaling::None || test.a != test.b) continue;
    unsigned count = blocksOf(test);
    for (u32 selector = 0; selector < 128; ++selector)
      if ((selector & 3) % count == 0 && (selector >> 3 & 3) % count == 0) checkPlacement(test, selector);
  }
}

// ---- what is computed

/// The library's result, from dense arrays.
Matrix byLibrary(const Case& test, const Inputs& in) {
  mma::Inputs formats{test.a, test.b, test.scaling};
  mma::Options options;
  options.saturate = test.saturate;
  options.bits = test.bits;
  mma::Multiplier multiplier(mma::findModel(test.sm, mma::Instruction::MmaSync, formats, test.c), formats,
                             test.shape, options);
  auto dense = [](const Matrix& matrix, Format format) {
    std::size_t size = mma::elementBytes(format);
    std::vector<std::byte> bytes(matrix.codes.size() * size);
    for (std::size_t i = 0; i < matrix.codes.size(); ++i)
      std::memcpy(&bytes[i * size], &matrix.codes[i], size);
    return bytes;
  };
  std::vector<std::byte> a = dense(in.a, test.a), b = dense(in.b, test.b), c = dense(in.c, test.c);
  std::vector<std::byte> d(c.size());
  multiplier(d.data(), a.data(), b.data(), c.data(), in.aScales.data(), in.bScales.data());
  Matrix result(in.c.rows, in.c.columns, in.c.bits);
  std::size_t size = mma::elementBytes(test.c);
  for (std::size_t i = 0; i < result.codes.size(); ++i)
    std::memcpy(&result.codes[i], &d[i * size], size);
  return result;
}

u64 anyBits(Format format, std::mt19937& random) {
  u64 bits = random() | u64{random()} << 32;
  switch (format) {
  case Format::F64: return bits;
  case Format::F32:
  case Format::S32:
  case Format::TF32: return bits & 0xffffffff;
  case Format::F16:
  case Format::BF16: return bits & 0xffff;
  case Format::E2M1:
  case Format::S4:
  case Format::U4: return bits & 15;
  case Format::E2M3:
  case Format::E3M2: return bits & 63;
  default: return bits & 255;
  }
}

TEST(SassMma, AnyBitsAsTheLibrary) {
  std::vector<Case> cases = floatCases(), integers = integerCases();
  cases.insert(cases.end(), integers.begin(), integers.end());
  std::mt19937 random(11);
  for (const Case& test : cases) {
    if (test.a == Format::B1) continue; // exact above
    std::vector<Inputs> inputs;
    for (unsigned warp = 0; warp < kWarps; ++warp) {
      Inputs& in = inputs.emplace_back(makeInputs(test, random, anyBits));
      for (std::uint8_t& scale : in.aScales)
        scale = static_cast<std::uint8_t>(random());
      for (std::uint8_t& scale : in.bScales)
        scale = static_cast<std::uint8_t>(random());
    }
    std::vector<Matrix> d = execute(test, inputs);
    for (unsigned warp = 0; warp < kWarps; ++warp)
      ASSERT_EQ(d[warp].codes, byLibrary(test, inputs[warp]).codes) << test.name << " sm_" << test.sm;
  }
}

/// The number of terms that are added at once is the architecture's: k0 = 2^12·2^12, k1 = −2^12·2^12 and k8 =
/// 0.5·0.5 give 0.25 in two steps of eight, 0 in one of sixteen.
TEST(SassMma, StepsOfTheArchitecture) {
  for (auto [sm, want] : {std::pair(80u, 0.25), {89u, 0.25}, {90u, 0.0}, {100u, 0.0}, {120u, 0.0}}) {
    Case test{"HMMA.16816.F32", sm, Format::F16, Format::F16, Format::F32, {16, 8, 16}};
    Inputs in{{16, 16, 16}, {16, 8, 16}, {16, 8, 32}, {}, {}};
    auto half = [](double value) { return mma::fromDouble(Format::F16, value); };
    in.a.at(3, 0) = in.b.at(0, 5) = in.b.at(1, 5) = half(4096);
    in.a.at(3, 1) = half(-4096);
    in.a.at(3, 8) = in.b.at(8, 5) = half(0.5);
    std::vector<Matrix> d = execute(test, std::vector<Inputs>(kWarps, in));
    EXPECT_EQ(d[0].at(3, 5), mma::fromDouble(Format::F32, want)) << sm;
  }
}

// ---- HMMA.884

/// PTX mma.m8n8k4 of halves: where lanes have the elements of their pair's matrices.
struct Quads {
  bool aColumns, bRows;

  static bool upper(unsigned lane) { return lane >= 16; }
  /// The lane and the half-word that have an element of A; `pair` is 0 … 3.
  Spot a(unsigned pair, unsigned row, unsigned k) const {
    unsigned within = aColumns ? k : row % 4, i = aColumns ? row % 4 : k;
    return {pair * 4 + within + row / 4 * 16, i / 2, i % 2 * 16};
  }
  Spot b(unsigned pair, unsigned k, unsigned column) const {
    unsigned within = bRows ? k : column % 4, i = bRows ? column % 4 : k;
    return {pair * 4 + within + column / 4 * 16, i / 2, i % 2 * 16};
  }
  /// Of C and D: a row of eight halves a lane, or f32 in 2×2 squares.
  static Spot half(unsigned pair, unsigned row, unsigned column) {
    return {pair * 4 + row % 4 + row / 4 * 16, column / 2, column % 2 * 16};
  }
  static Spot whole(unsigned pair, unsigned row, unsigned column) {
    unsigned i = column / 4 * 4 + row / 2 % 2 * 2 + column % 2;
    return {pair * 4 + row % 2 + column / 2 % 2 * 2 + row / 4 * 16, i, 0};
  }
};

/// As ptxas writes it: steps that give two registers each.
std::vector<std::string> quadLines(bool dHalf, bool cHalf, const Quads& quads) {
  std::string name = std::string("HMMA.884.") + (dHalf ? "F16" : "F32") + (cHalf ? ".F16" : ".F32");
  std::string a = std::string(", R8.") + (quads.aColumns ? "COL" : "ROW");
  std::string b = std::string(", R24.") + (quads.bRows ? "ROW" : "COL");
  std::vector<std::string> lines;
  for (unsigned step = 0; step < (dHalf ? 2u : 4u); ++step) {
    unsigned c = 32 + (cHalf && !dHalf ? step / 2 * 2 : step * 2);
    lines.push_back(llvm::formatv("{0}.STEP{1} R{2}{3}{4}, R{5}", name, step, 40 + 2 * step, a, b, c).str());
  }
  return lines;
}

TEST(SassMma, EightByEightByFour) {
  std::mt19937 random(3);
  for (int form = 0; form < 12; ++form) {
    bool dHalf = form / 4 == 2, cHalf = form / 4 > 0;
    Quads quads{(form & 1) != 0, (form & 2) != 0};
    std::size_t size = 32 * 16;
    Words a(size), b(size), c(size);
    double as[4][8][4], bs[4][4][8], cs[4][8][8];
    auto number = [&] { return static_cast<double>(random() % 17) - 8; };
    auto half = [](double value) { return mma::fromDouble(Format::F16, value); };
    for (unsigned pair = 0; pair < 4; ++pair)
      for (unsigned i = 0; i < 8; ++i) {
        for (unsigned k = 0; k < 4; ++k) {
          put(a, 0, quads.a(pair, i, k), half(as[pair][i][k] = number()));
          put(b, 0, quads.b(pair, k, i), half(bs[pair][k][i] = number()));
        }
        for (unsigned j = 0; j < 8; ++j) {
          cs[pair][i][j] = number();
          put(c, 0, cHalf ? Quads::half(pair, i, j) : Quads::whole(pair, i, j),
              cHalf ? half(cs[pair][i][j]) : mma::fromDouble(Format::F32, cs[pair][i][j]));
        }
      }
    Assembly program(75);
    program.buffer("a", a).buffer("b", b).buffer("c", c).buffer("d", Words(size)).add("S2R R0, SR_TID.X");
    auto load = [&](const std::string& name, unsigned first) {
      program.pointer(2, name).add("IMAD.WIDE.U32 R4, R0, 0x40, R2");
      for (unsigned i = 0; i < 8; ++i)
        program.add(llvm::formatv("LDG.E R{0}, {1}", first + i, program.at(4, 4 * i)).str());
    };
    load("a", 8), load("b", 24), load("c", 32);
    for (const std::string& line : quadLines(dHalf, cHalf, quads))
      program.add(line);
    program.pointer(2, "d").add("IMAD.WIDE.U32 R4, R0, 0x40, R2");
    for (unsigned i = 0; i < 8; ++i)
      program.add(llvm::formatv("STG.E {0}, R{1}", program.at(4, 4 * i), 40 + i).str());
    ASSERT_EQ(program.add("EXIT").run(32).end, ExecutionEnd::Completed);
    Words d = program.words("d");
    for (unsigned pair = 0; pair < 4; ++pair)
      for (unsigned i = 0; i < 8; ++i)
        for (unsigned j = 0; j < 8; ++j) {
          double sum = cs[pair][i][j];
          for (unsigned k = 0; k < 4; ++k)
            sum += as[pair][i][k] * bs[pair][k][j];
          Spot spot = dHalf ? Quads::half(pair, i, j) : Quads::whole(pair, i, j);
          u32 word = d[spot.lane * 16 + spot.word];
          u64 got = dHalf ? word >> spot.bit & 0xffff : word;
          ASSERT_EQ(got, mma::fromDouble(dHalf ? Format::F16 : Format::F32, sum))
              << form << " pair " << pair << " row " << i << " column " << j;
        }
  }
}

// ---- operands and refusals

TEST(SassMma, ZeroRegister) {
  Assembly a;
  a.buffer("d", Words(32 * 4)).pointer(2, "d").add("S2R R0, SR_TID.X");
  a.add("IMAD.WIDE.U32 R2, R0, 0x10, R2");
  for (int i = 4; i < 10; ++i) // ones
    a.add(llvm::formatv("MOV R{0}, 0x3c003c00", i).str());
  a.add("HMMA.16816.F32 R12, R4, R8.reuse, RZ").add("STG.E.128 desc[UR4][R2.64], R12").add("EXIT");
  ASSERT_EQ(a.run(32).end, ExecutionEnd::Completed);
  EXPECT_EQ(a.words("d"), Words(32 * 4, 0x41800000)); // 16
}

TEST(SassMma, ResultMayTakeTheRegistersOfASource) {
  Assembly a;
  a.buffer("d", Words(32 * 4)).pointer(2, "d").add("S2R R0, SR_TID.X");
  a.add("IMAD.WIDE.U32 R2, R0, 0x10, R2");
  for (int i = 4; i < 10; ++i)
    a.add(llvm::formatv("MOV R{0}, 0x3c003c00", i).str());
  a.add("HMMA.16816.F32 R4, R4, R8, RZ").add("STG.E.128 desc[UR4][R2.64], R4").add("EXIT");
  ASSERT_EQ(a.run(32).end, ExecutionEnd::Completed);
  EXPECT_EQ(a.words("d"), Words(32 * 4, 0x41800000));
}

TEST(SassMma, NotAllLanes) {
  Assembly a;
  a.add("HMMA.16816.F32 R4, R4, R8, R12").add("EXIT");
  ExecutionResult result = a.run(31);
  EXPECT_EQ(result.end, ExecutionEnd::Unsupported);
  EXPECT_THAT(result.message, HasSubstr("not all 32 lanes"));
}

TEST(SassMma, SelectorThatPtxDoesNotHave) {
  for (const char* selector : {"0x80", "0x1", "0x8"}) {
    Assembly a(120);
    a.add(std::string("UMOV UR6, ") + selector);
    a.add("OMMA.SF.16864.F32.E2M1.E2M1.E8 R4, R4, R8, R12, R0, R1, UR6").add("EXIT");
    ExecutionResult result = a.run(32);
    EXPECT_EQ(result.end, ExecutionEnd::Unsupported) << selector;
    EXPECT_THAT(result.message, HasSubstr("a selector of scales that PTX does not have"));
  }
}

TEST(SassMma, Refused) {
  for (auto [text, sm] : {
           std::pair("HMMA.16816.F32.TF32 R4, R4, R8, R12", 80u),
           {"HMMA.SP.16832.F32 R4, R4, R8, R12, R16, 0x0", 80},
           {"HMMA.16816.F32 R4, R6, R8, R12", 80}, // not aligned
           {"HMMA.16816.F32 R4, R4, R9, R12", 80},
           {"HMMA.16816.F32 R252, R4, R8, R12", 80},
           {"HMMA.16816.F32 R4, -R4, R8, R12", 80},
           {"HMMA.16816.F32 R4, R4, UR8, R12", 120},
           {"HMMA.16816.F32 R4, R4.COL, R8.COL, R12", 80},
           {"HMMA.16816.F32 R4, R4.ROW, R8, R12", 80},
           {"HMMA.16816.F32 R4, R4, R8, R12.COL", 80},
           {"HMMA.16816.F32.BF16 R4, R4, R8, R12", 75},
           {"HMMA.16816.F16.BF16 R4, R4, R8, R12", 80},
           {"HMMA.884.F32.F32.STEP4 R4, R2.ROW, R8.COL, R12", 75},
           {"HMMA.884.F16.F16.STEP2 R4, R2.ROW, R8.COL, R12", 75},
           {"HMMA.884.F32.F32.STEP0 R4, R2, R8, R12", 75},
           {"HMMA.884.F32.F32.STEP0 R4, R2.ROW, R8.COL, R12", 80},
           {"IMMA.16832.S8.S4 R4, R4.ROW, R8.COL, R12", 80},
           {"IMMA.16832.S8.S8 R4, R4.ROW, R8.ROW, R12", 80},
           {"IMMA.SP.16864.S8.S8 R4, R4.ROW, R8.COL, R12, R16, 0x0", 80},
           {"IMMA.16816.S8.S8 R4, R4.ROW, R8.COL, R12", 75},
           {"DMMA.8x8x4.RZ R4, R4, R6, R8", 90},
           {"DMMA.884 R4, R4, R6, R8", 75},
           {"BMMA.88128.OR.POPC R4, R0.ROW, R3.COL, R4", 75},
           {"QMMA.16832.F32.E4M3.E4M3 R4, R4.ROW, R8.COL, R12", 90},
           {"QMMA.16832.F32.E2M1.E2M1 R4, R4.ROW, R8.COL, R12", 89},
           {"QMMA.16816.F32.E4M3.E4M3 R4, R4, R0, R8", 120}, // the library has no model
           {"QMMA.SF.16832.F16.E4M3.E4M3.E8 R4, R4, R8, R12, R0, R1, UR6", 120},
           {"QMMA.SF.16832.F32.E4M3.E4M3.E8 R4, R4, R8, R12, R0, R1, R6", 120},
           {"OMMA.SF.16864.F32.E2M1.E2M1.UE4M3 R4, R4, R8, R12, R0, R1, UR6", 120},
           {"HGMMA.64x64x16.F32 R24, gdesc[UR4], R24", 90},
           {"UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], UP0", 100},
       }) {
    Encoding encoding;
    encoding.sm = sm;
    EXPECT_FALSE(bindInstruction(text, encoding).has_value()) << text;
  }
}

TEST(SassMma, SaysWhy) {
  auto why = [](std::string_view text, unsigned sm) { return mmaRefusal(text, sm); };
  EXPECT_THAT(why("QMMA.16816.F32.E4M3.E4M3 R4, R4, R0, R8", 120), HasSubstr("does not exist as m16n8k16"));
  EXPECT_THAT(why("QMMA.16832.F32.E4M3.E4M3 R4, R4.ROW, R8.COL, R12", 90),
              HasSubstr("sm_90 has no mma.sync"));
  EXPECT_THAT(why("DMMA.8x8x4.RZ R4, R4, R6, R8", 90), HasSubstr("no such tensor-core instruction"));
  EXPECT_EQ(why("IADD3 R4, R4, R6, R8", 90), "");
  EXPECT_EQ(why("HMMA.16816.F32 R4, R4, R8, R12", 90), "");
  Assembly a(120);
  a.add("QMMA.16816.F32.E4M3.E4M3 R4, R4, R0, R8").add("EXIT");
  EXPECT_THAT(a.run(32).message, HasSubstr("R8': sm_120/mma.sync/e4m3 does not exist as m16n8k16"));
}

} // namespace
} // namespace harness::sass::test

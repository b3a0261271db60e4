#include "tests/ptx/matrix_bench.h"
#include <gmock/gmock.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>

namespace harness::ptx::test {
namespace {

using mma::Format;
using mma::Scaling;
using testing::HasSubstr;
using testing::IsEmpty;
using enum mma::Format;

std::size_t count(int n) {
  return static_cast<std::size_t>(n);
}

/// A small number that every format of that kind has: all products and sums are exact.
double smallNumber(Format format, std::mt19937_64& random) {
  switch (format) {
  case B1: return static_cast<double>(random() % 2);
  case U8:
  case U4: return static_cast<double>(random() % 4);
  case E2M1: return static_cast<double>(random() % 5) - 2;
  default: return static_cast<double>(random() % 7) - 3;
  }
}

struct Numbers {
  Codes codes;
  std::vector<double> values;
};

Numbers smallMatrix(Format format, int products, int rows, int columns, std::mt19937_64& random) {
  Numbers made{Codes(products, rows, columns), {}};
  for (std::uint64_t& code : made.codes.values) {
    double value = smallNumber(format, random);
    made.values.push_back(value);
    code = format == B1 ? static_cast<std::uint64_t>(value) : mma::fromDouble(format, value);
    if (format == S4) code &= 0xf;
  }
  return made;
}

/// Scales whose meaning is 1, wherever they are read.
struct UnitScales {
  std::string operands;
  std::vector<WarpKernel::Vector> inputs;
  explicit UnitScales(Scaling scaling) {
    if (scaling == Scaling::None) return;
    std::uint64_t one = scaling == Scaling::Nvf4 ? 0x38383838 : 0x7f7f7f7f;
    Registers registers(1);
    registers[0].fill(one);
    inputs = {{"s", "b32", registers}, {"t", "b32", registers}};
    operands = ", s0, {0, 0}, t0, {0, 0}";
  }
};

class PtxMma : public testing::TestWithParam<MmaForm> {};

TEST_P(PtxMma, PutsEveryElementInItsPlace) {
  const MmaForm& form = GetParam();
  auto [m, n, k] = form.shape;
  std::mt19937_64 random(std::hash<std::string>()(form.text));
  int products = form.products();
  Numbers a = smallMatrix(form.a, products, m, k, random), b = smallMatrix(form.b, products, k, n, random),
          c = smallMatrix(form.c, products, m, n, random);
  UnitScales scales(form.scaling);
  WarpResult result = runMma(form, packA(form, a.codes, random), packB(form, b.codes, random),
                             packC(form, c.codes), {}, scales.operands, scales.inputs);
  EXPECT_THAT(result.execution.undefined, IsEmpty());
  EXPECT_THAT(result.execution.unwritten, IsEmpty());
  EXPECT_EQ(result.execution.approximations, 0u) << "sums of small numbers are exact";
  Codes d = unpackD(form, result.output);
  for (int p = 0; p < products; ++p)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = c.values[count((p * m + i) * n + j)];
        for (int l = 0; l < k; ++l) {
          double x = a.values[count((p * m + i) * k + l)], y = b.values[count((p * k + l) * n + j)];
          sum += form.a != B1 ? x * y : form.bitAnd ? x * y : std::fabs(x - y);
        }
        ASSERT_EQ(mma::toDouble(form.d, d.at({p, i, j})), sum) << form << " " << p << " " << i << " " << j;
      }
}

INSTANTIATE_TEST_SUITE_P(Forms, PtxMma, testing::ValuesIn(mmaForms()),
                         [](const auto& info) { return "n" + std::to_string(info.index); });

// ---- any bits, against harness/mma itself

struct ModelOfForm {
  MmaForm form;
  mma::Instruction instruction;
  mma::Shape shape; ///< of the model
};

MmaForm formNamed(const std::string& text, const std::string& target) {
  for (MmaForm form : mmaForms())
    if (form.text == text) {
      form.target = target;
      return form;
    }
  ADD_FAILURE() << text;
  return mmaForms().front();
}

std::uint64_t randomCode(Format format, std::mt19937_64& random) {
  std::uint64_t bits = random();
  switch (format) {
  case S4:
  case U4:
  case E2M1: return bits & 0xf;
  case E2M3:
  case E3M2: return bits & 0x3f;
  case B1: return bits & 1;
  default: {
    std::size_t bytes = mma::elementBytes(format);
    return bytes == 8 ? bits : bits & ((std::uint64_t{1} << 8 * bytes) - 1);
  }
  }
}

Codes randomMatrix(Format format, int products, int rows, int columns, std::mt19937_64& random) {
  Codes codes(products, rows, columns);
  for (std::uint64_t& code : codes.values)
    code = randomCode(format, random);
  return codes;
}

/// As harness/mma has it: one product, `depth` rows of B.
std::vector<std::byte> dense(const Codes& codes, Format format, int product, int rows, int columns) {
  std::size_t bytes = mma::elementBytes(format);
  std::vector<std::byte> made(count(rows * columns) * bytes);
  for (int i = 0; i < std::min(rows, codes.rows); ++i)
    for (int j = 0; j < std::min(columns, codes.columns); ++j) {
      std::uint64_t code = codes.at({product, i, j});
      std::memcpy(&made[count(i * columns + j) * bytes], &code, bytes);
    }
  return made;
}

class PtxMmaModel : public testing::TestWithParam<ModelOfForm> {};

TEST_P(PtxMmaModel, ComputesWhatTheModelOfItsTargetDoes) {
  const auto& [form, instruction, shape] = GetParam();
  auto [m, n, k] = form.shape;
  mma::Inputs inputs{form.a, form.b, form.scaling};
  const mma::Model& model = mma::findModel(mma::parseArch(form.target), instruction, inputs, form.d);
  mma::Options options;
  if (form.c != form.d) options.c = form.c;
  options.saturate = form.saturate;
  mma::Multiplier multiplier(model, inputs, shape, options);
  std::mt19937_64 random(11);
  for (int round = 0; round < 4; ++round) {
    int products = form.products();
    Codes a = randomMatrix(form.a, products, m, k, random), b = randomMatrix(form.b, products, k, n, random),
          c = randomMatrix(form.c, products, m, n, random);
    WarpResult result = runMma(form, packA(form, a, random), packB(form, b, random), packC(form, c));
    Codes d = unpackD(form, result.output);
    for (int p = 0; p < products; ++p) {
      std::vector<std::byte> denseA = dense(a, form.a, p, m, shape.k),
                             denseB = dense(b, form.b, p, shape.k, n), denseC = dense(c, form.c, p, m, n),
                             denseD(count(m * n) * mma::elementBytes(form.d));
      auto stride = count(n);
      multiplier.multiply({m, n, shape.k}, {denseD.data(), denseA.data(), denseB.data(), denseC.data(),
                                            stride, count(shape.k), stride, stride});
      EXPECT_EQ(dense(d, form.d, p, m, n), denseD) << form << ", product " << p;
    }
  }
}

constexpr auto kSync = mma::Instruction::MmaSync, kExpanded = mma::Instruction::MmaSyncExpanded;

INSTANTIATE_TEST_SUITE_P(
    Models, PtxMmaModel,
    testing::Values(
        ModelOfForm{formNamed("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f16", "sm_70"), kSync, {8, 8, 4}},
        ModelOfForm{formNamed("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16", "sm_86"), kSync, {16, 8, 8}},
        ModelOfForm{
            formNamed("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", "sm_75"), kSync, {16, 8, 8}},
        ModelOfForm{
            formNamed("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_80"), kSync, {16, 8, 16}},
        ModelOfForm{
            formNamed("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "sm_90a"), kSync, {16, 8, 16}},
        ModelOfForm{
            formNamed("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "sm_100a"), kSync, {16, 8, 16}},
        ModelOfForm{
            formNamed("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "sm_80"), kSync, {16, 8, 8}},
        ModelOfForm{formNamed("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "sm_80"), kSync, {8, 8, 4}},
        ModelOfForm{formNamed("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32", "sm_90"),
                    kSync,
                    {16, 8, 32}},
        ModelOfForm{
            formNamed("mma.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32", "sm_80"), kSync, {16, 8, 64}},
        ModelOfForm{
            formNamed("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", "sm_89"), kSync, {16, 8, 32}},
        ModelOfForm{formNamed("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "sm_90"),
                    kExpanded,
                    {16, 8, 32}},
        ModelOfForm{formNamed("mma.sync.aligned.m16n8k16.row.col.f16.e5m2.e5m2.f16", "sm_100a"),
                    kExpanded,
                    {16, 8, 32}},
        ModelOfForm{formNamed("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e3m2.e2m1.f32", "sm_120a"),
                    kSync,
                    {16, 8, 32}}),
    [](const auto& info) { return "n" + std::to_string(info.index); });

TEST(PtxMmaRounding, DirectedDoublesAreChainsOfFusedOperations) {
  for (auto [name, direction] : {std::pair("rz", FE_TOWARDZERO), std::pair("rm", FE_DOWNWARD),
                                 std::pair("rp", FE_UPWARD), std::pair("rn", FE_TONEAREST)}) {
    MmaForm form =
        formNamed(std::string("mma.sync.aligned.m16n8k8.row.col.") + name + ".f64.f64.f64.f64", "sm_90");
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    auto matrix = [&](int rows, int columns) {
      Codes codes(1, rows, columns);
      for (std::uint64_t& code : codes.values)
        code = std::bit_cast<std::uint64_t>(normal(random));
      return codes;
    };
    Codes a = matrix(16, 8), b = matrix(8, 8), c = matrix(16, 8);
    WarpResult result = runMma(form, packA(form, a, random), packB(form, b, random), packC(form, c));
    EXPECT_EQ(result.execution.approximations, 128u) << "the order of f64 sums is open";
    Codes d = unpackD(form, result.output);
    std::fesetround(direction);
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 8; ++j) {
        volatile double sum = std::bit_cast<double>(c.at({0, i, j}));
        for (int l = 0; l < 8; ++l)
          sum = std::fma(std::bit_cast<double>(a.at({0, i, l})), std::bit_cast<double>(b.at({0, l, j})), sum);
        double wanted = sum;
        EXPECT_EQ(d.at({0, i, j}), std::bit_cast<std::uint64_t>(wanted)) << name;
      }
    std::fesetround(FE_TONEAREST);
  }
}

// ---- scales

/// {byte-id, thread-id} select: of A, byte of lanes 2·thread + (row / 8) of quad row % 8; of B, of lane
/// `thread` of quad `column`.
TEST(PtxMmaScales, AreReadWhereTheSelectorsSay) {
  struct ScaleCase {
    std::string text;
    int k, blocks;
    bool e4m3;
    std::vector<int> bytes;
  };
  const std::string start = "mma.sync.aligned.";
  for (const ScaleCase& one :
       {ScaleCase{"m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0",
                  32,
                  1,
                  false,
                  {0, 1, 2, 3}},
        ScaleCase{"m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0", 64, 2, false, {0, 2}},
        ScaleCase{"m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0",
                  64,
                  4,
                  false,
                  {0}},
        ScaleCase{"m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
                  64,
                  4,
                  true,
                  {0}}}) {
    MmaForm form = formNamed(start + one.text, "sm_120a");
    std::mt19937_64 random(7);
    for (int byteA : one.bytes)
      for (int threadA : {0, 1})
        for (int byteB : one.bytes)
          for (int threadB : {0, 1, 2, 3}) {
            Numbers a = smallMatrix(form.a, 1, 16, one.k, random),
                    b = smallMatrix(form.b, 1, one.k, 8, random), c = smallMatrix(form.c, 1, 16, 8, random);
            Registers s(1), t(1);
            for (std::size_t lane = 0; lane < 32; ++lane) // 2^-3 … 2^4, one byte each
              for (int byte = 0; byte < 4; ++byte) {
                auto code = [&] { return one.e4m3 ? 0x20 + random() % 8 * 8 : 124 + random() % 8; };
                s[0][lane] |= code() << 8 * byte;
                t[0][lane] |= code() << 8 * byte;
              }
            auto scaleAt = [&](const Registers& registers, int lane, int byte) {
              auto code = static_cast<unsigned>(registers[0][count(lane)] >> 8 * byte & 0xff);
              return one.e4m3 ? std::ldexp(1, static_cast<int>(code >> 3) - 7)
                              : std::ldexp(1, static_cast<int>(code) - 127);
            };
            std::string operands = ", s0, {" + std::to_string(byteA) + ", " + std::to_string(threadA) +
                                   "}, t0, {" + std::to_string(byteB) + ", " + std::to_string(threadB) + "}";
            WarpResult result =
                runMma(form, packA(form, a.codes, random), packB(form, b.codes, random), packC(form, c.codes),
                       {}, operands, {{"s", "b32", s}, {"t", "b32", t}});
            EXPECT_THAT(result.execution.undefined, IsEmpty());
            Codes d = unpackD(form, result.output);
            for (int i = 0; i < 16; ++i)
              for (int j = 0; j < 8; ++j) {
                double sum = c.values[count(i * 8 + j)];
                for (int l = 0; l < one.k; ++l) {
                  int block = l / (one.k / one.blocks);
                  sum += a.values[count(i * one.k + l)] * b.values[count(l * 8 + j)] *
                         scaleAt(s, i % 8 * 4 + threadA * 2 + i / 8, byteA + block) *
                         scaleAt(t, j * 4 + threadB, byteB + block);
                }
                ASSERT_EQ(mma::toDouble(F32, d.at({0, i, j})), sum) << one.text << operands;
              }
          }
  }
}

TEST(PtxMmaScales, SelectorsInRegistersMustBeValidAndUniform) {
  MmaForm form = formNamed("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
                           "sm_120a");
  Registers zero(4), ones(1), selectors(1);
  ones[0].fill(0x7f7f7f7f);
  auto undefined = [&] {
    return runMma(form, zero, Registers(2), zero, {}, ", s0, {h0, 0}, s0, {0, 0}",
                  {{"s", "b32", ones}, {"h", "b16", selectors}})
        .execution.undefined;
  };
  EXPECT_THAT(undefined(), IsEmpty());
  selectors[0].fill(1);
  EXPECT_THAT(undefined(), testing::ElementsAre(HasSubstr("out of range")));
  selectors[0].fill(2);
  EXPECT_THAT(undefined(), IsEmpty());
  selectors[0][7] = 0;
  EXPECT_THAT(undefined(), testing::ElementsAre(HasSubstr("differ from lane to lane")));
}

// ---- what PTX leaves open

TEST(PtxMmaOpen, InexactSumsAreCountedAndMoved) {
  MmaForm form = formNamed("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_90");
  std::mt19937_64 random(3);
  Codes a(1, 16, 16), b(1, 16, 8), c(1, 16, 8);
  for (int l = 0; l < 16; ++l) { // row 0 of A and column 0 of B: 1 + 2^-24; the others: whole numbers
    for (int i = 0; i < 16; ++i)
      a.at({0, i, l}) = mma::fromDouble(F16, 1);
    for (int j = 0; j < 8; ++j)
      b.at({0, l, j}) = mma::fromDouble(F16, 1);
  }
  a.at({0, 0, 3}) = b.at({0, 3, 0}) = mma::fromDouble(F16, 0x1p-12);
  auto d = [&](std::uint64_t seed) {
    ExecutionOptions options;
    options.approximationSeed = seed;
    WarpResult result = runMma(form, packA(form, a, random), packB(form, b, random), packC(form, c), options);
    EXPECT_EQ(result.execution.approximations, 1u) << "15 + 2^-24";
    return unpackD(form, result.output);
  };
  Codes exact = d(0), up = d(1), down = d(2);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j)
      if (i || j) {
        EXPECT_EQ(up.at({0, i, j}), exact.at({0, i, j}));
        EXPECT_EQ(down.at({0, i, j}), exact.at({0, i, j}));
      }
  EXPECT_EQ(mma::toDouble(F32, down.at({0, 0, 0})), 15);
  EXPECT_GT(mma::toDouble(F32, up.at({0, 0, 0})), 15);
  EXPECT_EQ(d(1).values, up.values) << "the same for the same operands";
}

// ---- what nobody wrote

TEST(PtxMmaUnwritten, ReachesWhatIsMadeOfIt) {
  WarpKernel kernel;
  kernel.inputs = {{"a", "b32", Registers(2)}, {"b", "b32", Registers(1)}};
  kernel.output = {"d", "f32", Registers(4)};
  kernel.body =
      ".reg .f32 c<4>;\n.reg .pred p;\nsetp.ne.u32 p, lane, 5;\n"
      "mov.f32 c0, 0f00000000;\nmov.f32 c1, c0;\nmov.f32 c2, c0;\n@p mov.f32 c3, c0;\n"
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {d0, d1, d2, d3}, {a0, a1}, {b0}, {c0, c1, c2, c3};";
  EXPECT_THAT(run(kernel).execution.unwritten,
              testing::ElementsAre(testing::AllOf(HasSubstr("d3"), HasSubstr("lane 5"))));
  kernel.body = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {d0, d1, d2, d3}, {a0, a1}, {b0}, "
                "{0f00000000, 0f00000000, 0f00000000, 0f00000000};";
  EXPECT_THAT(run(kernel).execution.unwritten, IsEmpty());
  kernel.body =
      ".reg .b32 x;\nmma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {d0, d1, d2, d3}, {a0, x}, {b0}, "
      "{0f00000000, 0f00000000, 0f00000000, 0f00000000};";
  EXPECT_EQ(run(kernel).execution.unwritten.size(), 2u) << "rows 8 to 15: d2 and d3";
}

TEST(PtxMmaWarp, MustBeWhole) {
  WarpKernel kernel;
  kernel.inputs = {{"a", "b32", Registers(2)}, {"b", "b32", Registers(1)}};
  kernel.output = {"d", "b32", Registers(2)};
  kernel.body = ".reg .pred p;\nsetp.lt.u32 p, lane, 16;\nmov.b32 d0, 0;\nmov.b32 d1, 0;\n"
                "@p mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {d0, d1}, {a0, a1}, {b0}, {d0, d1};";
  EXPECT_THAT(run(kernel).execution.undefined, testing::ElementsAre(HasSubstr("without all 32 lanes")));
}

// ---- refusals

struct Refusal {
  const char *target, *instruction, *why;
};

TEST(PtxMmaRefusals, SayWhy) {
  const Refusal refusals[] = {
      {"sm_90", "mma.sync.m16n8k8.row.col.f32.f16.f16.f32 {f0,f1,f2,f3}, {a0,a1}, {b0}, {f0,f1,f2,f3};",
       ".aligned"},
      {"sm_90", "mma.aligned.m16n8k8.row.col.f32.f16.f16.f32 {f0,f1,f2,f3}, {a0,a1}, {b0}, {f0,f1,f2,f3};",
       ".sync"},
      {"sm_90",
       "mma.sync.aligned.m16n8k8.row.row.f32.f16.f16.f32 {f0,f1,f2,f3}, {a0,a1}, {b0}, {f0,f1,f2,f3};",
       "A must be .row and B .col"},
      {"sm_90", "mma.sync.aligned.m16n8k8.row.f32.f16.f16.f32 {f0,f1,f2,f3}, {a0,a1}, {b0}, {f0,f1,f2,f3};",
       "layouts of A and B"},
      {"sm_90",
       "mma.sync.aligned.m16n8k12.row.col.f32.f16.f16.f32 {f0,f1,f2,f3}, {a0,a1}, {b0}, {f0,f1,f2,f3};",
       "no such shape"},
      {"sm_90", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {f0,f1,f2}, {a0,a1}, {b0}, {f0,f1,f2,f3};",
       "C or D takes a vector of 4 registers"},
      {"sm_90",
       "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {f0,f1,f2,f3}, {a0,a1,a2,a3}, {b0}, {f0,f1,f2,f3};",
       "A takes a vector of 2 registers"},
      {"sm_90", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {f0,f1,f2,f3}, {a0,a1}, b0, {f0,f1,f2,f3};",
       "B takes a vector of 1 registers"},
      {"sm_90",
       "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {f0,f1,f2,f3}, {f0,f1}, {b0}, {f0,f1,f2,f3};",
       "A of f16 takes registers of .b32 or .f16x2"},
      {"sm_90",
       "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {u0,u1,u2,u3}, {a0,a1}, {b0}, {f0,f1,f2,f3};",
       "C or D of f32 takes registers of .b32 or .f32"},
      {"sm_90", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f16 {f0,f1,f2,f3}, {a0,a1}, {b0}, {a0,a1};",
       "no C of f16 with D of f32"},
      {"sm_90",
       "mma.sync.aligned.m16n8k8.row.col.f32.bf16.tf32.f32 {f0,f1,f2,f3}, {a0,a1}, {b0}, {f0,f1,f2,f3};",
       "A of bf16 and B of tf32"},
      {"sm_90", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16 {f0,f1,f2,f3}, {a0,a1}, {b0}, {f0,f1,f2,f3};",
       "types of D, A, B and C"},
      {"sm_75",
       "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {f0,f1,f2,f3}, {a0,a1}, {b0}, {f0,f1,f2,f3};",
       "m16n8k8 of bf16 needs sm_80; the module's target is sm_75"},
      {"sm_80",
       "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32 {f0,f1,f2,f3}, {a0,a1}, {b0}, {f0,f1,f2,f3};",
       "needs sm_89"},
      {"sm_120",
       "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32 {f0,f1,f2,f3}, {a0,a1,a2,a3}, "
       "{b0,b1}, {f0,f1,f2,f3};",
       "needs sm_120a"},
      {"sm_75", "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {a0,a1}, {a0}, {b0}, {a0,a1};",
       "needs sm_80"},
      {"sm_80", "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor {a0,a1}, {a0}, {b0}, {a0,a1};",
       ".xor.popc or .and.popc"},
      {"sm_120a",
       "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.f32.e2m1.e2m1.f32.ue4m3 {f0,f1,f2,f3}, "
       "{a0,a1,a2,a3}, {b0,b1}, {f0,f1,f2,f3}, a0, {0,0}, b0, {0,0};",
       "no such .scale_vec"},
      {"sm_120a",
       "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 {f0,f1,f2,f3}, "
       "{a0,a1,a2,a3}, {b0,b1}, {f0,f1,f2,f3}, a0, {1,0}, b0, {0,0};",
       "selects no scale"},
      {"sm_120a",
       "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 {f0,f1,f2,f3}, "
       "{a0,a1,a2,a3}, {b0,b1}, {f0,f1,f2,f3}, f0, {0,0}, b0, {0,0};",
       "scales take a register of .b32"},
      {"sm_120a",
       "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.f32.e2m1.e2m1.f32.ue8m0 {f0,f1,f2,f3}, {a0,a1,a2,a3}, "
       "{b0,b1}, {f0,f1,f2,f3}, a0, {0,0}, b0, {0,0};",
       ".block_scale is required"},
      {"sm_90",
       "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {f0,f1,f2,f3}, {a0,a1,a2,a3}, {b0,b1,b2,b3}, "
       "{f0,f1,f2,f3}, u0, 0;",
       "sparse"},
      {"sm_90", "wgmma.fence.sync.aligned;", "does not know"},
      {"sm_90",
       "mma.sync.aligned.m16n8k8.row.col.satfinite.f32.f16.f16.f32 {f0,f1,f2,f3}, {a0,a1}, {b0}, "
       "{f0,f1,f2,f3};",
       "does not know"},
  };
  for (const Refusal& refusal : refusals) {
    WarpKernel kernel;
    kernel.target = refusal.target;
    kernel.inputs = {{"a", "b32", Registers(4)},
                     {"b", "b32", Registers(4)},
                     {"f", "f32", Registers(4)},
                     {"u", "u32", Registers(4)}};
    kernel.output = {"d", "b32", Registers(1)};
    kernel.body = "mov.b32 d0, 0;\n" + std::string(refusal.instruction);
    ExecutionResult result = run(kernel).execution;
    EXPECT_EQ(result.end, ExecutionEnd::Unsupported) << refusal.instruction;
    EXPECT_THAT(result.message, HasSubstr(refusal.why)) << refusal.instruction;
    EXPECT_THAT(result.message, HasSubstr("line ")) << refusal.instruction;
  }
}

// ---- as text

TEST(PtxMmaText, PrintsAsItIsWritten) {
  for (const MmaForm& form : mmaForms()) {
    std::string instruction = form.text + " {d0, d1}, {a0}, {b0}, {c0, c1}";
    if (form.scaling != Scaling::None) instruction += ", s, {0, 1}, t, {2, 3}";
    Module module = parseModule(
        ".version 9.1\n.target sm_120a\n.address_size 64\n.entry k()\n{\n" + instruction + ";\n}\n", "t");
    const auto& function = std::get<Function>(module.items.front());
    EXPECT_EQ(print(std::get<Instruction>(function.body->statements.front())), instruction);
  }
}

} // namespace
} // namespace harness::ptx::test

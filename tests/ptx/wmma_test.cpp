#include "tests/ptx/matrix_bench.h"
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

namespace harness::ptx::test {
namespace {

using mma::Format;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using enum mma::Format;

/// A wmma.mma with the registers that the PTX ISA (9.7.14.4.1) gives each matrix.
struct WmmaForm {
  mma::Shape shape;
  Format a, c, d;
  unsigned aRegisters, bRegisters;
  bool anyLayout = true;
};

const WmmaForm kForms[] = {
    {{16, 16, 16}, F16, F32, F32, 8, 8},     {{16, 16, 16}, F16, F16, F16, 8, 8},
    {{16, 16, 16}, F16, F16, F32, 8, 8},     {{16, 16, 16}, F16, F32, F16, 8, 8},
    {{8, 32, 16}, F16, F32, F32, 8, 8},      {{32, 8, 16}, F16, F16, F16, 8, 8},
    {{16, 16, 16}, BF16, F32, F32, 4, 4},    {{8, 32, 16}, BF16, F32, F32, 2, 8},
    {{32, 8, 16}, BF16, F32, F32, 8, 2},     {{16, 16, 8}, TF32, F32, F32, 4, 4},
    {{8, 8, 4}, F64, F64, F64, 1, 1},        {{16, 16, 16}, S8, S32, S32, 2, 2},
    {{16, 16, 16}, U8, S32, S32, 2, 2},      {{8, 32, 16}, S8, S32, S32, 1, 4},
    {{32, 8, 16}, U8, S32, S32, 4, 1},       {{8, 8, 32}, S4, S32, S32, 1, 1, false},
    {{8, 8, 32}, U4, S32, S32, 1, 1, false}, {{8, 8, 128}, B1, S32, S32, 1, 1, false},
};

std::string nameOf(Format format) {
  return std::string(mma::toString(format));
}

unsigned bitsOf(Format format) {
  return format == B1                   ? 1
         : format == S4 || format == U4 ? 4
                                        : static_cast<unsigned>(8 * mma::elementBytes(format));
}

/// A matrix of small numbers in memory, element after element along rows or columns, lines a stride apart.
struct Matrix {
  int rows, columns;
  Format format;
  bool columnMajor;
  int stride; ///< elements
  std::vector<double> values;
  std::vector<std::byte> memory;

  Matrix(int rowCount, int columnCount, Format of, bool byColumns, int extra)
      : rows(rowCount), columns(columnCount), format(of), columnMajor(byColumns),
        stride((byColumns ? rowCount : columnCount) + extra),
        values(static_cast<std::size_t>(rowCount * columnCount)),
        memory(static_cast<std::size_t>((byColumns ? columnCount : rowCount) * stride) * bitsOf(of) / 8,
               std::byte{0}) {}
  double& at(int row, int column) { return values[static_cast<std::size_t>(row * columns + column)]; }
  /// Bits from the start.
  std::size_t place(int row, int column) const {
    int element = columnMajor ? column * stride + row : row * stride + column;
    return static_cast<std::size_t>(element) * bitsOf(format);
  }
  void fill(std::mt19937_64& random) {
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        bool isUnsigned = format == U8 || format == U4;
        double value = format == B1 ? static_cast<double>(random() % 2)
                                    : static_cast<double>(random() % 6) - (isUnsigned ? 0 : 3);
        at(row, column) = value;
        auto code = format == B1 ? static_cast<std::uint64_t>(value) : mma::fromDouble(format, value);
        std::size_t bit = place(row, column);
        if (bitsOf(format) >= 8)
          std::memcpy(&memory[bit / 8], &code, bitsOf(format) / 8);
        else
          memory[bit / 8] |= static_cast<std::byte>((code & ((1u << bitsOf(format)) - 1)) << bit % 8);
      }
  }
  double read(int row, int column) const {
    std::uint64_t code = 0;
    std::memcpy(&code, &memory[place(row, column) / 8], bitsOf(format) / 8);
    return mma::toDouble(format, code);
  }
};

/// One warp with four matrices in global memory, at %a, %b, %c and %d.
struct Bench {
  std::string target = "sm_80";
  std::string declarations, body;
  ExecutionOptions options = {};
  ExecutionResult execution;

  void run(Matrix& a, Matrix& b, Matrix& c, Matrix& d) {
    GlobalMemory memory;
    Launch launch;
    launch.block = {32, 1, 1};
    std::pair<const char*, Matrix*> matrices[] = {{"a", &a}, {"b", &b}, {"c", &c}, {"d", &d}};
    std::string parameters, loads;
    for (auto [name, matrix] : matrices) {
      Allocation& allocation = memory.allocate(name, matrix->memory.size(), std::byte{0});
      std::memcpy(allocation.host, matrix->memory.data(), matrix->memory.size());
      std::vector<std::byte> address(8);
      std::memcpy(address.data(), &allocation.address, 8);
      launch.args.push_back(address);
      parameters += (parameters.empty() ? "" : ", ") + std::string(".param .b64 p") + name;
      loads += std::string("ld.param.b64 %") + name + ", [p" + name + "];\n";
    }
    std::string text = ".version 9.1\n.target " + target + "\n.address_size 64\n.visible .entry k(" +
                       parameters +
                       ")\n{\n.reg .b64 %a, %b, %c, %d;\n.reg .b32 lane;\nmov.u32 lane, %tid.x;\n" +
                       declarations + loads + body + "\nret;\n}\n";
    Program program(parseModule(text, "test"), "test");
    execution = execute(program, "k", launch, memory, options);
    std::memcpy(d.memory.data(), memory.bytes("d").data(), d.memory.size());
  }
};

std::string registerType(Format format) {
  return format == F64 ? "f64" : format == F32 ? "f32" : "b32";
}

unsigned accumulatorRegisters(const WmmaForm& form, Format format) {
  unsigned bits = bitsOf(format), width = bits == 64 ? 64 : 32;
  return static_cast<unsigned>(form.shape.m * form.shape.n) * bits / (32 * width);
}

std::string layout(bool columnMajor) {
  return columnMajor ? "col" : "row";
}

/// The four instructions, with `between` after the loads.
Bench program(const WmmaForm& form, const Matrix& a, const Matrix& b, const Matrix& c, const Matrix& d,
              const std::string& between = "") {
  unsigned cRegisters = accumulatorRegisters(form, form.c), dRegisters = accumulatorRegisters(form, form.d);
  std::string shape = mma::toString(form.shape);
  Bench bench;
  auto declare = [&](const char* name, Format format, unsigned registers) {
    bench.declarations +=
        ".reg ." + registerType(format) + " " + name + "<" + std::to_string(registers) + ">;\n";
  };
  declare("a", form.a, form.aRegisters);
  declare("b", form.a, form.bRegisters);
  declare("c", form.c, cRegisters);
  declare("d", form.d, dRegisters);
  auto load = [&](const std::string& name, const Matrix& matrix, unsigned registers) {
    bench.body += "wmma.load." + name + ".sync.aligned." + layout(matrix.columnMajor) + "." + shape + "." +
                  (name == "b" ? "global." : "") + nameOf(matrix.format) + " " + vectorOf(name, registers) +
                  ", [%" + name + "], " + std::to_string(matrix.stride) + ";\n";
  };
  load("a", a, form.aRegisters);
  load("b", b, form.bRegisters);
  load("c", c, cRegisters);
  bench.body += between;
  std::string multiply = form.a == B1 ? "wmma.mma.xor.popc" : "wmma.mma";
  std::string types =
      form.a == F16 ? nameOf(form.d) + "." + nameOf(form.c)
                    : nameOf(form.d) + "." + nameOf(form.a) + "." + nameOf(form.a) + "." + nameOf(form.c);
  bench.body += multiply + ".sync.aligned." + layout(a.columnMajor) + "." + layout(b.columnMajor) + "." +
                shape + "." + types + " " + vectorOf("d", dRegisters) + ", " +
                vectorOf("a", form.aRegisters) + ", " + vectorOf("b", form.bRegisters) + ", " +
                vectorOf("c", cRegisters) + ";\n";
  bench.body += "wmma.store.d.sync.aligned." + layout(d.columnMajor) + "." + shape + "." + nameOf(form.d) +
                " [%d], " + vectorOf("d", dRegisters) + ", " + std::to_string(d.stride) + ";\n";
  return bench;
}

double productOf(Format format, double x, double y) {
  return format == B1 ? std::fabs(x - y) : x * y;
}

void expectProduct(const WmmaForm& form, Matrix& a, Matrix& b, Matrix& c, const Matrix& d, double scale = 1) {
  for (int i = 0; i < form.shape.m; ++i)
    for (int j = 0; j < form.shape.n; ++j) {
      double sum = scale * c.at(i, j);
      for (int l = 0; l < form.shape.k; ++l)
        sum += productOf(form.a, a.at(i, l), b.at(l, j));
      ASSERT_EQ(d.read(i, j), sum) << mma::toString(form.shape) << " of " << nameOf(form.a) << " " << i << " "
                                   << j;
    }
}

TEST(PtxWmma, LoadsMultipliesAndStores) {
  std::mt19937_64 random(1);
  for (const WmmaForm& form : kForms)
    for (unsigned layouts = 0; layouts < 16; ++layouts)
      for (int extra : {0, 128}) {
        bool aColumns = layouts & 1, bColumns = !(layouts & 2);
        if (!form.anyLayout && (aColumns || !bColumns)) continue;
        auto [m, n, k] = form.shape;
        Matrix a(m, k, form.a, aColumns, extra), b(k, n, form.a, bColumns, extra),
            c(m, n, form.c, layouts & 4, extra), d(m, n, form.d, layouts & 8, extra);
        a.fill(random);
        b.fill(random);
        c.fill(random);
        Bench bench = program(form, a, b, c, d);
        bench.run(a, b, c, d);
        ASSERT_EQ(bench.execution.end, ExecutionEnd::Completed) << bench.execution.message << "\n"
                                                                << bench.body;
        EXPECT_THAT(bench.execution.undefined, IsEmpty()) << bench.body;
        EXPECT_THAT(bench.execution.unwritten, IsEmpty());
        EXPECT_EQ(bench.execution.approximations, 0u);
        expectProduct(form, a, b, c, d);
      }
}

/// 9.7.14.4.1: a fragment may be treated register by register, all elements alike; and strides have defaults.
TEST(PtxWmma, ElementsMayBeScaledAlike) {
  std::mt19937_64 random(2);
  const WmmaForm& form = kForms[0];
  Matrix a(16, 16, F16, false, 0), b(16, 16, F16, true, 0), c(16, 16, F32, false, 0), d(16, 16, F32, true, 0);
  a.fill(random);
  b.fill(random);
  c.fill(random);
  std::string scaled;
  for (int i = 0; i < 8; ++i)
    scaled += "mul.rn.f32 c" + std::to_string(i) + ", c" + std::to_string(i) + ", 0f40400000;\n";
  Bench bench = program(form, a, b, c, d, scaled);
  for (std::size_t at; (at = bench.body.find(", 16;")) != std::string::npos;)
    bench.body.erase(at, 4);
  bench.run(a, b, c, d);
  ASSERT_EQ(bench.execution.end, ExecutionEnd::Completed) << bench.execution.message << bench.body;
  expectProduct(form, a, b, c, d, 3);
}

TEST(PtxWmma, MovesThroughSharedMemory) {
  std::mt19937_64 random(3);
  const WmmaForm& form = kForms[0];
  Matrix a(16, 16, F16, false, 0), b(16, 16, F16, true, 0), c(16, 16, F32, false, 0),
      d(16, 16, F32, false, 0);
  a.fill(random);
  b.fill(random);
  c.fill(random);
  auto bench = [&](const std::string& load) {
    Bench made = program(form, a, b, c, d, load);
    made.declarations +=
        ".shared .align 32 .b8 s[1024];\n.reg .b64 %s;\nmov.b64 %s, s;\ncvta.shared.u64 %s, %s;\n";
    made.run(a, b, c, d);
    return made.execution;
  };
  std::string store =
      "wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [s], {c0, c1, c2, c3, c4, c5, c6, c7};\n"
      "bar.sync 0;\n";
  for (const char* load : {"wmma.load.c.sync.aligned.row.m16n16k16.shared::cta.f32 ",
                           "wmma.load.c.sync.aligned.row.m16n16k16.f32 "}) {
    std::string registers = "{c0, c1, c2, c3, c4, c5, c6, c7}";
    bool generic = std::string(load).find("shared") == std::string::npos;
    ExecutionResult result = bench(store + load + registers + (generic ? ", [%s];\n" : ", [s];\n"));
    ASSERT_EQ(result.end, ExecutionEnd::Completed) << result.message;
    EXPECT_THAT(result.unwritten, IsEmpty());
    expectProduct(form, a, b, c, d);
    EXPECT_EQ(bench(load + registers + (generic ? ", [%s];\n" : ", [s];\n")).unwritten.size(), 1u)
        << "shared memory that nobody wrote reaches D";
  }
}

TEST(PtxWmma, WhatIsUndefinedIsReported) {
  const WmmaForm& form = kForms[0];
  Matrix a(16, 16, F16, false, 64), b(16, 16, F16, true, 64), c(16, 16, F32, false, 64),
      d(16, 16, F32, false, 64);
  auto undefined = [&](const std::string& from, const std::string& to, const std::string& before = "") {
    Bench bench = program(form, a, b, c, d);
    std::size_t at = bench.body.find(from);
    bench.body.replace(at, from.size(), to);
    bench.body = before + bench.body;
    bench.run(a, b, c, d);
    return bench.execution.undefined;
  };
  EXPECT_THAT(undefined("[%a], 80", "[%a], 8"), ElementsAre(HasSubstr("stride less than the matrix's own")));
  EXPECT_THAT(undefined("[%a], 80", "[%a], 20"), ElementsAre(HasSubstr("multiples of 16 bytes")));
  EXPECT_THAT(undefined("[%a], 80", "[%a+8], 24"), ElementsAre(HasSubstr("multiples of 16 bytes")));
  EXPECT_THAT(undefined("[%a], 80", "[%a], 24"), IsEmpty());
  EXPECT_THAT(undefined("[%a], 80", "[%a], lane", "add.u32 lane, lane, 32;\n"),
              testing::Contains(HasSubstr("strides that differ")));
  EXPECT_THAT(undefined("[%a], 80", "[%x], 80", ".reg .b64 %x;\nmad.wide.u32 %x, lane, 32, %a;\n"),
              ElementsAre(HasSubstr("addresses that differ")));
}

TEST(PtxWmma, FaultsOutOfBounds) {
  const WmmaForm& form = kForms[0];
  Matrix a(16, 16, F16, false, 0), b(16, 16, F16, true, 0), c(16, 16, F32, false, 0),
      d(16, 16, F32, false, 0);
  Bench bench = program(form, a, b, c, d);
  std::size_t at = bench.body.find("[%a], 16");
  bench.body.replace(at, 8, "[%a], 24");
  bench.run(a, b, c, d);
  EXPECT_EQ(bench.execution.end, ExecutionEnd::Fault);
  EXPECT_THAT(bench.execution.message, HasSubstr("of 'a'"));
}

struct Refusal {
  const char *target, *instruction, *why;
};

TEST(PtxWmmaRefusals, SayWhy) {
  const Refusal refusals[] = {
      {"sm_80", "wmma.load.a.sync.row.m16n16k16.f16 {r0,r1,r2,r3,r4,r5,r6,r7}, [%a];", ".aligned"},
      {"sm_80", "wmma.load.sync.aligned.row.m16n16k16.f16 {r0,r1,r2,r3,r4,r5,r6,r7}, [%a];", ".a, .b or .c"},
      {"sm_80", "wmma.load.a.sync.aligned.m16n16k16.f16 {r0,r1,r2,r3,r4,r5,r6,r7}, [%a];",
       "shape, layout and type"},
      {"sm_80", "wmma.load.a.sync.aligned.row.m16n16k16.f16 {r0,r1,r2,r3}, [%a];",
       "A takes a vector of 8 registers"},
      {"sm_80", "wmma.load.a.sync.aligned.row.m16n16k16.f16 {f0,f1,f2,f3,f4,f5,f6,f7}, [%a];",
       "registers of .b32 or .f16x2"},
      {"sm_80", "wmma.load.a.sync.aligned.row.m16n16k16.tf32 {r0,r1,r2,r3}, [%a];",
       "there is no m16n16k16 with a matrix of tf32"},
      {"sm_80", "wmma.load.a.sync.aligned.row.m16n16k16.local.f16 {r0,r1,r2,r3,r4,r5,r6,r7}, [%a];",
       "does not know"},
      {"sm_80", "wmma.load.c.sync.aligned.row.m16n16k16.bf16 {r0,r1,r2,r3}, [%a];", "there is no"},
      {"sm_80", "wmma.load.a.sync.aligned.col.m8n8k32.s4 {r0}, [%a];", "A must be .row and B .col"},
      {"sm_70", "wmma.load.a.sync.aligned.row.m16n16k16.bf16 {r0,r1,r2,r3}, [%a];", "needs sm_80"},
      {"sm_80", "wmma.store.c.sync.aligned.row.m16n16k16.f32 [%a], {f0,f1,f2,f3,f4,f5,f6,f7};",
       ".d is required"},
      {"sm_80",
       "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16.f16.f32 {f0,f1,f2,f3,f4,f5,f6,f7}, "
       "{r0,r1,r2,r3,r4,r5,r6,r7}, {r0,r1,r2,r3,r4,r5,r6,r7}, {f0,f1,f2,f3,f4,f5,f6,f7};",
       "of f16 those of D and C"},
      {"sm_80",
       "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32 {r0,r1,r2,r3,r4,r5,r6,r7}, {r0,r1}, {r0,r1}, "
       "{r0,r1,r2,r3,r4,r5,r6,r7};",
       "A of s8 and B of u8"},
      {"sm_75", "wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 {d0,d1}, {d0}, {d0}, {d0,d1};",
       "needs sm_80"},
  };
  for (const Refusal& refusal : refusals) {
    Bench bench;
    bench.target = refusal.target;
    bench.declarations = ".reg .b32 r<8>;\n.reg .f32 f<8>;\n.reg .f64 d<2>;\n";
    bench.body = refusal.instruction;
    Matrix a(16, 16, F16, false, 0), b = a, c = a, d = a;
    bench.run(a, b, c, d);
    EXPECT_EQ(bench.execution.end, ExecutionEnd::Unsupported) << refusal.instruction;
    EXPECT_THAT(bench.execution.message, HasSubstr(refusal.why)) << refusal.instruction;
  }
}

} // namespace
} // namespace harness::ptx::test

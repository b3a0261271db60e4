#include "harness/base/log.h"
#include "harness/base/text.h"
#include "harness/cli/mma.h"
#include "harness/cli/mma_matrix.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <random>
#include <thread>

namespace harness::cli {

using namespace mma;

namespace {

struct EvalArguments {
  InstructionArguments instruction;
  std::string a, b, c, aScales, bScales, size, compare, expected;
  std::optional<std::uint64_t> seed;
  bool bits = false, json = false, saturate = false, bitAnd = false;
};

/// What is multiplied, whatever computes it.
struct Problem {
  Shape size;
  Matrix a, b, c, aScales, bScales;
};

/// D of one instruction.
struct Outcome {
  std::string name; ///< of the model
  Shape shape;
  Matrix d;
};

// ---- where matrices come from

Shape sizeOf(const EvalArguments& arguments, const Model& model) {
  if (arguments.size.empty()) {
    Shape shape = arguments.instruction.shapeOf(model, 1 << 20); // the deepest
    return {std::min(shape.m, 64), std::min(shape.n, 64), shape.k};
  }
  std::vector<std::string> parts = split(arguments.size, 'x');
  int numbers[3] = {};
  bool good = parts.size() == 3;
  for (std::size_t i = 0; good && i < 3; ++i) {
    auto [end, error] = std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), numbers[i]);
    good = error == std::errc() && end == parts[i].data() + parts[i].size() && numbers[i] > 0 &&
           numbers[i] <= 4096;
  }
  if (!good) failUsage("'{0}' is no size like 16x16x64 (m, n, k, each at most 4096)", arguments.size);
  return {numbers[0], numbers[1], numbers[2]};
}

/// Numbers of [-1, 1), or any integers: the same on every machine.
Matrix randomMatrix(Format format, int rows, int columns, std::mt19937_64& random) {
  Matrix matrix(format, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
  for (std::size_t i = 0; i < matrix.rows; ++i)
    for (std::size_t j = 0; j < matrix.columns; ++j) {
      std::uint64_t bits = random();
      double value = static_cast<double>(bits >> 11) * 0x1p-52 - 1;
      bool small = isInteger(format) && format != Format::S32;
      std::uint64_t mask = format == Format::S4 || format == Format::U4 ? 15
                           : format == Format::B1                       ? 0xffffffff
                                                                        : 255;
      matrix.put(i, j,
                 small ? bits & mask : fromDouble(format, format == Format::S32 ? value * 1000 : value));
    }
  return matrix;
}

Matrix randomScales(Scaling scaling, std::size_t rows, std::size_t columns, std::mt19937_64& random) {
  Matrix scales(Format::U8, rows, columns);
  for (std::uint8_t& code : scales.bytes)
    code = static_cast<std::uint8_t>(scaling == Scaling::Nvf4 ? 0x30 + random() % 16 : 125 + random() % 5);
  return scales;
}

std::size_t blocksOf(const Problem& problem, Scaling scaling) {
  std::size_t block = static_cast<std::size_t>(blockOf(scaling));
  return (static_cast<std::size_t>(problem.size.k) + block - 1) / block;
}

int wordsOf(Format format, int k) {
  return format == Format::B1 ? (k + 31) / 32 : k;
}

Problem randomProblem(const EvalArguments& arguments, const Model& model, const Inputs& inputs, Format c) {
  std::mt19937_64 random(*arguments.seed);
  Problem problem;
  problem.size = sizeOf(arguments, model);
  problem.a = randomMatrix(inputs.a, problem.size.m, wordsOf(inputs.a, problem.size.k), random);
  problem.b = randomMatrix(inputs.b, wordsOf(inputs.b, problem.size.k), problem.size.n, random);
  problem.c = randomMatrix(c, problem.size.m, problem.size.n, random);
  if (inputs.scaling != Scaling::None) {
    problem.aScales = randomScales(inputs.scaling, problem.a.rows, blocksOf(problem, inputs.scaling), random);
    problem.bScales =
        randomScales(inputs.scaling, blocksOf(problem, inputs.scaling), problem.b.columns, random);
  }
  return problem;
}

void requireSize(const std::string& what, const Matrix& matrix, std::size_t rows, std::size_t columns) {
  if (matrix.rows != rows || matrix.columns != columns)
    failUsage("{0} is {1}x{2}, but {3}x{4} is needed", what, matrix.rows, matrix.columns, rows, columns);
}

Problem problemFromFiles(const EvalArguments& arguments, const Inputs& inputs, Format c) {
  if (arguments.a.empty() || arguments.b.empty())
    failUsage("matrices come from --a and --b (and --c), or from --seed");
  Problem problem;
  std::size_t inexact = 0;
  problem.a = readMatrix(arguments.a, inputs.a, inexact);
  problem.b = readMatrix(arguments.b, inputs.b, inexact);
  requireSize("B", problem.b, problem.a.columns, problem.b.columns);
  int words = static_cast<int>(problem.a.columns);
  problem.size = {static_cast<int>(problem.a.rows), static_cast<int>(problem.b.columns),
                  inputs.a == Format::B1 ? 32 * words : words};
  problem.c = arguments.c.empty() ? Matrix(c, problem.a.rows, problem.b.columns)
                                  : readMatrix(arguments.c, c, inexact);
  requireSize("C", problem.c, problem.a.rows, problem.b.columns);
  if (inexact) Log::warning(llvm::formatv("{0} numbers were rounded to the nearest element", inexact).str());
  if (inputs.scaling != Scaling::None) {
    if (arguments.aScales.empty() || arguments.bScales.empty())
      failUsage("{0} needs --a-scales and --b-scales", arguments.instruction.format);
    bool ue8m0 = inputs.scaling != Scaling::Nvf4;
    problem.aScales = readScales(arguments.aScales, ue8m0);
    problem.bScales = readScales(arguments.bScales, ue8m0);
    requireSize("the scales of A", problem.aScales, problem.a.rows, blocksOf(problem, inputs.scaling));
    requireSize("the scales of B", problem.bScales, blocksOf(problem, inputs.scaling), problem.b.columns);
  }
  return problem;
}

Outcome evaluate(const EvalArguments& arguments, const Model& model, const Problem& problem) {
  Options options;
  options.saturate = arguments.saturate;
  options.bits = arguments.bitAnd ? BitOperation::And : BitOperation::Xor;
  Shape shape = arguments.instruction.shapeOf(model, 1 << 20);
  Multiplier multiplier =
      asUsage("", [&] { return Multiplier(model, arguments.instruction.inputs(), shape, options); });
  Outcome outcome{model.name(), shape, Matrix(model.accumulator, problem.c.rows, problem.c.columns)};
  gemm(multiplier, problem.size, outcome.d.bytes.data(), problem.a.bytes.data(), problem.b.bytes.data(),
       problem.c.bytes.data(), std::thread::hardware_concurrency(), problem.aScales.bytes.data(),
       problem.bScales.bytes.data());
  return outcome;
}

// ---- how results are shown

std::string hexOf(const Matrix& matrix, std::size_t row, std::size_t column) {
  char text[20];
  std::snprintf(text, sizeof text, "0x%0*llx", static_cast<int>(2 * elementBytes(matrix.format)),
                static_cast<unsigned long long>(matrix.code(row, column)));
  return text;
}

/// As short as gives the same element again.
std::string valueOf(const Matrix& matrix, std::size_t row, std::size_t column) {
  double value = matrix.value(row, column);
  char text[40];
  auto end = matrix.format == Format::F64
                 ? std::to_chars(text, text + sizeof text, value).ptr
                 : std::to_chars(text, text + sizeof text, static_cast<float>(value)).ptr;
  if (matrix.format == Format::S32)
    end = std::to_chars(text, text + sizeof text, static_cast<std::int64_t>(value)).ptr;
  return {text, end};
}

void printMatrix(const Matrix& matrix, bool bits) {
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    std::string line;
    for (std::size_t j = 0; j < matrix.columns; ++j)
      line += (j ? " " : "") + (bits ? hexOf(matrix, i, j) : valueOf(matrix, i, j));
    std::printf("%s\n", line.c_str());
  }
}

nlohmann::ordered_json toJson(const Outcome& outcome) {
  nlohmann::ordered_json values = nlohmann::ordered_json::array(), bits = values;
  for (std::size_t i = 0; i < outcome.d.rows; ++i) {
    nlohmann::ordered_json valueRow = nlohmann::ordered_json::array(), bitRow = valueRow;
    for (std::size_t j = 0; j < outcome.d.columns; ++j) {
      double value = outcome.d.value(i, j);
      valueRow.push_back(std::isfinite(value) ? nlohmann::ordered_json(value)
                                              : nlohmann::ordered_json(valueOf(outcome.d, i, j)));
      bitRow.push_back(hexOf(outcome.d, i, j));
    }
    values.push_back(std::move(valueRow));
    bits.push_back(std::move(bitRow));
  }
  return {{"model", outcome.name}, {"shape", toString(outcome.shape)}, {"d", values}, {"bits", bits}};
}

/// Elements that differ, NaNs counting as equal, and the first of them.
std::size_t printDifferences(const std::string& left, const Matrix& a, const std::string& right,
                             const Matrix& b) {
  constexpr std::size_t kShown = 20;
  std::size_t differ = 0;
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) {
      bool nans = std::isnan(a.value(i, j)) && std::isnan(b.value(i, j));
      if (a.code(i, j) == b.code(i, j) || nans) continue;
      if (differ++ >= kShown) continue;
      std::printf("row %zu, column %zu: %s %s (%s), %s %s (%s)\n", i, j, left.c_str(), hexOf(a, i, j).c_str(),
                  valueOf(a, i, j).c_str(), right.c_str(), hexOf(b, i, j).c_str(), valueOf(b, i, j).c_str());
    }
  if (differ > kShown) std::printf("and %zu more\n", differ - kShown);
  std::printf("%zu of %zu elements differ\n", differ, a.rows * a.columns);
  return differ;
}

/// "sm_90" or "sm_90/wgmma".
const Model& modelNamed(const EvalArguments& arguments, const std::string& name) {
  std::size_t slash = name.find('/');
  std::string instruction =
      slash == std::string::npos ? arguments.instruction.instruction : name.substr(slash + 1);
  return arguments.instruction.modelOn(name.substr(0, slash), instruction);
}

ExitCode compareTwo(const EvalArguments& arguments) {
  std::vector<std::string> names = split(arguments.compare, ',');
  if (names.size() != 2) failUsage("--compare takes two, e.g. sm_80,sm_90 or sm_89,sm_90/wgmma");
  const Model &left = modelNamed(arguments, names[0]), &right = modelNamed(arguments, names[1]);
  Inputs inputs = arguments.instruction.inputs();
  Problem problem = arguments.seed ? randomProblem(arguments, left, inputs, left.accumulator)
                                   : problemFromFiles(arguments, inputs, left.accumulator);
  Outcome first = evaluate(arguments, left, problem), second = evaluate(arguments, right, problem);
  if (arguments.json)
    std::printf("%s\n", nlohmann::ordered_json({toJson(first), toJson(second)}).dump(2).c_str());
  else
    printDifferences(names[0], first.d, names[1], second.d);
  return ExitCode::Ok;
}

ExitCode eval(const EvalArguments& arguments) {
  if (!arguments.compare.empty()) return compareTwo(arguments);
  if (arguments.instruction.arch.empty()) failUsage("--arch or --compare says which architecture computes");
  const Model& model = arguments.instruction.model();
  InstructionArguments::noteAlike(arguments.instruction.arch);
  Inputs inputs = arguments.instruction.inputs();
  Problem problem = arguments.seed ? randomProblem(arguments, model, inputs, model.accumulator)
                                   : problemFromFiles(arguments, inputs, model.accumulator);
  Outcome outcome = evaluate(arguments, model, problem);
  if (!arguments.expected.empty()) {
    std::size_t inexact = 0;
    Matrix expected = readMatrix(arguments.expected, model.accumulator, inexact);
    requireSize("D", expected, outcome.d.rows, outcome.d.columns);
    std::size_t differ = printDifferences("expected", expected, model.name(), outcome.d);
    return differ ? ExitCode::Regressed : ExitCode::Ok;
  }
  if (arguments.json)
    std::printf("%s\n", toJson(outcome).dump(2).c_str());
  else
    printMatrix(outcome.d, arguments.bits);
  return ExitCode::Ok;
}

} // namespace

void addMmaEval(CLI::App& command, Action& action) {
  CLI::App* sub = command.add_subcommand("eval", "D = A·B + C as an architecture computes it, of any size");
  auto arguments = std::make_shared<EvalArguments>();
  sub->add_option("--arch", arguments->instruction.arch, "sm_90 …");
  arguments->instruction.addTo(*sub);
  sub->add_option("--a", arguments->a, "A: a line a row; numbers, or 0x… for an element's bits");
  sub->add_option("--b", arguments->b, "B, k rows");
  sub->add_option("--c", arguments->c, "C (default: zeros)");
  sub->add_option("--a-scales", arguments->aScales, "Scales of A: m rows, one number for each block of k");
  sub->add_option("--b-scales", arguments->bScales, "Scales of B: a row for each block of k, n numbers");
  sub->add_option("--seed", arguments->seed, "Random matrices instead of files");
  sub->add_option("--size", arguments->size, "Their size, m x n x k: 16x16x64 (default: the shape's)");
  sub->add_option("--compare", arguments->compare,
                  "Where two architectures differ: sm_80,sm_90 or sm_89,sm_90/wgmma");
  sub->add_option("--expected", arguments->expected,
                  "Compare with this D, e.g. of a GPU; exits with 1 if one differs");
  sub->add_flag("--satfinite", arguments->saturate, "Integers: clamp");
  sub->add_flag("--and", arguments->bitAnd, "b1: and instead of xor");
  sub->add_flag("--bits", arguments->bits, "Print elements as hex");
  sub->add_flag("--json", arguments->json, "Print JSON");
  sub->callback([=, &action] { action = [=] { return eval(*arguments); }; });
}

} // namespace harness::cli

#include "harness/cli/mma.h"

#include "harness/base/files.h"
#include "harness/base/log.h"
#include "harness/base/text.h"
#include "harness/mma/vector_file.h"
#include "harness/report/table.h"

#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

namespace harness::cli {

using namespace mma;

void InstructionArguments::addTo(CLI::App& command) {
  command
      .add_option("--format", format,
                  "Of A and B: f16 bf16 tf32 e4m3 e5m2 e2m3 e3m2 e2m1 s8 u8 s4 u4 b1 f64; e4m3*e5m2; mx-e4m3 "
                  "…, mxf4, nvf4")
      ->required();
  command.add_option("--instruction", instruction, "mma.sync, wgmma, tcgen05, mma.sync-expanded")
      ->capture_default_str();
  command.add_option("--shape", shape, "m16n8k16 …");
  command.add_option("--accumulate", accumulate, "f16, f32 (default: f32; s32 of integers, f64 of f64)");
}

Inputs InstructionArguments::inputs() const {
  return asUsage("", [&] { return parseInputs(format); });
}

Format InstructionArguments::accumulator() const {
  Format a = inputs().a;
  Format natural = isInteger(a) ? Format::S32 : a == Format::F64 ? Format::F64 : Format::F32;
  if (accumulate.empty()) return natural;
  auto named = parseFormat(accumulate);
  if (named != natural && !(named == Format::F16 && natural == Format::F32))
    failUsage("{0} is not accumulated in '{1}': {2}", format, accumulate,
              natural == Format::F32 ? "f16, f32" : toString(natural));
  return *named;
}

const Model& InstructionArguments::modelOn(const std::string& onArch, const std::string& named) const {
  return asUsage("", [&]() -> const Model& {
    return findModel(parseArch(onArch), parseInstruction(named), inputs(), accumulator());
  });
}

Shape InstructionArguments::shapeOf(const Model& model, int k) const {
  if (!shape.empty()) return asUsage("", [&] { return parseShape(shape); });
  const Shape* best = &model.shapes.front();
  for (const Shape& one : model.shapes) {
    bool deepEnough = best->k >= k;
    if (deepEnough ? one.k >= k && one.k < best->k : one.k > best->k) best = &one;
  }
  return *best;
}

void InstructionArguments::noteAlike(const std::string& arch) {
  unsigned sm = parseArch(arch), table = tableArch(sm);
  if (sm != table && sm != 86)
    Log::info(llvm::formatv("sm_{0} is taken to be like sm_{1}, on no evidence", sm, table).str());
}

namespace {

std::string formatsOf(const Model& model) {
  std::vector<std::string> names;
  for (Format format : model.formats)
    names.push_back(toString(Inputs{format, format, model.scaling}));
  return join(names, " ");
}

std::string stepOf(const Model& model) {
  switch (model.arithmetic) {
  case Arithmetic::FmaChain: return "fma after fma";
  case Arithmetic::Integers: return "exact";
  case Arithmetic::Bits: return "exact: popc of xor, and";
  default: break;
  }
  const Step& step = model.step;
  const char* terms = model.arithmetic == Arithmetic::ScaledBlocks ? "terms" : "products";
  std::string text =
      llvm::formatv("{0} {1}, {2} bits, floor {3}, {4} to {5}", step.products, terms, step.fraction,
                    step.floor, step.rounding == Rounding::TowardZero ? "RZ" : "RNE", step.outFraction);
  if (model.arithmetic == Arithmetic::ExpandedChain) text += "; high(low) + C";
  if (model.arithmetic == Arithmetic::ExpandedTree) text += "; (low + high) + C";
  return text;
}

std::vector<std::string> shapeNames(const Model& model) {
  std::vector<std::string> names;
  for (const Shape& shape : model.shapes)
    names.push_back(toString(shape));
  return names;
}

nlohmann::ordered_json toJson(const Model& model) {
  nlohmann::ordered_json formats = nlohmann::ordered_json::array();
  for (Format format : model.formats)
    formats.push_back(toString(Inputs{format, format, model.scaling}));
  constexpr const char* kArithmetics[] = {"fused",     "expanded-chain", "expanded-tree", "scaled-blocks",
                                          "fma-chain", "integers",       "bits"};
  bool steps = model.step.products > 0;
  nlohmann::ordered_json step;
  if (steps)
    step = {{"products", model.step.products},
            {"fraction", model.step.fraction},
            {"floor", model.step.floor},
            {"out_fraction", model.step.outFraction},
            {"rounding", model.step.rounding == Rounding::TowardZero ? "toward-zero" : "nearest-even"}};
  return {{"name", model.name()},
          {"arch", "sm_" + std::to_string(model.sm)},
          {"instruction", toString(model.instruction)},
          {"formats", formats},
          {"accumulator", toString(model.accumulator)},
          {"shapes", shapeNames(model)},
          {"arithmetic", kArithmetics[static_cast<std::size_t>(model.arithmetic)]},
          {"step", step},
          {"status", toString(model.status)},
          {"evidence", model.evidence},
          {"open", model.open.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(model.open)}};
}

std::size_t terminalWidth() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// What is open, once for all rows that share it.
void printOpen(const std::vector<const Model*>& rows, std::size_t width) {
  std::vector<std::pair<std::string_view, std::vector<std::string>>> questions;
  for (const Model* model : rows) {
    if (model->open.empty()) continue;
    auto known = std::find_if(questions.begin(), questions.end(),
                              [&](const auto& one) { return one.first == model->open; });
    if (known == questions.end()) known = questions.insert(known, {model->open, {}});
    known->second.push_back(model->name());
  }
  if (questions.empty()) return;
  std::printf("\nnot known, and what would settle it\n");
  Table table;
  for (const auto& [open, names] : questions)
    table.add({std::to_string(names.size()) + (names.size() == 1 ? " row" : " rows"),
               joinFew(names, ", ", 3) + ": " + std::string(open)});
  Table::Style style;
  style.width = width;
  style.indent = 2;
  std::printf("%s", table.render(style).c_str());
}

ExitCode listModels(const std::string& arch, const std::string& format) {
  if (format != "text" && format != "json") failUsage("'{0}' is no format: text, json", format);
  std::vector<const Model*> rows;
  unsigned sm = arch.empty() ? 0 : asUsage("", [&] { return parseArch(arch); });
  for (const Model& model : models())
    if (arch.empty() || model.sm == tableArch(sm)) rows.push_back(&model);
  if (!arch.empty()) InstructionArguments::noteAlike(arch);
  if (format == "json") {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Model* model : rows)
      json.push_back(toJson(*model));
    std::printf("%s\n", json.dump(2).c_str());
    return ExitCode::Ok;
  }
  Table table({"arch", "instruction", "A, B", "D", "a step", "status", "known from"});
  for (const Model* model : rows)
    table.add({"sm_" + std::to_string(model->sm), std::string(toString(model->instruction)),
               formatsOf(*model), std::string(toString(model->accumulator)), stepOf(*model),
               std::string(toString(model->status)), std::string(model->evidence)});
  Table::Style style;
  style.width = terminalWidth();
  std::printf("%s", table.render(style).c_str());
  printOpen(rows, style.width);
  return ExitCode::Ok;
}

struct CheckArguments {
  InstructionArguments instruction;
  std::string file, c;
};

UseOfC useOfC(const CheckArguments& arguments) {
  if (arguments.c.empty())
    return arguments.instruction.accumulator() == Format::F16 ? UseOfC::AsF16 : UseOfC::AsF32;
  if (arguments.c == "ignore") return UseOfC::Ignore;
  if (arguments.c == "f16") return UseOfC::AsF16;
  if (arguments.c == "f32") return UseOfC::AsF32;
  failUsage("'{0}' is no use of c: ignore, f16, f32", arguments.c);
}

ExitCode checkFile(const CheckArguments& arguments) {
  constexpr std::size_t kShown = 10;
  UseOfC use = useOfC(arguments);
  const Model& model = arguments.instruction.model();
  InstructionArguments::noteAlike(arguments.instruction.arch);
  std::string where = arguments.file + ", ";
  std::vector<Record> records = asUsage(where, [&] { return readRecords(readFile(arguments.file)); });
  if (records.empty()) failUsage("{0}: no record", arguments.file);
  if (!isNarrowFloat(arguments.instruction.inputs().a) || model.scaling != Scaling::None)
    failUsage("files of vectors are of f16, bf16, tf32, FP8 or FP6, not of {0}",
              arguments.instruction.format);
  Options options;
  if (use == UseOfC::AsF32 && model.accumulator == Format::F16) options.c = Format::F32;
  Shape shape = arguments.instruction.shapeOf(model, static_cast<int>(records.front().a.size()));
  Multiplier multiplier =
      asUsage("", [&] { return Multiplier(model, arguments.instruction.inputs(), shape, options); });
  CheckResult result = asUsage(where, [&] { return check(records, multiplier, use); });
  if (!result.compared)
    failUsage("{0}: no record has a result with an accumulator in {1}", arguments.file,
              toString(model.accumulator));
  std::printf("%zu compared, %zu wrong\n", result.compared, result.wrong.size());
  for (std::size_t i = 0; i < std::min(kShown, result.wrong.size()); ++i)
    std::printf("  line %zu: expected %08x, got %08x\n", result.wrong[i].line, result.wrong[i].expected,
                result.wrong[i].got);
  if (result.wrong.size() > kShown) std::printf("  and %zu more\n", result.wrong.size() - kShown);
  return result.wrong.empty() ? ExitCode::Ok : ExitCode::Regressed;
}

void addModels(CLI::App& command, Action& action) {
  CLI::App* sub = command.add_subcommand("models", "What is known of every tensor-core instruction, and how");
  auto arch = std::make_shared<std::string>(), format = std::make_shared<std::string>("text");
  sub->add_option("--arch", *arch, "sm_90 …, or a family or device: hopper, H100 (default: all)");
  sub->add_option("--format", *format, "text, json")->capture_default_str();
  sub->callback([=, &action] { action = [=] { return listModels(*arch, *format); }; });
}

void addCheckFile(CLI::App& command, Action& action) {
  CLI::App* sub = command.add_subcommand(
      "check", "Compare results that hardware gave with a model; exits with 1 if one differs");
  auto arguments = std::make_shared<CheckArguments>();
  sub->add_option("file", arguments->file, "Lines of a, b, c, d_f32, d_f16 divided by tabs, words in hex")
      ->required();
  sub->add_option("--arch", arguments->instruction.arch, "sm_90 …")->required();
  arguments->instruction.addTo(*sub);
  sub->add_option("--c", arguments->c, "ignore, f16 (rounded first), f32 (default: as accumulated)");
  sub->callback([=, &action] { action = [=] { return checkFile(*arguments); }; });
}

} // namespace

void addMma(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  CLI::App* command = app.add_subcommand("mma", "What tensor cores compute, bit for bit");
  command->require_subcommand(1);
  addModels(*command, action);
  addMmaEval(*command, action);
  addCheckFile(*command, action);
  addMmaProbe(*command, options, action);
}

} // namespace harness::cli

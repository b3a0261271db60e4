#include "harness/base/text.h"
#include "harness/cli/mma.h"
#include "harness/cli/mma_device.h"
#include "harness/mma/probe.h"
#include "harness/report/table.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace harness::cli {

using namespace mma;

namespace {

struct ProbeArguments {
  std::string model, shape, executor, arch;
  bool json = false;
};

/// "sm_90/mma.sync/f16", with "/f16" behind it for an f16 accumulator.
InstructionArguments instructionOf(const ProbeArguments& arguments) {
  std::vector<std::string> parts = split(arguments.model, '/');
  if (parts.size() != 3 && parts.size() != 4)
    failUsage("'{0}' is no model like sm_90/mma.sync/f16; 'harness mma models' lists them", arguments.model);
  return {parts[0], parts[2], parts[1], arguments.shape, parts.size() == 4 ? parts[3] : ""};
}

/// "0-7, 9".
std::string ranges(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
      ++last;
    text += (text.empty() ? "" : " ") + std::to_string(numbers[i]);
    if (last > i) text += "-" + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

std::string orderOf(const Findings& found, const char* term) {
  if (found.groups.empty()) return "not seen: the range of the format is too small";
  std::vector<std::string> groups;
  for (const std::vector<int>& group : found.groups)
    groups.push_back(std::string(term) + " " + ranges(group));
  std::string text = joinFew(groups, found.ordered ? ", then " : " beside ", 8);
  if (found.cIsATerm) text += *found.cIsATerm ? "; C with the first" : "; C afterwards";
  return text;
}

template <typename T> std::string orUnseen(const std::optional<T>& value) {
  return value ? std::to_string(*value) : "not seen";
}

std::string answer(const std::optional<bool>& value, const char* yes, const char* no) {
  return value ? (*value ? yes : no) : "not seen";
}

std::string hex(std::uint32_t code) {
  return llvm::formatv("{0:x}", code).str();
}

void print(const Subject& subject, const Findings& found) {
  bool blocks = subject.inputs().scaling != Scaling::None && subject.inputs().scaling != Scaling::Mxf8f6f4;
  Table table;
  auto add = [&](const char* what, std::string value) { table.add({what, std::move(value)}); };
  add("order of the sum", orderOf(found, blocks ? "blocks" : "k"));
  add(blocks ? "blocks of a step" : "products of a step", orUnseen(found.products));
  add("bits below the greatest exponent", orUnseen(found.fraction));
  add("least greatest exponent", orUnseen(found.floor));
  add("fraction bits of the result", orUnseen(found.outFraction));
  add("rounding of the result", found.rounding ? std::string(toString(*found.rounding)) : "not seen");
  add("normalised", answer(found.normalisedOnce, "once, after the sum", "between terms"));
  add("products", answer(found.productsAsTheyAre, "aligned as they are", "normalised first"));
  add("subnormal A, B", answer(found.subnormalInputs, "count", "are zero"));
  add("subnormal C", answer(found.subnormalC, "counts", "is zero"));
  add("subnormal results", answer(found.subnormalResults, "are kept", "are zero"));
  add("beyond the range, within a step", answer(found.cancelsBeyondRange, "cancels", "is infinite"));
  add("an infinity", found.infinityStays ? "stays" : "does not stay");
  add("a NaN becomes", hex(found.nan));
  add("-0 becomes", hex(found.zero));
  add("fits", found.fits.empty() ? "no model" : join(found.fits, ", "));
  std::printf("%s%zu questions, k = %d\n", table.render({}).c_str(), found.questions, subject.k());
}

template <typename T> nlohmann::ordered_json orNull(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

nlohmann::ordered_json toJson(const Subject& subject, const Findings& found) {
  return {{"k", subject.k()},
          {"groups", found.groups},
          {"ordered", found.ordered},
          {"c_is_a_term", orNull(found.cIsATerm)},
          {"products", orNull(found.products)},
          {"fraction", orNull(found.fraction)},
          {"floor", orNull(found.floor)},
          {"out_fraction", orNull(found.outFraction)},
          {"rounding",
           found.rounding ? nlohmann::ordered_json(toString(*found.rounding)) : nlohmann::ordered_json()},
          {"normalised_once", orNull(found.normalisedOnce)},
          {"products_as_they_are", orNull(found.productsAsTheyAre)},
          {"subnormal_inputs", orNull(found.subnormalInputs)},
          {"subnormal_c", orNull(found.subnormalC)},
          {"subnormal_results", orNull(found.subnormalResults)},
          {"cancels_beyond_range", orNull(found.cancelsBeyondRange)},
          {"infinity_stays", found.infinityStays},
          {"nan", hex(found.nan)},
          {"zero", hex(found.zero)},
          {"fits", found.fits},
          {"questions", found.questions}};
}

/// What the device answers, model by model, as far as mma.sync goes. `only`: of that row alone.
ExitCode probeDevice(const ProbeArguments& arguments, const Workspace& workspace) {
  gpu::Options options;
  gpu::Pool pool(gpu::findMachine(options), options);
  std::string arch = arguments.arch.empty() ? pool.machine().devices.front().arch() : arguments.arch;
  unsigned sm = asUsage("", [&] { return parseArch(arch); });
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Model& model : models()) {
    if (model.sm != tableArch(sm) || (!arguments.model.empty() && model.name() != arguments.model)) continue;
    for (Format format : model.formats) {
      Inputs inputs{format, format, model.scaling};
      if (!canAskDevice(model, inputs)) continue;
      Shape shape = model.shapes.front();
      for (const Shape& one : model.shapes)
        if (one.k > shape.k) shape = one;
      DeviceSubject subject(inputs, model.accumulator, shape.k, arch, pool, workspace);
      Findings found = asUsage("", [&] { return probe(subject); });
      nlohmann::ordered_json one = {{"instruction", toString(model.instruction)},
                                    {"format", toString(format)},
                                    {"accumulator", toString(model.accumulator)},
                                    {"device", subject.device().name}};
      one.update(toJson(subject, found));
      all.push_back(one);
      if (arguments.json) continue;
      std::printf("%s %s to %s on %s\n", std::string(toString(model.instruction)).c_str(),
                  std::string(toString(format)).c_str(), std::string(toString(model.accumulator)).c_str(),
                  subject.device().name.c_str());
      print(subject, found);
    }
  }
  if (all.empty())
    failUsage(
        "{0} has no instruction that a device can be asked about: mma.sync of f16, bf16, tf32, e4m3, e5m2",
        arguments.model.empty() ? arch : arguments.model);
  if (arguments.json) std::printf("%s\n", all.dump(2).c_str());
  return ExitCode::Ok;
}

ExitCode run(const ProbeArguments& arguments, const Workspace& workspace) {
  if (!arguments.executor.empty()) {
    if (arguments.executor != kGpuExecutor) failUsage("'{0}' cannot be probed: gpu", arguments.executor);
    return probeDevice(arguments, workspace);
  }
  if (arguments.model.empty()) failUsage("say what to probe: --model MODEL, or --executor gpu");
  InstructionArguments instruction = instructionOf(arguments);
  const Model& model = instruction.model();
  Shape shape = instruction.shapeOf(model, 1 << 20);
  ModelSubject subject(asUsage("", [&] { return Multiplier(model, instruction.inputs(), shape); }));
  Findings found = asUsage("", [&] { return probe(subject); });
  if (arguments.json)
    std::printf("%s\n", toJson(subject, found).dump(2).c_str());
  else
    print(subject, found);
  return ExitCode::Ok;
}

} // namespace

void addMmaProbe(CLI::App& command, const WorkspaceOptions& options, Action& action) {
  CLI::App* sub = command.add_subcommand(
      "probe",
      "Find out how an instruction adds, from its results alone, and which models of the table fit them");
  auto arguments = std::make_shared<ProbeArguments>();
  sub->add_option("--model", arguments->model,
                  "Probe a model: sm_90/mma.sync/f16, with /f16 behind it for an f16 accumulator");
  sub->add_option(
      "--executor", arguments->executor,
      "gpu: probe the tensor cores of this machine's device, all instructions that it can be asked "
      "about, or that of --model");
  sub->add_option("--arch", arguments->arch, "With gpu: what to compile for (default: what the device is)");
  sub->add_option("--shape", arguments->shape, "m16n8k16 … (default: the deepest)");
  sub->add_flag("--json", arguments->json, "Print JSON");
  sub->callback(
      [=, &options, &action] { action = [=, &options] { return run(*arguments, Workspace(options)); }; });
}

} // namespace harness::cli

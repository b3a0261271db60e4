#include "harness/matrix/shape_launch.h"

#include "harness/base/subprocess.h"
#include "harness/matrix/shape_memory.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

namespace harness {

namespace {

std::string_view toText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string toJson(const std::vector<std::string>& lines) {
  return nlohmann::json(lines).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void note(const ExecutionResult& result, ExecutionRecord& record) {
  if (!result.observations.empty()) record.observations = toJson(result.observations);
  if (!result.undefined.empty()) record.undefined = toJson(result.undefined);
}

} // namespace

ShapeLaunch::ShapeLaunch(const Executable& executable, const CaseShape& shape, const ShapeInputs& inputs,
                         ArtifactCache& cache)
    : executable_(executable), shape_(shape), inputs_(inputs), cache_(cache),
      launch_(launchOf(shape, inputs.initial[0])) {}

ExecutionRecord ShapeLaunch::execute(const Variant& variant, std::uint64_t maxWarpInstructions,
                                     unsigned repeats) const {
  auto start = std::chrono::steady_clock::now();
  ExecutionOptions options;
  options.poison = std::byte{kPoison[variant.poison]};
  options.schedule = variant.schedule;
  options.maxWarpInstructions = maxWarpInstructions;
  bool approximate = variant.purpose == Variant::Purpose::Approximation;
  (approximate ? options.approximationSeed : options.scheduleSeed) = variant.seed;

  ExecutionRecord record;
  record.schedule = toString(options.schedule);
  record.shape = shape_.name;
  record.poison = kPoison[variant.poison];
  record.seed = variant.seed;
  if (variant.purpose == Variant::Purpose::Unwritten)
    lookForUnwritten(options, record);
  else
    run(options, variant, record);
  if (repeats > 1) repeat(options, variant, repeats, record);
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

std::unique_ptr<GlobalMemory> ShapeLaunch::fresh(std::size_t poison) const {
  return memoryOf(shape_, inputs_.initial[poison]);
}

void ShapeLaunch::run(const ExecutionOptions& options, const Variant& variant,
                      ExecutionRecord& record) const {
  auto memory = fresh(variant.poison);
  // One answer is watched: races do not depend on the poison.
  bool watched = variant.purpose == Variant::Purpose::Answer && variant.poison == 1;
  Executed result = executable_.execute(launch_, *memory, options, watched);
  record.device = result.device;
  record.end = toString(result.end);
  record.message = result.message;
  record.threadInstructions = result.threadInstructions;
  record.divergences = result.divergences;
  record.approximations = result.approximations;
  note(result, record);
  std::string outputs;
  for (std::size_t i = 0; i < shape_.buffers.size(); ++i) {
    const BufferSpec& buffer = shape_.buffers[i];
    std::string_view now = toText(memory->bytes(buffer.name));
    if (buffer.output)
      outputs += now;
    else if (now != inputs_.initial[variant.poison][i] && record.changedInput.empty())
      record.changedInput = buffer.name;
  }
  if (result.end == ExecutionEnd::Completed) record.outputHash = cache_.putArtifact(outputs);
}

/// Executes it again and again; what comes out differently is told.
void ShapeLaunch::repeat(const ExecutionOptions& options, const Variant& variant, unsigned repeats,
                         ExecutionRecord& record) const {
  using Outcome = std::tuple<std::string, std::string, std::string, std::string>;
  auto outcomeOf = [](const ExecutionRecord& one) {
    return Outcome{one.end, one.message, one.outputHash, one.changedInput};
  };
  std::vector<std::pair<Outcome, unsigned>> outcomes = {{outcomeOf(record), 1}};
  for (unsigned i = 1; i < repeats; ++i) {
    throwIfInterrupted();
    ExecutionRecord again;
    run(options, variant, again);
    Outcome outcome = outcomeOf(again);
    auto known = std::find_if(outcomes.begin(), outcomes.end(),
                              [&](const auto& entry) { return entry.first == outcome; });
    if (known == outcomes.end()) known = outcomes.insert(known, {outcome, 0});
    ++known->second;
  }
  record.repeats = repeats;
  if (outcomes.size() == 1) return;
  std::stable_sort(outcomes.begin(), outcomes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [outcome, count] : outcomes) {
    const auto& [end, message, outputs, changedInput] = outcome;
    nlohmann::ordered_json& one = list.emplace_back();
    one = {{"count", count}, {"end", end}};
    if (!outputs.empty()) one["outputs"] = outputs;
    if (!message.empty()) one["message"] = message;
    if (!changedInput.empty()) one["changed_input"] = changedInput;
  }
  record.outcomes = list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void ShapeLaunch::lookForUnwritten(const ExecutionOptions& options, ExecutionRecord& record) const {
  auto memory = [this](std::byte poison) { return fresh(poison == std::byte{kPoison[0]} ? 0 : 1); };
  record.end = toString(ExecutionEnd::Completed);
  note(executable_.findUnwritten(launch_, memory, options), record);
}

} // namespace harness

#include "harness/matrix/shape_launch.h"

#include "harness/matrix/shape_memory.h"

#include <nlohmann/json.hpp>

#include <chrono>

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

ExecutionRecord ShapeLaunch::execute(const Variant& variant, std::uint64_t maxWarpInstructions) const {
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
  ExecutionResult result = executable_.execute(launch_, *memory, options, watched);
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

void ShapeLaunch::lookForUnwritten(const ExecutionOptions& options, ExecutionRecord& record) const {
  auto memory = [this](std::byte poison) { return fresh(poison == std::byte{kPoison[0]} ? 0 : 1); };
  record.end = toString(ExecutionEnd::Completed);
  note(executable_.findUnwritten(launch_, memory, options), record);
}

} // namespace harness

#include "harness/matrix/launcher.h"

#include "harness/base/error.h"
#include "harness/base/hash.h"
#include "harness/base/parallel.h"
#include "harness/base/subprocess.h"
#include "harness/matrix/misfit.h"
#include "harness/matrix/shape_launch.h"

#include <nlohmann/json.hpp>

#include <array>
#include <set>

namespace harness {

namespace {

/// Everything of a launch that can change its result, apart from the code.
std::string launchHash(const CaseShape& shape, const std::vector<std::string>& initial) {
  KeyHasher key("launch/1");
  for (unsigned axis = 0; axis < 3; ++axis)
    key.add("grid", shape.grid[axis]).add("block", shape.block[axis]);
  key.add("shared", shape.shared);
  for (std::size_t i = 0; i < shape.buffers.size(); ++i)
    key.add("buffer", shape.buffers[i].name)
        .add("output", shape.buffers[i].output)
        .add("contents", initial[i]);
  for (const ArgSpec& arg : shape.args) {
    key.add("arg", arg.buffer).add("value", arg.value);
    for (const ArgSpec::Pointer& pointer : arg.pointers)
      key.add("offset", pointer.offset).add("pointer", pointer.buffer);
  }
  return key.hex();
}

/// PTX first: it may be what the machine code is compared with.
std::array<Image*, 3> imagesOf(Build& build) {
  return {&build.ptxCode, &build.machineCode, &build.deviceCode};
}

/// The place of the answer with that poison.
constexpr std::size_t answerOf(std::size_t poison) {
  std::size_t v = 0;
  while (kVariants[v].purpose != Variant::Purpose::Answer || kVariants[v].poison != poison)
    ++v;
  return v;
}

} // namespace

/// All that is to be executed of one build's code, so that it is decoded once.
struct Launcher::Job {
  Build* build;
  Image* image;
  std::vector<std::size_t> missing; ///< places in Image::keys
  std::vector<ExecutionRecord> done;
};

bool Launcher::has(std::string_view executor) const {
  return executor == kSassExecutor  ? options_.sass != nullptr
         : executor == kPtxExecutor ? options_.ptx != nullptr
                                    : options_.gpu != nullptr;
}

void Launcher::launch(const Builds& builds) {
  // What else is executed depends on the answers.
  for (bool answers : {true, false}) {
    plan(builds, answers);
    executeMissing(builds);
  }
}

void Launcher::clear() {
  executions_.clear();
  std::erase_if(expected_, [](const auto& entry) { return !std::get<2>(entry.first).empty(); });
}

// ---- what goes in, what is to come out

const ShapeInputs& Launcher::inputs(const CaseManifest& manifest, std::size_t index) {
  std::unique_ptr<ShapeInputs>& slot = inputs_[{&manifest, index}];
  if (slot) return *slot;
  slot = std::make_unique<ShapeInputs>();
  const CaseShape& shape = manifest.shapes[index];
  try {
    for (std::size_t p = 0; p < kPoisons; ++p) {
      slot->initial[p] = shape.initialContents(kPoison[p]);
      slot->launch[p] = launchHash(shape, slot->initial[p]);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Usage) throw;
    slot->error = error.what();
  }
  return *slot;
}

const ExpectedAnswer& Launcher::expected(const Build& build, std::size_t index) {
  const CaseManifest& manifest = *build.cell->manifest;
  std::unique_ptr<ExpectedAnswer>& slot =
      expected_[{&manifest, index, manifest.reference ? "" : build.ptx.hash}];
  if (slot) return *slot;
  slot = std::make_unique<ExpectedAnswer>();
  const ShapeInputs& given = inputs(manifest, index);
  slot->error = given.error;
  if (!slot->error.empty()) return *slot;
  if (!manifest.reference) {
    *slot = answerOfPtx(build, index);
    return *slot;
  }
  try {
    for (std::size_t p = 0; p < kPoisons; ++p) {
      for (const std::string& output :
           references_.outputs(manifest, manifest.shapes[index], given.initial[p]))
        slot->outputs[p] += output;
      slot->outputHash[p] = sha256(slot->outputs[p]);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Usage) throw;
    slot->error = error.what();
  }
  return *slot;
}

ExpectedAnswer Launcher::answerOfPtx(const Build& build, std::size_t shape) const {
  ExpectedAnswer answer;
  auto fail = [&](const std::string& why, ExecutionEnd end) {
    answer.error = "the case has no reference, and its PTX gives none: " + why;
    answer.unsupported = end == ExecutionEnd::Unsupported;
  };
  if (build.ptxCode.hash.empty() || !build.ptxCode.error.empty()) {
    fail(build.ptxCode.hash.empty() ? "it is not executed (--executor)" : build.ptxCode.error,
         ExecutionEnd::Fault);
    return answer;
  }
  std::optional<VariantRuns> all = runs(build.ptxCode, shape);
  if (!all) {
    fail(std::string(kSharedFailed), ExecutionEnd::Fault);
    return answer;
  }
  for (std::size_t p = 0; p < kPoisons; ++p) {
    const ExecutionRecord& run = *(*all)[answerOf(p)];
    if (run.end != toString(ExecutionEnd::Completed)) {
      bool unsupported = run.end == toString(ExecutionEnd::Unsupported);
      fail(run.message, unsupported ? ExecutionEnd::Unsupported : ExecutionEnd::Fault);
      continue;
    }
    answer.outputHash[p] = run.outputHash;
    answer.outputs[p] = outputs(run.outputHash);
  }
  return answer;
}

std::optional<VariantRuns> Launcher::runs(const Image& image, std::size_t shape) const {
  if (image.keys.empty()) return std::nullopt;
  VariantRuns runs = {};
  for (std::size_t v = 0; v < kVariantCount; ++v) {
    const std::string& key = image.keys.at(shape * kVariantCount + v);
    if (key.empty()) continue;
    auto found = executions_.find(key);
    if (found == executions_.end()) return std::nullopt;
    runs[v] = &found->second;
  }
  return runs;
}

std::string Launcher::outputs(const std::string& hash) const {
  auto bytes = cache_.getArtifact(hash);
  if (!bytes)
    failEnvironment("an output has vanished from the cache '{0}'; run again", cache_.directory().string());
  return *bytes;
}

// ---- plan

/// Whether a variant can tell something that the answers do not.
bool Launcher::isWanted(const Build& build, const Image& image, std::size_t shape, const Variant& variant) {
  if (variant.purpose == Variant::Purpose::Answer) return true;
  if (image.executor == kGpuExecutor) return false; // nothing of this can be asked of a device
  const ExpectedAnswer& wanted = expected(build, shape);
  // Whether PTX is defined is asked where it is the judge, and where its machine code is wrong.
  if (variant.purpose == Variant::Purpose::Unwritten && &image == &build.ptxCode &&
      (!build.cell->manifest->reference || isWanted(build, build.machineCode, shape, variant)))
    return true;
  for (std::size_t p = 0; p < kPoisons; ++p) {
    if (image.keys.empty()) return false;
    auto answer = executions_.find(image.keys[shape * kVariantCount + answerOf(p)]);
    if (answer == executions_.end()) continue;
    const ExecutionRecord& run = answer->second;
    bool completed = run.end == toString(ExecutionEnd::Completed);
    if (!completed && run.end != toString(ExecutionEnd::Fault)) continue;
    bool wrong = !completed || run.outputHash != wanted.outputHash[p];
    switch (variant.purpose) {
    case Variant::Purpose::Answer: break;
    case Variant::Purpose::Order:
      if (run.divergences > 0) return true;
      break;
    case Variant::Purpose::Approximation:
      if (run.approximations > 0) return true;
      break;
    case Variant::Purpose::Unwritten:
      if (wrong) return true;
      break;
    }
  }
  return false;
}

std::string Launcher::versionOf(const Build& build, const Image& image) const {
  if (image.executor == kPtxExecutor) return options_.ptx->version();
  if (image.executor == kSassExecutor) return options_.sass->version();
  return options_.gpu->version(build.cell->name.arch);
}

std::string Launcher::keyOf(const Build& build, const Image& image, const ShapeInputs& inputs,
                            const Variant& variant) const {
  bool isPtx = &image == &build.ptxCode, isDevice = &image == &build.deviceCode;
  return KeyHasher("execution/2")
      .add("executor", image.executor)
      .add("version", versionOf(build, image))
      .add("schedule", toString(variant.schedule))
      .add("purpose", static_cast<std::uint64_t>(variant.purpose))
      .add("seed", variant.seed)
      .add("image", image.hash)
      .add(isPtx ? "kernel" : "arch", isPtx ? build.cell->manifest->kernel : build.cell->name.arch)
      .add("launch", inputs.launch[variant.poison])
      .add("poison", kPoison[variant.poison])
      .add(isDevice ? "repeats" : "limit", isDevice ? options_.repeats : options_.maxWarpInstructions)
      .hex();
}

void Launcher::plan(const Builds& builds, bool answers) {
  auto isPlanned = [answers](const Variant& variant) {
    return (variant.purpose == Variant::Purpose::Answer) == answers;
  };
  std::set<std::string> wanted;
  for (Build* build : builds)
    for (Image* image : imagesOf(*build)) {
      if (image->hash.empty() || !image->error.empty() || !has(image->executor)) continue;
      if (image->executor == kGpuExecutor) image->refusal = options_.gpu->refusal(build->cell->name.arch);
      if (!image->refusal.empty()) continue;
      const CaseManifest& manifest = *build->cell->manifest;
      image->keys.resize(manifest.shapes.size() * kVariantCount);
      for (std::size_t s = 0; s < manifest.shapes.size(); ++s) {
        const ShapeInputs& given = inputs(manifest, s);
        // What PTX gives is known only after its answers.
        bool expectedLater = !manifest.reference && answers && !build->ptxCode.hash.empty();
        if (!given.error.empty() || (!expectedLater && !expected(*build, s).error.empty())) continue;
        for (std::size_t v = 0; v < kVariantCount; ++v) {
          if (!isPlanned(kVariants[v]) || !isWanted(*build, *image, s, kVariants[v])) continue;
          std::string& key = image->keys[s * kVariantCount + v];
          key = keyOf(*build, *image, given, kVariants[v]);
          if (!executions_.contains(key)) wanted.insert(key);
        }
      }
    }
  std::vector<std::string> keys(wanted.begin(), wanted.end());
  std::vector<std::optional<ExecutionRecord>> known = memory_.find(keys);
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (known[i]) executions_[keys[i]] = std::move(*known[i]);
  for (Build* build : builds)
    for (Image* image : imagesOf(*build))
      for (std::size_t place = 0; place < image->keys.size(); ++place) {
        const Variant& variant = kVariants[place % kVariantCount];
        if (!isPlanned(variant) || image->keys[place].empty()) continue;
        // What answers of PTX are compared with may be themselves: then all are needed.
        bool known = build->cell->manifest->reference.has_value();
        forgetIfLost(image->keys[place],
                     known ? expected(*build, place / kVariantCount).outputHash[variant.poison] : "");
      }
}

/// A mismatch is described anew from its outputs: an execution whose outputs the cache has lost is made
/// again.
void Launcher::forgetIfLost(const std::string& key, const std::string& expectedHash) {
  auto known = executions_.find(key);
  if (known == executions_.end()) return;
  const std::string& hash = known->second.outputHash;
  if (!hash.empty() && hash != expectedHash && !cache_.getArtifact(hash)) executions_.erase(known);
}

// ---- execute

void Launcher::executeMissing(const Builds& builds) {
  // A launch that two builds share belongs to the first.
  std::vector<Job> jobs;
  std::set<std::string> taken;
  for (Build* build : builds)
    for (Image* image : imagesOf(*build)) {
      Job job{build, image, {}, {}};
      for (std::size_t i = 0; i < image->keys.size(); ++i)
        if (!image->keys[i].empty() && !executions_.contains(image->keys[i]) &&
            taken.insert(image->keys[i]).second)
          job.missing.push_back(i);
      if (!job.missing.empty()) jobs.push_back(std::move(job));
    }
  if (jobs.empty()) return;
  std::exception_ptr failure;
  try {
    parallelFor(jobs.size(), options_.jobs, [&](std::size_t i) { execute(jobs[i]); });
  } catch (...) {
    failure = std::current_exception();
  }
  std::vector<ExecutionRecord> records;
  for (Job& job : jobs) {
    for (ExecutionRecord& record : job.done) {
      executions_[record.key] = record;
      records.push_back(std::move(record));
    }
  }
  memory_.record(records);
  executed_ += records.size();
  if (failure) std::rethrow_exception(failure);
}

std::unique_ptr<Executable> Launcher::load(Build& build, const Image& image) const {
  if (&image == &build.ptxCode)
    return options_.ptx->load(builder_.ptxText(build), build.cell->manifest->kernel);
  if (&image == &build.deviceCode) {
    CubinFile file = builder_.file(build);
    return options_.gpu->load(std::move(file.bytes), file.cubin, *file.kernel, build.cell->name.arch);
  }
  ReadCubin read = builder_.read(build);
  return options_.sass->load(read.cubin, read.listings, *read.kernel);
}

namespace {

/// PTX that the executor does not understand: remembered like any other end.
class NotUnderstood : public Executable {
public:
  explicit NotUnderstood(std::string why) : why_(std::move(why)) {}
  Executed execute(const BoundLaunch&, GlobalMemory&, const ExecutionOptions&, bool) const override {
    ExecutionResult result;
    result.end = ExecutionEnd::Unsupported;
    result.message = why_;
    return result;
  }
  ExecutionResult findUnwritten(const BoundLaunch&, const FreshMemory&,
                                const ExecutionOptions&) const override {
    return {};
  }

private:
  std::string why_;
};

} // namespace

void Launcher::execute(Job& job) const {
  const CaseManifest& manifest = *job.build->cell->manifest;
  bool isPtx = job.image == &job.build->ptxCode, loaded = false;
  try {
    std::unique_ptr<Executable> executable;
    try {
      executable = load(*job.build, *job.image);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Usage || !isPtx) throw;
      executable = std::make_unique<NotUnderstood>(error.what());
    }
    loaded = true;
    std::map<std::size_t, ShapeLaunch> launches; // by shape
    for (std::size_t place : job.missing) {
      throwIfInterrupted();
      std::size_t shape = place / kVariantCount;
      auto launch = launches.find(shape);
      if (launch == launches.end())
        launch = launches
                     .try_emplace(shape, *executable, manifest.shapes[shape], *inputs_.at({&manifest, shape}),
                                  cache_)
                     .first;
      ExecutionRecord record =
          launch->second.execute(kVariants[place % kVariantCount], options_.maxWarpInstructions,
                                 job.image->executor == kGpuExecutor ? options_.repeats : 1);
      record.key = job.image->keys[place];
      record.executor = job.image->executor;
      record.executorVersion = versionOf(*job.build, *job.image);
      record.imageHash = job.image->hash;
      job.done.push_back(std::move(record));
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Usage) throw;
    job.image->error = loaded ? describeMisfit(manifest, error.what()) : error.what();
  }
}

} // namespace harness

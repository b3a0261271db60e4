#include "harness/matrix/judge.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/hash.h"
#include "harness/base/parallel.h"
#include "harness/base/text.h"
#include "harness/cubin/cubin.h"
#include "harness/matrix/executor_version.h"
#include "harness/matrix/finding.h"
#include "harness/sass/dump.h"
#include "harness/sass/executor.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <set>

namespace harness {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kExecutor = "sass";
constexpr std::size_t kPoisons = std::size(kPoison);
constexpr std::uint64_t kCubinBytes = std::uint64_t{256} << 20;

Verdict verdictOf(CompileStatus status) {
  switch (status) {
  case CompileStatus::Ok: return Verdict::Pass;
  case CompileStatus::Skipped: return Verdict::Skipped;
  case CompileStatus::CompileError: return Verdict::CompileError;
  case CompileStatus::Ice: return Verdict::Ice;
  case CompileStatus::Timeout: return Verdict::Timeout;
  case CompileStatus::InfraError: return Verdict::InfraError;
  }
  return Verdict::InfraError;
}

std::optional<Verdict> verdictOf(std::string_view executionEnd) {
  if (executionEnd == toString(ExecutionEnd::Completed)) return std::nullopt;
  if (executionEnd == toString(ExecutionEnd::Fault)) return Verdict::Fault;
  if (executionEnd == toString(ExecutionEnd::Timeout)) return Verdict::Timeout;
  return Verdict::Unsupported;
}

std::vector<std::byte> toBytes(std::string_view text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

std::string_view toText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

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
  for (const ArgSpec& arg : shape.args)
    key.add("arg", arg.buffer).add("value", arg.scalar);
  return key.hex();
}

/// The outputs of a shape out of their concatenation; empty if the sizes do not agree.
std::vector<std::string_view> splitOutputs(const CaseShape& shape, std::string_view all) {
  std::vector<std::string_view> outputs;
  for (const BufferSpec& buffer : shape.buffers) {
    if (!buffer.output) continue;
    if (all.size() < buffer.byteSize()) return {};
    outputs.push_back(all.substr(0, buffer.byteSize()));
    all.remove_prefix(buffer.byteSize());
  }
  return outputs;
}

ToolchainRecord recordOf(const Toolchain& toolchain) {
  return {toolchain.name,
          std::string(toString(toolchain.frontEnd.kind)),
          toolchain.frontEnd.build.str(),
          toolchain.frontEnd.buildString,
          toolchain.frontEnd.identity,
          toolchain.ptxas.build.str(),
          toolchain.ptxas.buildString,
          toolchain.ptxas.sha256};
}

SourceRecord recordOf(const CaseManifest& manifest) {
  return {manifest.id, manifest.title, sha256File(manifest.source.file), manifest.hash,
          manifest.reference ? sha256File(*manifest.reference) : ""};
}

} // namespace

WorkCount& WorkCount::operator+=(const WorkCount& other) {
  compiled += other.compiled;
  disassembled += other.disassembled;
  executed += other.executed;
  return *this;
}

/// What a shape of a case starts as and must become, for each poison.
struct Judge::Expected {
  std::vector<std::string> initial[kPoisons]; ///< all buffers
  std::string launch[kPoisons];               ///< hash
  std::string outputs[kPoisons];              ///< concatenated
  std::string outputHash[kPoisons];
  std::string error; ///< why there is no reference
};

/// A cell on its way through the stages.
struct Judge::Build {
  const PlannedCell* cell = nullptr;
  StageResult ptx, cubin;
  std::string imageHash, sassHash;
  std::uint64_t illegalWords = 0;
  std::string error;             ///< what keeps it from being executed
  std::vector<std::string> keys; ///< of its executions: shape × poison
};

Judge::Judge(ArtifactCache& cache, Compiler& compiler, sass::Disassembler& disassembler,
             ReferenceRunner& references, ExecutionMemory& memory, Options options)
    : cache_(cache), compiler_(compiler), disassembler_(disassembler), references_(references),
      memory_(memory), options_(options) {}

Judge::~Judge() = default;

std::vector<CellRecord> Judge::judge(const std::vector<PlannedCell>& cells) {
  executions_.clear();
  std::vector<Build> builds(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i)
    builds[i].cell = &cells[i];
  compile(builds);
  analyse(builds);
  planExecutions(builds);
  executeMissing(builds);
  std::vector<CellRecord> records;
  for (const Build& build : builds)
    records.push_back(conclude(build));
  return records;
}

// ---- compile

void Judge::compile(std::vector<Build>& builds) {
  // One front-end job for all levels of ptxas; side by side they would wait for each other.
  std::map<std::string, std::vector<Build*>> frontEndJobs;
  for (Build& build : builds) {
    const PlannedCell& cell = *build.cell;
    std::string key = cell.name.caseId + '\n' + cell.name.toolchain + '\n' + cell.name.arch + '\n' +
                      join(cell.opt.frontEnd, " ") + '\n' + join(cell.opt.cicc, " ");
    frontEndJobs[key].push_back(&build);
  }
  std::vector<std::vector<Build*>> jobs;
  for (auto& [key, group] : frontEndJobs)
    jobs.push_back(std::move(group));
  parallelFor(jobs.size(), options_.jobs, [&](std::size_t i) {
    const PlannedCell& cell = *jobs[i].front()->cell;
    StageResult ptx = compiler_.toPtx(cell.manifest->source, *cell.toolchain, cell.name.arch, cell.opt);
    for (Build* build : jobs[i]) {
      build->ptx = ptx;
      ptx.cached = true; // counted once
    }
  });
  parallelFor(builds.size(), options_.jobs, [&](std::size_t i) {
    Build& build = builds[i];
    if (build.ptx.status == CompileStatus::Ok)
      build.cubin =
          compiler_.toCubin(build.ptx.hash, *build.cell->toolchain, build.cell->name.arch, build.cell->opt);
  });
  for (const Build& build : builds)
    for (const StageResult* stage : {&build.ptx, &build.cubin})
      work_.compiled += !stage->command.empty() && !stage->cached && stage->status != CompileStatus::Skipped;
}

// ---- read and disassemble

void Judge::analyse(std::vector<Build>& builds) {
  auto keyOf = [this](const Build& build) {
    return KeyHasher("cubin-analysis/1")
        .add("code", kSassExecutorVersion)
        .add("cubin", build.cubin.hash)
        .add("kernel", build.cell->manifest->kernel)
        .add("arch", build.cell->name.arch)
        .add("nvdisasm", disassembler_.identity())
        .hex();
  };
  auto accept = [](Build& build, const Json& analysis) {
    build.imageHash = analysis.at("image");
    build.sassHash = analysis.at("sass");
    build.illegalWords = analysis.at("illegal");
  };
  std::map<std::string, std::vector<Build*>> unknown;
  for (Build& build : builds) {
    if (build.cubin.hash.empty()) continue;
    std::string key = keyOf(build);
    Json analysis = Json::parse(cache_.getAction(key).value_or(""), nullptr, /*allow_exceptions=*/false);
    if (analysis.is_object() && cache_.hasArtifact(analysis.value("sass", "")))
      accept(build, analysis);
    else
      unknown[key].push_back(&build);
  }
  if (unknown.empty()) return;

  struct Read {
    std::string key;
    std::vector<Build*> builds;
    Cubin cubin;
    const Kernel* kernel = nullptr;
  };
  std::vector<Read> reads;
  std::vector<std::string_view> codes;
  reads.reserve(unknown.size());
  for (auto& [key, group] : unknown) {
    const Build& first = *group.front();
    try {
      auto bytes = cache_.getArtifact(first.cubin.hash);
      if (!bytes)
        failEnvironment("the cubin of {0} has vanished from the cache; run again", first.cell->name.str());
      Read read{key, group, Cubin::parse(*bytes, first.cell->name.str()), nullptr};
      const std::string& wanted = first.cell->manifest->kernel;
      if (!read.cubin.find(wanted)) {
        std::vector<std::string> names = read.cubin.kernelNames();
        std::string near = nearest(wanted, names);
        failUsage("{0}: no kernel '{1}' in the cubin, which has {2}{3}", first.cell->name.str(), wanted,
                  names.empty() ? "none" : join(names, ", "),
                  near.empty() ? "" : "; did you mean '" + near + "'?");
      }
      reads.push_back(std::move(read));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Usage) throw;
      for (Build* build : group)
        build->error = error.what();
    }
  }
  for (Read& read : reads) {
    read.kernel = read.cubin.find(read.builds.front()->cell->manifest->kernel);
    for (const CodeSection& section : read.cubin.sections)
      codes.push_back(read.cubin.sectionCode(section));
  }
  std::uint64_t startsBefore = disassembler_.starts();
  std::vector<sass::Listing> listings = disassembler_.disassemble(builds.front().cell->name.arch, codes);
  work_.disassembled += disassembler_.starts() - startsBefore;
  auto next = listings.begin();
  for (Read& read : reads) {
    auto end = next + static_cast<std::ptrdiff_t>(read.cubin.sections.size());
    std::vector<sass::Listing> own(next, end);
    next = end;
    std::uint64_t illegal = 0;
    for (const sass::Listing& listing : own)
      for (const sass::ListedInstruction& instruction : listing.instructions)
        illegal += instruction.illegal;
    Json analysis = {{"image", read.cubin.imageHash(*read.kernel)},
                     {"sass", cache_.putArtifact(sass::renderDump(read.cubin, own))},
                     {"illegal", illegal}};
    cache_.putAction(read.key, analysis.dump());
    for (Build* build : read.builds)
      accept(*build, analysis);
  }
}

// ---- execute

const Judge::Expected& Judge::expected(const CaseManifest& manifest, std::size_t index) {
  std::unique_ptr<Expected>& slot = expected_[{&manifest, index}];
  if (slot) return *slot;
  slot = std::make_unique<Expected>();
  const CaseShape& shape = manifest.shapes[index];
  try {
    for (std::size_t p = 0; p < kPoisons; ++p) {
      slot->initial[p] = shape.initialContents(kPoison[p]);
      slot->launch[p] = launchHash(shape, slot->initial[p]);
      for (const std::string& output : references_.outputs(manifest, shape, slot->initial[p]))
        slot->outputs[p] += output;
      slot->outputHash[p] = sha256(slot->outputs[p]);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Usage) throw;
    slot->error = error.what();
  }
  return *slot;
}

void Judge::planExecutions(std::vector<Build>& builds) {
  std::set<std::string> wanted;
  for (Build& build : builds) {
    if (build.imageHash.empty()) continue;
    const CaseManifest& manifest = *build.cell->manifest;
    for (std::size_t s = 0; s < manifest.shapes.size(); ++s) {
      const Expected& reference = expected(manifest, s);
      for (std::size_t p = 0; p < kPoisons; ++p) {
        if (!reference.error.empty()) continue;
        build.keys.push_back(KeyHasher("execution/1")
                                 .add("executor", kExecutor)
                                 .add("version", kSassExecutorVersion)
                                 .add("schedule", toString(Schedule::FallThroughFirst))
                                 .add("image", build.imageHash)
                                 .add("arch", build.cell->name.arch)
                                 .add("launch", reference.launch[p])
                                 .add("poison", kPoison[p])
                                 .add("limit", options_.maxWarpInstructions)
                                 .hex());
        wanted.insert(build.keys.back());
      }
    }
  }
  std::vector<std::string> keys(wanted.begin(), wanted.end());
  std::vector<std::optional<ExecutionRecord>> known = memory_.find(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    // A mismatch is described anew from its outputs, so they must still be there.
    if (known[i] && (known[i]->outputHash.empty() || cache_.hasArtifact(known[i]->outputHash)))
      executions_[keys[i]] = std::move(*known[i]);
  }
}

namespace {

/// One launch on the SASS executor.
ExecutionRecord executeOnce(const sass::Program& program, const Kernel& kernel, const CaseShape& shape,
                            const std::vector<std::string>& initial, const ExecutionOptions& options,
                            ArtifactCache& cache) {
  auto start = std::chrono::steady_clock::now();
  GlobalMemory memory;
  std::map<std::string, std::uint64_t> addresses;
  for (std::size_t i = 0; i < shape.buffers.size(); ++i) {
    Allocation& allocation = memory.allocate(shape.buffers[i].name, initial[i].size(), std::byte{0});
    std::memcpy(allocation.host, initial[i].data(), initial[i].size());
    addresses[shape.buffers[i].name] = allocation.address;
  }
  Launch launch{shape.grid, shape.block, shape.shared, {}};
  for (const ArgSpec& arg : shape.args)
    launch.args.push_back(toBytes(arg.buffer.empty() ? arg.scalar : littleEndian(addresses[arg.buffer], 8)));
  ExecutionResult result = sass::execute(program, kernel, launch, memory, options);

  ExecutionRecord record;
  record.executor = kExecutor;
  record.executorVersion = kSassExecutorVersion;
  record.schedule = toString(options.schedule);
  record.shape = shape.name;
  record.poison = static_cast<unsigned>(options.poison);
  record.end = toString(result.end);
  record.message = result.message;
  record.threadInstructions = result.threadInstructions;
  std::string outputs;
  for (std::size_t i = 0; i < shape.buffers.size(); ++i) {
    std::string_view now = toText(memory.bytes(shape.buffers[i].name));
    if (shape.buffers[i].output)
      outputs += now;
    else if (now != initial[i] && record.changedInput.empty())
      record.changedInput = shape.buffers[i].name;
  }
  if (result.end == ExecutionEnd::Completed) record.outputHash = cache.putArtifact(outputs);
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

} // namespace

void Judge::executeMissing(std::vector<Build>& builds) {
  // One job a build, so that its code is decoded once; a launch that two builds share belongs to the first.
  struct Job {
    Build* build;
    std::vector<std::size_t> missing; ///< places in Build::keys
    std::vector<ExecutionRecord> done;
  };
  std::vector<Job> jobs;
  std::set<std::string> taken;
  for (Build& build : builds) {
    Job job{&build, {}, {}};
    for (std::size_t i = 0; i < build.keys.size(); ++i)
      if (!executions_.contains(build.keys[i]) && taken.insert(build.keys[i]).second)
        job.missing.push_back(i);
    if (!job.missing.empty()) jobs.push_back(std::move(job));
  }
  if (jobs.empty()) return;

  auto run = [&](Job& job) {
    Build& build = *job.build;
    const CaseManifest& manifest = *build.cell->manifest;
    try {
      auto bytes = cache_.getArtifact(build.cubin.hash);
      if (!bytes)
        failEnvironment("the cubin of {0} has vanished from the cache; run again", build.cell->name.str());
      auto cubin = std::make_shared<Cubin>(Cubin::parse(*bytes, build.cell->name.str()));
      std::vector<std::string_view> codes;
      for (const CodeSection& section : cubin->sections)
        codes.push_back(cubin->sectionCode(section));
      sass::Program program(cubin, disassembler_.disassemble(build.cell->name.arch, codes));
      const Kernel& kernel = *cubin->find(manifest.kernel);
      for (std::size_t place : job.missing) {
        throwIfInterrupted();
        std::size_t shape = place / kPoisons, poison = place % kPoisons;
        ExecutionOptions options;
        options.poison = std::byte{kPoison[poison]};
        options.maxWarpInstructions = options_.maxWarpInstructions;
        const Expected& reference = *expected_.at({&manifest, shape});
        ExecutionRecord record =
            executeOnce(program, kernel, manifest.shapes[shape], reference.initial[poison], options, cache_);
        record.key = build.keys[place];
        record.imageHash = build.imageHash;
        job.done.push_back(std::move(record));
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Usage) throw;
      build.error = build.cell->name.str() + ": " + error.what();
    }
  };
  std::exception_ptr failure;
  try {
    parallelFor(jobs.size(), options_.jobs, [&](std::size_t i) { run(jobs[i]); });
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
  work_.executed += records.size();
  if (failure) std::rethrow_exception(failure);
}

// ---- judge

VerdictRecord Judge::judgeShape(const Build& build, std::size_t index) {
  const CaseManifest& manifest = *build.cell->manifest;
  const CaseShape& shape = manifest.shapes[index];
  const Expected& reference = expected(manifest, index);
  VerdictRecord record;
  record.executor = kExecutor;
  record.shape = shape.name;
  std::string error = !build.error.empty() ? build.error : reference.error;
  const ExecutionRecord* runs[kPoisons] = {};
  for (std::size_t p = 0; p < kPoisons && error.empty(); ++p) {
    auto found = executions_.find(build.keys[index * kPoisons + p]);
    // The build that was to execute it could not; it says why.
    if (found == executions_.end())
      error = "the execution that this cell shares with another failed";
    else
      runs[p] = &found->second;
  }
  if (!error.empty()) {
    record.verdict = Verdict::InfraError;
    record.details = messageDetails(error);
    return record;
  }
  for (const ExecutionRecord* run : runs)
    record.executionKeys.push_back(run->key);

  for (const ExecutionRecord* run : runs) {
    std::optional<Verdict> end = verdictOf(run->end);
    if (!end) continue;
    record.verdict = *end;
    record.details = messageDetails(run->message);
    return record;
  }
  for (const BufferSpec& buffer : shape.buffers)
    if (buffer.output) record.bytes += buffer.byteSize();
  for (const ExecutionRecord* run : runs) {
    if (run->changedInput.empty()) continue;
    record.verdict = Verdict::Mismatch;
    record.firstBad = "input '" + run->changedInput + "' was changed";
    record.details = messageDetails(record.firstBad);
    return record;
  }
  bool equal = true;
  for (std::size_t p = 0; p < kPoisons; ++p)
    equal &= runs[p]->outputHash == reference.outputHash[p];
  if (equal) return record;

  std::string outputs[kPoisons];
  for (std::size_t p = 0; p < kPoisons; ++p) {
    auto bytes = cache_.getArtifact(runs[p]->outputHash);
    if (!bytes)
      failEnvironment("an output of {0} has vanished from the cache; run again", build.cell->name.str());
    outputs[p] = std::move(*bytes);
  }
  for (std::size_t p = 0; p < kPoisons; ++p) {
    std::vector<BufferComparison> comparisons =
        compareOutputs(shape, splitOutputs(shape, reference.outputs[p]), splitOutputs(shape, outputs[p]),
                       splitOutputs(shape, outputs[1 - p]));
    describeComparisons(comparisons, kPoison[p], record);
    if (record.bad) return record;
  }
  return record;
}

CellRecord Judge::conclude(const Build& build) {
  const PlannedCell& cell = *build.cell;
  CellRecord record;
  record.arch = cell.name.arch;
  record.opt = cell.name.opt;
  record.toolchain = recordOf(*cell.toolchain);
  record.source = recordOf(*cell.manifest);
  const StageResult& last = build.ptx.status == CompileStatus::Ok ? build.cubin : build.ptx;
  record.builds.push_back({build.ptx.hash, build.cubin.hash, build.imageHash, build.sassHash,
                           build.ptx.command, build.cubin.command, std::string(toString(last.status)),
                           build.ptx.log + build.cubin.log, build.ptx.seconds + build.cubin.seconds});

  std::optional<Verdict> wanted;
  if (const Expectation* expectation =
          expectationFor(*cell.manifest, cell.toolchain->frontEnd.build, cell.toolchain->ptxas.build,
                         cell.name.arch, cell.name.opt)) {
    wanted = parseVerdict(expectation->verdict);
    record.expectedVerdict = expectation->verdict;
    record.expectedBlame = expectation->blame;
    record.why = expectation->why;
  }

  std::vector<VerdictRecord> verdicts;
  if (last.status != CompileStatus::Ok) {
    VerdictRecord verdict;
    verdict.executor = "compiler";
    verdict.verdict = verdictOf(last.status);
    verdict.details = messageDetails(last.log.substr(0, 2000));
    verdicts.push_back(verdict);
  } else {
    for (std::size_t s = 0; s < cell.manifest->shapes.size(); ++s) {
      VerdictRecord& verdict = verdicts.emplace_back(judgeShape(build, s));
      if (build.illegalWords == 0) continue;
      verdict.verdict = worst(verdict.verdict, Verdict::IllegalEncoding);
      if (verdict.verdict == Verdict::IllegalEncoding)
        verdict.details =
            messageDetails(std::to_string(build.illegalWords) + " instructions that nvdisasm calls illegal");
    }
  }
  for (VerdictRecord& verdict : verdicts) {
    bool faulty = harness::judge(verdict.verdict, std::nullopt) == Outcome::Regressed;
    // Which stage is at fault needs the PTX to be executed too.
    verdict.blame = faulty ? Blame::Unknown : Blame::None;
    // Nothing can be wanted of a toolchain that does not know the arch or the option.
    verdict.outcome = verdict.verdict == Verdict::Skipped ? Outcome::Ok : harness::judge(verdict.verdict, wanted);
  }
  record.verdicts.push_back(std::move(verdicts));
  return record;
}

} // namespace harness

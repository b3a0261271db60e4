#include "harness/matrix/judge.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/hash.h"
#include "harness/base/parallel.h"
#include "harness/base/text.h"
#include "harness/cubin/cubin.h"
#include "harness/matrix/executor_version.h"
#include "harness/matrix/finding.h"
#include "harness/matrix/shape_judge.h"
#include "harness/matrix/shape_launch.h"
#include "harness/sass/dump.h"
#include "harness/sass/executor.h"
#include "harness/sass/hazard.h"

#include <llvm/ADT/StringRef.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <set>

namespace harness {

namespace {

using Json = nlohmann::json;

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

/// Empty if there is no such file any more.
std::string hashIfThere(const std::filesystem::path& file) {
  std::error_code ec;
  return std::filesystem::is_regular_file(file, ec) ? sha256File(file) : "";
}

/// The line of a compiler's log that tells most: its first error, else its last, which says how it ended.
std::string gist(const std::string& log) {
  constexpr std::size_t kLimit = 500;
  std::vector<std::string> lines = split(trim(log), '\n');
  auto isError = [](const std::string& line) {
    llvm::StringRef text(line);
    return text.contains_insensitive("error") || text.contains_insensitive("fatal");
  };
  auto found = std::find_if(lines.begin(), lines.end(), isError);
  return found == lines.end() ? lines.back().substr(0, kLimit) : found->substr(0, kLimit);
}

/// True if code of a cubin for `smVersion` (120) is meant for `arch` (sm_120, sm_120a).
bool isFor(unsigned smVersion, std::string_view arch) {
  unsigned number = 0;
  return arch.starts_with("sm_") &&
         std::from_chars(arch.data() + 3, arch.data() + arch.size(), number).ec == std::errc() &&
         number == smVersion;
}

/// The first kernel with a case's name. Throws Error(Usage) with the names that are there.
const Kernel& findKernel(const Cubin& cubin, const PlannedCell& cell) {
  if (!isFor(cubin.smVersion, cell.name.arch)) failUsage("the cubin is for sm_{0}", cubin.smVersion);
  return cubin.get(cell.manifest->kernel, "the cubin");
}

/// What the control words of a cubin do not wait for; empty if nothing.
std::string describeHazards(const Cubin& cubin, const std::vector<sass::Listing>& listings) {
  std::vector<sass::Hazard> hazards;
  for (std::size_t s = 0; s < listings.size(); ++s)
    for (sass::Hazard& hazard : sass::findHazards(cubin.sections[s].name, listings[s]))
      hazards.push_back(std::move(hazard));
  if (hazards.empty()) return {};
  std::string text = hazards.front().describe();
  if (hazards.size() > 1) text += llvm::formatv(" (and {0} more)", hazards.size() - 1).str();
  return text;
}

} // namespace

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
  return {manifest.id, manifest.title, hashIfThere(manifest.source.file), manifest.hash,
          manifest.reference ? hashIfThere(*manifest.reference) : ""};
}

WorkCount& WorkCount::operator+=(const WorkCount& other) {
  compiled += other.compiled;
  disassembled += other.disassembled;
  executed += other.executed;
  return *this;
}

/// A cell on its way through the stages.
struct Judge::Build {
  const PlannedCell* cell = nullptr;
  StageResult ptx, cubin;
  std::string imageHash, sassHash;
  std::uint64_t illegalWords = 0;
  std::string hazards;           ///< the first one found and how many there are; empty if none
  std::string error;             ///< what keeps it from being executed
  std::vector<std::string> keys; ///< of its executions: shape × variant; empty where there shall be none
};

/// A cubin on its way through the disassembler, and the builds that made it.
struct Judge::Read {
  std::string key;
  std::vector<Build*> builds;
  Cubin cubin;
  std::vector<sass::Listing> listings;

  void fail(const Error& error) {
    for (Build* build : builds)
      build->error = error.what();
  }
};

Judge::Judge(ArtifactCache& cache, Compiler& compiler, sass::Disassembler& disassembler,
             ReferenceRunner& references, ExecutionMemory& memory, Options options)
    : cache_(cache), compiler_(compiler), disassembler_(disassembler), references_(references),
      memory_(memory), options_(options), startsBefore_(disassembler.starts()) {}

Judge::~Judge() = default;

std::vector<CellRecord> Judge::judge(const std::vector<PlannedCell>& cells) {
  executions_.clear();
  std::vector<Build> builds(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i)
    builds[i].cell = &cells[i];
  compile(builds);
  analyse(builds);
  // What else is executed depends on the answers.
  for (bool answers : {true, false}) {
    planExecutions(builds, answers);
    executeMissing(builds);
  }
  std::vector<CellRecord> records;
  for (const Build& build : builds) {
    for (const StageResult* stage : {&build.ptx, &build.cubin})
      work_.compiled += !stage->command.empty() && !stage->cached && stage->status != CompileStatus::Skipped;
    records.push_back(conclude(build));
  }
  work_.disassembled = disassembler_.starts() - startsBefore_;
  return records;
}

// ---- compile

StageResult Judge::frontEnd(const PlannedCell& cell) {
  auto compile = [&] {
    return compiler_.toPtx(cell.manifest->source, *cell.toolchain, cell.name.arch, cell.opt);
  };
  try {
    StageResult ptx = compile();
    // A damaged artifact is found by reading it, and is then gone: the second call makes it anew.
    if (ptx.status == CompileStatus::Ok && !cache_.getArtifact(ptx.hash)) ptx = compile();
    return ptx;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Usage) throw;
    StageResult failed;
    failed.status = CompileStatus::InfraError;
    failed.log = error.what();
    return failed;
  }
}

void Judge::assemble(Build& build) {
  const PlannedCell& cell = *build.cell;
  build.cubin = compiler_.toCubin(build.ptx.hash, *cell.toolchain, cell.name.arch, cell.opt);
}

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
    StageResult ptx = frontEnd(*jobs[i].front()->cell);
    for (Build* build : jobs[i]) {
      build->ptx = ptx;
      ptx.cached = true; // counted once
    }
  });
  parallelFor(builds.size(), options_.jobs, [&](std::size_t i) {
    if (builds[i].ptx.status == CompileStatus::Ok) assemble(builds[i]);
  });
}

/// The cubin as it lies in the cache, made anew if it does not any more.
std::string Judge::cubinBytes(Build& build) {
  if (auto bytes = cache_.getArtifact(build.cubin.hash)) return *bytes;
  assemble(build);
  auto bytes = cache_.getArtifact(build.cubin.hash);
  if (!bytes)
    failEnvironment("the cubin of {0} vanishes from the cache '{1}' as soon as it is there",
                    build.cell->name.str(), cache_.directory().string());
  return *bytes;
}

// ---- read and disassemble

void Judge::analyse(std::vector<Build>& builds) {
  auto keyOf = [this](const Build& build) {
    return KeyHasher("cubin-analysis/2")
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
    build.hazards = analysis.at("hazards");
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

  std::vector<Read> reads;
  for (auto& [key, group] : unknown) {
    Build& first = *group.front();
    Read read;
    read.builds = group;
    try {
      read.cubin = Cubin::parse(cubinBytes(first), "the cubin");
      findKernel(read.cubin, *first.cell);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Usage) throw;
      read.fail(error);
      continue;
    }
    for (Build* build : group)
      build->cubin.hash = first.cubin.hash;
    read.key = keyOf(first);
    reads.push_back(std::move(read));
  }
  disassemble(builds.front().cell->name.arch, reads);
  for (Read& read : reads) {
    if (!read.builds.front()->error.empty()) continue;
    const Kernel& kernel = findKernel(read.cubin, *read.builds.front()->cell);
    std::uint64_t illegal = 0;
    for (const sass::Listing& listing : read.listings)
      for (const sass::ListedInstruction& instruction : listing.instructions)
        illegal += instruction.illegal;
    Json analysis = {{"image", read.cubin.imageHash(kernel)},
                     {"sass", cache_.putArtifact(sass::renderDump(read.cubin, read.listings))},
                     {"illegal", illegal},
                     {"hazards", describeHazards(read.cubin, read.listings)}};
    cache_.putAction(read.key, analysis.dump());
    for (Build* build : read.builds)
      accept(*build, analysis);
  }
}

/// All in one start of nvdisasm. If that fails one by one, so that code which is none spoils nothing else; if
/// it fails on every cubin, it is the machine's fault.
void Judge::disassemble(std::string_view arch, std::vector<Read>& reads) {
  auto disassembleSome = [&](std::span<Read> some) {
    std::vector<const Cubin*> cubins;
    for (const Read& read : some)
      cubins.push_back(&read.cubin);
    auto listings = sass::disassembleCubins(disassembler_, arch, cubins);
    for (std::size_t i = 0; i < some.size(); ++i)
      some[i].listings = std::move(listings[i]);
  };
  try {
    return disassembleSome(reads);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Interrupted) throw;
  }
  std::size_t failed = 0;
  for (Read& read : reads) {
    try {
      disassembleSome({&read, 1});
    } catch (const Error& error) {
      bool environment = error.kind() == ErrorKind::Environment;
      failed += environment;
      if (error.kind() != ErrorKind::Usage && (!environment || failed == reads.size())) throw;
      read.fail(error);
    }
  }
}

// ---- execute

const ExpectedAnswer& Judge::expected(const CaseManifest& manifest, std::size_t index) {
  std::unique_ptr<ExpectedAnswer>& slot = expected_[{&manifest, index}];
  if (slot) return *slot;
  slot = std::make_unique<ExpectedAnswer>();
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

/// Whether a variant can tell something that the answers do not.
bool Judge::isWanted(const Build& build, std::size_t shape, const Variant& variant) {
  if (variant.purpose == Variant::Purpose::Answer) return true;
  const ExpectedAnswer& reference = expected(*build.cell->manifest, shape);
  for (std::size_t v = 0; v < kVariantCount; ++v) {
    if (kVariants[v].purpose != Variant::Purpose::Answer) continue;
    auto answer = executions_.find(build.keys[shape * kVariantCount + v]);
    if (answer == executions_.end()) continue;
    const ExecutionRecord& run = answer->second;
    bool completed = run.end == toString(ExecutionEnd::Completed);
    if (!completed && run.end != toString(ExecutionEnd::Fault)) continue;
    bool wrong = !completed || run.outputHash != reference.outputHash[kVariants[v].poison];
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

std::string Judge::executionKey(const Build& build, const ExpectedAnswer& reference,
                                const Variant& variant) const {
  return KeyHasher("execution/2")
      .add("executor", kSassExecutor)
      .add("version", kSassExecutorVersion)
      .add("schedule", toString(variant.schedule))
      .add("purpose", static_cast<std::uint64_t>(variant.purpose))
      .add("seed", variant.seed)
      .add("image", build.imageHash)
      .add("arch", build.cell->name.arch)
      .add("launch", reference.launch[variant.poison])
      .add("poison", kPoison[variant.poison])
      .add("limit", options_.maxWarpInstructions)
      .hex();
}

void Judge::planExecutions(std::vector<Build>& builds, bool answers) {
  auto isPlanned = [answers](const Variant& variant) {
    return (variant.purpose == Variant::Purpose::Answer) == answers;
  };
  std::set<std::string> wanted;
  for (Build& build : builds) {
    if (build.imageHash.empty()) continue;
    const CaseManifest& manifest = *build.cell->manifest;
    build.keys.resize(manifest.shapes.size() * kVariantCount);
    for (std::size_t s = 0; s < manifest.shapes.size(); ++s) {
      const ExpectedAnswer& reference = expected(manifest, s);
      if (!reference.error.empty()) continue;
      for (std::size_t v = 0; v < kVariantCount; ++v) {
        if (!isPlanned(kVariants[v]) || !isWanted(build, s, kVariants[v])) continue;
        std::string& key = build.keys[s * kVariantCount + v];
        key = executionKey(build, reference, kVariants[v]);
        wanted.insert(key);
      }
    }
  }
  std::vector<std::string> keys(wanted.begin(), wanted.end());
  std::vector<std::optional<ExecutionRecord>> known = memory_.find(keys);
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (known[i]) executions_[keys[i]] = std::move(*known[i]);
  for (const Build& build : builds)
    for (std::size_t place = 0; place < build.keys.size(); ++place) {
      const Variant& variant = kVariants[place % kVariantCount];
      if (isPlanned(variant) && !build.keys[place].empty())
        forgetIfLost(build.keys[place],
                     expected(*build.cell->manifest, place / kVariantCount).outputHash[variant.poison]);
    }
}

/// A mismatch is described anew from its outputs: an execution whose outputs the cache has lost is made
/// again.
void Judge::forgetIfLost(const std::string& key, const std::string& expectedHash) {
  auto known = executions_.find(key);
  if (known == executions_.end()) return;
  const std::string& hash = known->second.outputHash;
  if (!hash.empty() && hash != expectedHash && !cache_.getArtifact(hash)) executions_.erase(known);
}

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
      if (!build.keys[i].empty() && !executions_.contains(build.keys[i]) &&
          taken.insert(build.keys[i]).second)
        job.missing.push_back(i);
    if (!job.missing.empty()) jobs.push_back(std::move(job));
  }
  if (jobs.empty()) return;

  auto run = [&](Job& job) {
    Build& build = *job.build;
    const CaseManifest& manifest = *build.cell->manifest;
    try {
      auto cubin = std::make_shared<Cubin>(Cubin::parse(cubinBytes(build), "the cubin"));
      const Kernel& kernel = findKernel(*cubin, *build.cell);
      if (cubin->imageHash(kernel) != build.imageHash)
        failEnvironment("the cubin of {0} is another than a moment ago; run again", build.cell->name.str());
      sass::Program program(
          cubin, sass::disassembleCubins(disassembler_, build.cell->name.arch, {cubin.get()}).front());
      std::map<std::size_t, ShapeLaunch> launches; // by shape
      for (std::size_t place : job.missing) {
        throwIfInterrupted();
        std::size_t shape = place / kVariantCount;
        auto launch = launches.find(shape);
        if (launch == launches.end())
          launch = launches
                       .try_emplace(shape, program, kernel, manifest.shapes[shape],
                                    *expected_.at({&manifest, shape}), cache_)
                       .first;
        ExecutionRecord record =
            launch->second.execute(kVariants[place % kVariantCount], options_.maxWarpInstructions);
        record.key = build.keys[place];
        record.imageHash = build.imageHash;
        job.done.push_back(std::move(record));
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Usage) throw;
      build.error = error.what();
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
  const ExpectedAnswer& reference = expected(manifest, index);
  std::string error = !build.error.empty() ? build.error : reference.error;
  VariantRuns runs = {};
  for (std::size_t v = 0; v < kVariantCount && error.empty(); ++v) {
    const std::string& key = build.keys[index * kVariantCount + v];
    if (key.empty()) continue;
    auto found = executions_.find(key);
    // The build that was to execute it could not; it says why.
    if (found == executions_.end())
      error = "the execution that this cell shares with another failed";
    else
      runs[v] = &found->second;
  }
  VerdictRecord record;
  if (error.empty()) {
    record = judgeRuns(shape, reference, runs, [&](const std::string& hash) {
      auto bytes = cache_.getArtifact(hash);
      if (!bytes)
        failEnvironment("an output of {0} has vanished from the cache; run again", build.cell->name.str());
      return *bytes;
    });
  } else {
    record.verdict = Verdict::InfraError;
    record.details = messageDetails(error);
  }
  record.executor = kSassExecutor;
  record.shape = shape.name;
  return record;
}

const SourceRecord& Judge::source(const CaseManifest& manifest) {
  auto found = sources_.find(&manifest);
  if (found == sources_.end()) found = sources_.emplace(&manifest, recordOf(manifest)).first;
  return found->second;
}

CellRecord Judge::conclude(const Build& build) {
  const PlannedCell& cell = *build.cell;
  CellRecord record;
  record.arch = cell.name.arch;
  record.opt = cell.name.opt;
  record.toolchain = recordOf(*cell.toolchain);
  record.source = source(*cell.manifest);
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
    verdict.details = messageDetails(gist(last.log));
    verdicts.push_back(verdict);
  } else {
    for (std::size_t s = 0; s < cell.manifest->shapes.size(); ++s) {
      VerdictRecord& verdict = verdicts.emplace_back(judgeShape(build, s));
      if (!build.hazards.empty() && verdict.verdict != worst(verdict.verdict, Verdict::Hazard)) {
        verdict.verdict = Verdict::Hazard;
        verdict.details = messageDetails(build.hazards);
      }
      if (build.illegalWords == 0) continue;
      verdict.verdict = worst(verdict.verdict, Verdict::IllegalEncoding);
      if (verdict.verdict == Verdict::IllegalEncoding)
        verdict.details = messageDetails(std::to_string(build.illegalWords) +
                                         (build.illegalWords == 1 ? " instruction" : " instructions") +
                                         " that nvdisasm calls illegal");
    }
  }
  for (VerdictRecord& verdict : verdicts) {
    bool faulty = harness::judge(verdict.verdict, std::nullopt) == Outcome::Regressed;
    // Which stage is at fault needs the PTX to be executed too.
    verdict.blame = faulty ? Blame::Unknown : Blame::None;
    // Nothing can be wanted of a toolchain that does not know the arch or the option.
    verdict.outcome =
        verdict.verdict == Verdict::Skipped ? Outcome::Ok : harness::judge(verdict.verdict, wanted);
  }
  record.verdicts.push_back(std::move(verdicts));
  return record;
}

} // namespace harness

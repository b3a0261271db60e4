#include "harness/matrix/builder.h"

#include "harness/base/error.h"
#include "harness/base/hash.h"
#include "harness/base/parallel.h"
#include "harness/base/text.h"
#include "harness/matrix/executor_version.h"
#include "harness/matrix/mangled_name.h"
#include "harness/matrix/misfit.h"
#include "harness/sass/dump.h"
#include "harness/sass/hazard.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <span>

namespace harness {

namespace {

using Json = nlohmann::json;

/// With fewer cubins than this another start of nvdisasm would not pay.
constexpr std::size_t kReadingsAStart = 64;

/// True if code of a cubin for `smVersion` (120) is meant for `arch` (sm_120, sm_120a).
bool isFor(unsigned smVersion, std::string_view arch) {
  unsigned number = 0;
  return arch.starts_with("sm_") &&
         std::from_chars(arch.data() + 3, arch.data() + arch.size(), number).ec == std::errc() &&
         number == smVersion;
}

void requireArch(const Cubin& cubin, const PlannedCell& cell) {
  if (!isFor(cubin.smVersion, cell.name.arch)) failUsage("the cubin is for sm_{0}", cubin.smVersion);
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

/// A cubin on its way through the disassembler, and the builds that made it.
struct Builder::Reading {
  std::string key;
  Builds builds;
  Cubin cubin;
  std::vector<sass::Listing> listings;

  void fail(const Error& error) {
    for (Build* build : builds)
      build->machineCode.error = error.what();
  }

  /// True if the kernel is there; otherwise each says that it is its manifest that asks for another.
  bool hasKernel() {
    try {
      kernelOf(cubin, builds.front()->cell->manifest->kernel);
      return true;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Usage) throw;
      for (Build* build : builds)
        build->machineCode.error = describeMisfit(*build->cell->manifest, error.what());
      return false;
    }
  }
};

// ---- compile

StageResult Builder::frontEnd(const Build& build) {
  const PlannedCell& cell = *build.cell;
  auto compile = [&] {
    return compiler_.toPtx(cell.manifest->source, *cell.toolchain, cell.name.arch, cell.opt, build.attempt);
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

void Builder::translate(const Builds& builds) {
  // One front-end job for all levels of ptxas; side by side they would wait for each other.
  std::map<std::string, Builds> frontEndJobs;
  for (Build* build : builds) {
    const PlannedCell& cell = *build->cell;
    std::string key = cell.name.caseId + '\n' + cell.name.toolchain + '\n' + cell.name.arch + '\n' +
                      join(cell.opt.frontEnd, " ") + '\n' + join(cell.opt.cicc, " ") + '\n' +
                      std::to_string(build->attempt);
    frontEndJobs[key].push_back(build);
  }
  std::vector<Builds> jobs;
  for (auto& [key, group] : frontEndJobs)
    jobs.push_back(std::move(group));
  parallelFor(jobs.size(), jobs_, [&](std::size_t i) {
    StageResult ptx = frontEnd(*jobs[i].front());
    for (Build* build : jobs[i]) {
      build->ptx = ptx;
      ptx.cached = true; // counted once
    }
  });
}

void Builder::assemble(Build& build) {
  const PlannedCell& cell = *build.cell;
  build.cubin = compiler_.toCubin(build.ptx.hash, *cell.toolchain, cell.name.arch, cell.opt, build.attempt);
}

void Builder::assemble(const Builds& builds) {
  parallelFor(builds.size(), jobs_, [&](std::size_t i) {
    if (builds[i]->ptx.status == CompileStatus::Ok) assemble(*builds[i]);
  });
  analyse(builds);
}

std::string Builder::ptxText(Build& build) {
  if (auto text = cache_.getArtifact(build.ptx.hash)) return *text;
  StageResult again = frontEnd(build);
  auto text = again.hash == build.ptx.hash ? cache_.getArtifact(again.hash) : std::nullopt;
  if (!text)
    failEnvironment("the PTX of {0} has vanished from the cache '{1}'; run again", build.cell->name.str(),
                    cache_.directory().string());
  return *text;
}

/// The cubin as it lies in the cache, made anew if it does not any more.
std::string Builder::cubinBytes(Build& build) {
  if (auto bytes = cache_.getArtifact(build.cubin.hash)) return *bytes;
  assemble(build);
  auto bytes = cache_.getArtifact(build.cubin.hash);
  if (!bytes)
    failEnvironment("the cubin of {0} vanishes from the cache '{1}' as soon as it is there",
                    build.cell->name.str(), cache_.directory().string());
  return *bytes;
}

CubinFile Builder::file(Build& build) {
  CubinFile file;
  file.bytes = cubinBytes(build);
  file.cubin = std::make_shared<Cubin>(Cubin::parse(file.bytes, "the cubin"));
  requireArch(*file.cubin, *build.cell);
  file.kernel = &kernelOf(*file.cubin, build.cell->manifest->kernel);
  return file;
}

ReadCubin Builder::read(Build& build) {
  CubinFile file = this->file(build);
  ReadCubin read{file.cubin, file.kernel, {}};
  if (read.cubin->imageHash(*read.kernel) != build.machineCode.hash)
    failEnvironment("the cubin of {0} is another than a moment ago; run again", build.cell->name.str());
  read.listings = sass::disassembleCubins(disassembler_, build.cell->name.arch, {read.cubin.get()}).front();
  return read;
}

// ---- read and disassemble

void Builder::analyse(const Builds& builds) {
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
    build.machineCode.hash = analysis.at("image");
    build.sassHash = analysis.at("sass");
    build.illegalWords = analysis.at("illegal");
    build.hazards = analysis.at("hazards");
  };
  std::map<std::string, Builds> unknown;
  for (Build* build : builds) {
    if (build->cubin.hash.empty()) continue;
    std::string key = keyOf(*build);
    Json analysis = Json::parse(cache_.getAction(key).value_or(""), nullptr, /*allow_exceptions=*/false);
    if (analysis.is_object() && cache_.hasArtifact(analysis.value("sass", "")))
      accept(*build, analysis);
    else
      unknown[key].push_back(build);
  }
  if (unknown.empty()) return;

  std::vector<Reading> readings;
  for (auto& [key, group] : unknown) {
    Build& first = *group.front();
    Reading reading;
    reading.builds = group;
    try {
      reading.cubin = Cubin::parse(cubinBytes(first), "the cubin");
      requireArch(reading.cubin, *first.cell);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Usage) throw;
      reading.fail(error);
      continue;
    }
    if (!reading.hasKernel()) continue;
    for (Build* build : group)
      build->cubin.hash = first.cubin.hash;
    reading.key = keyOf(first);
    readings.push_back(std::move(reading));
  }
  disassemble(builds.front()->cell->name.arch, readings);
  parallelFor(readings.size(), jobs_, [&](std::size_t i) {
    Reading& reading = readings[i];
    if (!reading.builds.front()->machineCode.error.empty()) return;
    const Kernel& kernel = kernelOf(reading.cubin, reading.builds.front()->cell->manifest->kernel);
    std::uint64_t illegal = 0;
    for (const sass::Listing& listing : reading.listings)
      for (const sass::ListedInstruction& instruction : listing.instructions)
        illegal += instruction.illegal;
    Json analysis = {{"image", reading.cubin.imageHash(kernel)},
                     {"sass", cache_.putArtifact(sass::renderDump(reading.cubin, reading.listings))},
                     {"illegal", illegal},
                     {"hazards", describeHazards(reading.cubin, reading.listings)}};
    cache_.putAction(reading.key, analysis.dump());
    for (Build* build : reading.builds)
      accept(*build, analysis);
  });
}

/// Many in one start of nvdisasm. If one fails all one by one, so that code which is none spoils nothing
/// else; if it fails on every cubin, it is the machine's fault.
void Builder::disassemble(std::string_view arch, std::vector<Reading>& readings) {
  auto disassembleSome = [&](std::span<Reading> some) {
    std::vector<const Cubin*> cubins;
    for (const Reading& reading : some)
      cubins.push_back(&reading.cubin);
    auto listings = sass::disassembleCubins(disassembler_, arch, cubins);
    for (std::size_t i = 0; i < some.size(); ++i)
      some[i].listings = std::move(listings[i]);
  };
  std::size_t starts = std::clamp<std::size_t>(readings.size() / kReadingsAStart, 1, jobs_);
  auto from = [&](std::size_t start) { return readings.begin() + start * readings.size() / starts; };
  try {
    return parallelFor(starts, jobs_, [&](std::size_t i) { disassembleSome({from(i), from(i + 1)}); });
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Interrupted) throw;
  }
  std::size_t failed = 0;
  for (Reading& reading : readings) {
    try {
      disassembleSome({&reading, 1});
    } catch (const Error& error) {
      bool environment = error.kind() == ErrorKind::Environment;
      failed += environment;
      if (error.kind() != ErrorKind::Usage && (!environment || failed == readings.size())) throw;
      reading.fail(error);
    }
  }
}

} // namespace harness

#include "harness/cli/workspace.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/text.h"
#include "harness/cli/driver_toolchain.h"
#include "harness/cli/toolchain_label.h"
#include "harness/matrix/cell.h"
#include "harness/toolchain/names.h"

#include <algorithm>
#include <set>

namespace harness::cli {

namespace fs = std::filesystem;

namespace {

bool isCheckout(const fs::path& directory) {
  std::error_code ec;
  return fs::is_directory(directory / "repros", ec) && fs::is_directory(directory / "matrix", ec);
}

/// `start` or the nearest folder above it that is a checkout; empty if none is.
fs::path checkoutAround(const fs::path& start) {
  for (fs::path directory = start; !directory.empty(); directory = directory.parent_path()) {
    if (isCheckout(directory)) return directory;
    if (directory == directory.root_path()) break;
  }
  return {};
}

/// The case of a CELL; empty if the text is none.
std::string caseOfCell(const std::string& text) {
  try {
    return CellName::parse(text).caseId;
  } catch (const Error&) {
    return "";
  }
}

} // namespace

fs::path Workspace::root() const {
  std::error_code ec;
  if (!options_.root.empty()) {
    if (!isCheckout(options_.root))
      failUsage("'{0}' has no repros/ and matrix/: no checkout of the harness", options_.root);
    return fs::absolute(options_.root);
  }
  for (const fs::path& start : {fs::current_path(ec), fs::read_symlink("/proc/self/exe", ec).parent_path()})
    if (fs::path found = checkoutAround(start); !found.empty()) return found;
  failUsage("no checkout of the harness (a folder with repros/ and matrix/) around the current directory; "
            "give --root");
}

fs::path Workspace::cacheDir() const {
  return options_.cacheDir.empty() ? defaultCacheDir() : fs::absolute(options_.cacheDir);
}

ToolchainDir Workspace::toolchains() const {
  return ToolchainDir(options_.toolchainsDir.empty() ? cacheDir() / "toolchains"
                                                     : fs::absolute(options_.toolchainsDir));
}

std::vector<fs::path> Workspace::caseRoots() const {
  std::vector<fs::path> roots;
  for (const char* folder : {"repros", "cu"})
    if (fs::is_directory(root() / folder)) roots.push_back(root() / folder);
  return roots;
}

std::vector<CaseManifest> Workspace::cases() const {
  return loadCases(caseRoots());
}

Toolchain Workspace::toolchain(const std::string& name) const {
  ToolchainDir directory = toolchains();
  std::vector<std::string> halves = split(name, '+');
  if (halves.size() > 2)
    failUsage("'{0}' is no toolchain; a front end and a ptxas are written 13.0.88+12.8.93, 13.0.88+driver",
              name);
  if (const std::string& last = halves.back(); isDriverName(last)) {
    gpu::Machine machine = gpu::findMachine({});
    std::vector<Toolchain> installed = directory.list();
    Toolchain front = halves.size() > 1 ? toolchain(halves.front()) : frontEndFor(machine, installed);
    return withDriver(front, last, machine, installed);
  }
  for (const std::string& half : halves) {
    std::error_code ec;
    if (!fs::exists(directory.directory() / half / "toolchain.json", ec) && !ec) failMissing(half);
  }
  return directory.get(name);
}

void Workspace::failMissing(const std::string& toolchain) const {
  std::vector<std::string> names;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(requirementsDir(), ec))
    if (entry.path().extension() == ".txt" && entry.path().stem() != "nvdisasm")
      names.push_back(entry.path().stem().string());
  if (std::find(names.begin(), names.end(), toolchain) != names.end())
    failEnvironment("toolchain '{0}' is not installed; install it with: harness toolchain install {0}",
                    toolchain);
  for (const Toolchain& installed : toolchains().list())
    names.push_back(installed.name);
  std::string near = nearestToolchain(toolchain, names);
  failUsage("there is no toolchain '{0}'{1}; 'harness toolchain list' shows what is installed, and '{2}' has "
            "what can be",
            toolchain, near.empty() ? std::string() : " (the nearest is '" + near + "')",
            requirementsDir().string());
}

std::vector<std::string> Workspace::knownArchs() const {
  std::vector<std::string> archs = releasedArchs();
  for (const Toolchain& toolchain : toolchains().list())
    archs.insert(archs.end(), toolchain.ptxas.archs.begin(), toolchain.ptxas.archs.end());
  return archs;
}

void Workspace::requireArch(const std::string& arch) const {
  // What is installed is looked at for others only: a run asks this of every cell that is skipped.
  const std::vector<std::string>& released = releasedArchs();
  if (std::find(released.begin(), released.end(), arch) == released.end())
    requireKnownArch(arch, knownArchs());
}

CaseManifest Workspace::findCase(const std::string& nameOrPath) const {
  std::error_code ec;
  if (std::string id = caseOfCell(nameOrPath); !id.empty() && !fs::exists(nameOrPath, ec))
    failUsage("'{0}' is a CELL, and a CASE is wanted: '{1}'", nameOrPath, id);
  // A folder may have the name of a case by chance: that of a bundle, for one.
  bool isPath = nameOrPath.find('/') != std::string::npos || fs::is_regular_file(nameOrPath, ec) ||
                fs::exists(fs::path(nameOrPath) / "case.json", ec);
  if (isPath) return CaseManifest::load(nameOrPath);
  // Only the one that is asked for is read: what is wrong with another must not matter.
  std::vector<fs::path> found;
  std::vector<std::string> ids;
  for (const fs::path& folder : caseRoots())
    for (const auto& entry : fs::directory_iterator(folder, ec)) {
      if (!fs::exists(entry.path() / "case.json", ec)) continue;
      ids.push_back(entry.path().filename().string());
      if (ids.back() == nameOrPath) found.push_back(entry.path());
    }
  if (found.size() > 1)
    failUsage("two cases are named '{0}': '{1}' and '{2}'; rename one folder", nameOrPath, found[0].string(),
              found[1].string());
  if (found.size() == 1) return CaseManifest::load(found.front());
  std::string near = nearest(nameOrPath, ids);
  failUsage("there is no case '{0}'{1}; 'harness case list' shows all", nameOrPath,
            near.empty() ? std::string() : " (did you mean '" + near + "'?)");
}

std::vector<Version> Workspace::releases() const {
  std::vector<Version> builds;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(requirementsDir(), ec))
    if (auto build = Version::parse(entry.path().stem().string())) builds.push_back(*build);
  std::sort(builds.begin(), builds.end());
  return builds;
}

Toolchain toolchainOrNewest(const std::string& name, const Workspace& workspace) {
  if (!name.empty()) return workspace.toolchain(toolchainOfLabel(name, workspace));
  std::vector<Toolchain> installed = workspace.toolchains().list();
  if (installed.empty())
    failEnvironment("no toolchain is installed; 'harness toolchain install 13.0.88' installs one");
  return installed.back();
}

void chooseExecutors(Judge::Options& options, const ExecutorChoice& choice) {
  const std::vector<std::string>& names = choice.names;
  auto isThere = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : names)
    requireExecutor(name);
  if (!isThere(kSassExecutor)) options.sass = nullptr;
  if (!isThere(kPtxExecutor)) options.ptx = nullptr;
  options.repeats = choice.repeats;
  if (!isThere(kGpuExecutor)) return;
  gpu::Options device;
  device.launch = std::chrono::seconds(choice.launchSeconds);
  options.gpu = gpuExecutor(device);
}

namespace {

/// What is installed may be tried to find out who is to blame.
Judge::Options withTrials(Judge::Options options, const Workspace& workspace) {
  options.installed = workspace.toolchains().list();
  return options;
}

} // namespace

Workshop::Workshop(const Workspace& workspace, ExecutionMemory& memory, Judge::Options options,
                   const ProcessLimits& compilerLimits)
    : cache(workspace.cacheDir() / "artifacts"), compiler(cache, {compilerLimits, {}}),
      disassembler(cache, workspace.toolchains().nvdisasm(), options.disassemblerLimits),
      references(cache, {}),
      judge(cache, compiler, disassembler, references, memory, withTrials(options, workspace)) {}

CellResolver::CellResolver(const Workspace& workspace, std::vector<CaseManifest> cases)
    : workspace_(workspace) {
  for (CaseManifest& manifest : cases) {
    std::string id = manifest.id;
    cases_.emplace(std::move(id), std::move(manifest));
  }
}

const Toolchain& CellResolver::toolchain(const std::string& name) {
  auto found = toolchains_.find(name);
  if (found == toolchains_.end()) found = toolchains_.emplace(name, workspace_.toolchain(name)).first;
  return found->second;
}

std::vector<PlannedCell> CellResolver::resolve(const std::vector<CellName>& names) {
  std::set<std::string> missing;
  std::string firstError;
  std::map<std::string, OptPoint> opts;
  std::vector<PlannedCell> cells;
  for (const CellName& name : names) {
    auto manifest = cases_.find(name.caseId);
    if (manifest == cases_.end())
      failUsage("there is no case '{0}'; 'harness case list' shows all", name.caseId);
    auto opt = opts.find(name.opt);
    if (opt == opts.end()) opt = opts.emplace(name.opt, OptPoint::parse(name.opt)).first;
    if (missing.contains(name.toolchain)) continue;
    try {
      cells.push_back({name, &manifest->second, &toolchain(name.toolchain), opt->second});
      cells.back().name.toolchain = cells.back().toolchain->name; // "driver" has a longer one
      if (!cells.back().toolchain->knowsArch(name.arch)) workspace_.requireArch(name.arch);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Environment) throw;
      // No command installs the compiler of a driver.
      if (isDriverName(split(name.toolchain, '+').back())) throw;
      if (missing.empty()) firstError = error.what();
      missing.insert(name.toolchain);
    }
  }
  if (missing.size() == 1) failEnvironment("{0}", firstError);
  if (!missing.empty()) {
    std::vector<std::string> list(missing.begin(), missing.end());
    failEnvironment(
        "these toolchains are not installed: {0}; install them with\n  harness toolchain install {1}",
        join(list, ", "), join(list, " "));
  }
  return cells;
}

} // namespace harness::cli

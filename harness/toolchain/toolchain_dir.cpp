#include "harness/base/error.h"
#include "harness/base/hash.h"
#include "harness/base/log.h"
#include "harness/base/subprocess.h"
#include "harness/base/text.h"
#include "harness/toolchain/identify.h"
#include "harness/toolchain/layout.h"
#include "harness/toolchain/pip.h"
#include "harness/toolchain/record.h"
#include "harness/toolchain/requirements.h"
#include "harness/toolchain/smoke.h"
#include "harness/toolchain/staging.h"
#include "harness/toolchain/toolchain.h"

#include <algorithm>
#include <map>

namespace harness {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kNvdisasm = "nvdisasm";
constexpr const char* kNvdisasmPackage = "nvidia-cuda-nvdisasm";
constexpr std::string_view kNvrtcPrefix = "nvrtc-";

/// A name that is one folder of ours: not empty, no path, nothing hidden.
bool isName(std::string_view name) {
  return !name.empty() && name.front() != '.' && name.find('/') == std::string_view::npos;
}

/// The records of all complete entries. One that cannot be read is warned of and left out.
std::vector<Record> readRecords(const fs::path& directory) {
  std::vector<Record> records;
  std::error_code ec;
  fs::directory_iterator entries(directory, ec);
  if (ec && ec != std::errc::no_such_file_or_directory)
    failEnvironment("cannot read '{0}', where toolchains are installed: {1}", directory.string(),
                    ec.message());
  for (const auto& entry : entries) {
    if (!isName(entry.path().filename().string())) continue;
    try {
      if (auto record = Record::read(entry.path())) records.push_back(std::move(*record));
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Interrupted) throw;
      Log::warning(error.what());
    }
  }
  return records;
}

std::vector<FileHash> hashFiles(const std::vector<fs::path>& files, const fs::path& root) {
  std::vector<FileHash> hashes;
  for (const fs::path& file : files) {
    throwIfInterrupted();
    hashes.push_back({file.lexically_relative(root).generic_string(), sha256File(file)});
  }
  return hashes;
}

std::string hashOf(const std::vector<FileHash>& files, const fs::path& file, const fs::path& root) {
  std::string path = file.lexically_relative(root).generic_string();
  auto found =
      std::find_if(files.begin(), files.end(), [&](const FileHash& entry) { return entry.path == path; });
  return found == files.end() ? "" : found->sha256;
}

std::string identityOf(FrontEndKind kind, const std::vector<FileHash>& files) {
  KeyHasher hasher("front-end/1");
  hasher.add("kind", toString(kind));
  for (const FileHash& file : files)
    hasher.add("path", file.path).add("sha256", file.sha256);
  return hasher.hex();
}

/// The files of a record that count, as they lie now: what install hashes and verify hashes again.
std::vector<fs::path> countedFiles(const Layout& layout, const Record& record) {
  std::vector<fs::path> files;
  if (record.toolchain) {
    files = frontEndFiles(layout, record.toolchain->frontEnd.kind);
    files.push_back(layout.ptxas);
  }
  if (record.nvdisasm) files.push_back(layout.nvdisasm);
  std::sort(files.begin(), files.end());
  return files;
}

/// Identifies and tries out the compilers below `root`.
Toolchain inspectToolchain(const Layout& layout, const fs::path& root, FrontEndKind kind,
                           const fs::path& nvrtcProgram, std::vector<FileHash>& files) {
  Toolchain toolchain;
  toolchain.root = root;
  toolchain.ptxas = identifyPtxas(layout.ptxas);
  FrontEnd& frontEnd = toolchain.frontEnd;
  frontEnd.kind = kind;
  frontEnd.program = kind == FrontEndKind::Nvcc ? layout.nvcc : layout.nvrtc;
  if (kind == FrontEndKind::Nvcc) frontEnd.cicc = layout.cicc;
  frontEnd.includeDirs = layout.includeDirs;
  std::string ptx = smokeCompile(frontEnd, toolchain.ptxas, nvrtcProgram);
  auto version = kind == FrontEndKind::Nvcc ? identifyTool(layout.nvcc) : parsePtxHeader(ptx);
  if (!version) failEnvironment("cannot tell the version of '{0}' from its PTX", frontEnd.program.string());
  frontEnd.build = version->build;
  frontEnd.buildString = version->buildString;
  files = hashFiles(frontEndFiles(layout, kind), root);
  frontEnd.ciccSha256 = hashOf(files, kind == FrontEndKind::Nvcc ? layout.cicc : layout.nvrtc, root);
  frontEnd.identity = identityOf(kind, files);
  return toolchain;
}

void inspectNvdisasm(const Layout& layout, Record& record, const fs::path& root) {
  ToolVersion version = identifyTool(layout.nvdisasm);
  record.nvdisasm = Nvdisasm{layout.nvdisasm, version.buildString, sha256File(layout.nvdisasm)};
  record.nvdisasmBuild = version.build;
  record.files.push_back(
      {layout.nvdisasm.lexically_relative(root).generic_string(), record.nvdisasm->sha256});
}

void inspectCompilers(const Layout& layout, Record& record, const fs::path& root, FrontEndKind kind,
                      const fs::path& nvrtcProgram) {
  record.toolchain = inspectToolchain(layout, root, kind, nvrtcProgram, record.files);
  const Ptxas& ptxas = record.toolchain->ptxas;
  record.files.push_back({ptxas.program.lexically_relative(root).generic_string(), ptxas.sha256});
}

void sortFiles(Record& record) {
  std::sort(record.files.begin(), record.files.end(),
            [](const FileHash& a, const FileHash& b) { return a.path < b.path; });
}

/// The build that a toolchain of this name must have.
std::string buildOfName(std::string_view name) {
  if (name.starts_with(kNvrtcPrefix)) name.remove_prefix(kNvrtcPrefix.size());
  return std::string(name);
}

Record inspectInstalled(const std::string& name, const Requirements& requirements, const fs::path& root,
                        const fs::path& nvrtcProgram) {
  Record record;
  record.name = name;
  record.packages = requirements.pins;
  Layout layout = Layout::find(root);
  record.mended = mendLayout(root, layout);
  if (requirements.pins.contains(kNvdisasmPackage)) {
    if (layout.nvdisasm.empty()) failEnvironment("the packages bring no nvdisasm");
    inspectNvdisasm(layout, record, root);
    return record;
  }
  bool useNvcc = layout.hasNvcc() && !name.starts_with(kNvrtcPrefix);
  if (layout.ptxas.empty() || (!useNvcc && layout.nvrtc.empty()))
    failEnvironment("the packages bring no ptxas, or neither nvcc nor NVRTC");
  inspectCompilers(layout, record, root, useNvcc ? FrontEndKind::Nvcc : FrontEndKind::Nvrtc, nvrtcProgram);
  const std::string build = record.toolchain->ptxas.build.str();
  if (build != buildOfName(name)) failEnvironment("its ptxas says it is {0}", build);
  sortFiles(record);
  return record;
}

std::string installedNames(const std::vector<Record>& records) {
  std::vector<std::string> names;
  for (const Record& record : records)
    names.push_back(record.name);
  std::sort(names.begin(), names.end());
  return names.empty() ? "nothing" : join(names, ", ");
}

/// The record of an entry. Throws Error(Environment) that says what is there.
Record requireRecord(const fs::path& directory, std::string_view name) {
  std::optional<Record> record;
  if (isName(name)) record = Record::read(directory / name);
  if (record) return *record;
  failEnvironment(
      "toolchain '{0}' is not installed in '{1}' (installed: {2}); install it with: harness toolchain "
      "install {0}",
      name, directory.string(), installedNames(readRecords(directory)));
}

} // namespace

ToolchainDir::ToolchainDir(fs::path directory) : directory_(fs::absolute(directory).lexically_normal()) {}

std::vector<Toolchain> ToolchainDir::list() const {
  std::vector<Toolchain> toolchains;
  for (Record& record : readRecords(directory_))
    if (record.toolchain) toolchains.push_back(std::move(*record.toolchain));
  std::sort(toolchains.begin(), toolchains.end(), [](const Toolchain& a, const Toolchain& b) {
    return a.ptxas.build != b.ptxas.build ? a.ptxas.build < b.ptxas.build : a.name < b.name;
  });
  return toolchains;
}

Toolchain ToolchainDir::get(std::string_view name) const {
  if (auto plus = name.find('+'); plus != std::string_view::npos) {
    Toolchain pair = get(name.substr(0, plus));
    pair.ptxas = get(name.substr(plus + 1)).ptxas;
    pair.name = name;
    return pair;
  }
  Record record = requireRecord(directory_, name);
  if (!record.toolchain) failUsage("'{0}' is a disassembler, not a compiler", name);
  return *record.toolchain;
}

Nvdisasm ToolchainDir::nvdisasm() const {
  std::vector<Record> records = readRecords(directory_);
  const Record* newest = nullptr;
  for (const Record& record : records)
    if (record.nvdisasm && (!newest || newest->nvdisasmBuild < record.nvdisasmBuild)) newest = &record;
  if (!newest)
    failEnvironment("no nvdisasm is installed in '{0}'; install it with: harness toolchain install nvdisasm",
                    directory_.string());
  return *newest->nvdisasm;
}

ToolchainDir::InstallOutcome ToolchainDir::install(std::string_view version, const InstallOptions& options) {
  Requirements requirements = Requirements::load(options.requirementsDir, version);
  std::string name(version);
  if (version == kNvdisasm) {
    auto pin = requirements.pins.find(kNvdisasmPackage);
    if (pin == requirements.pins.end()) failUsage("'{0}' does not name nvdisasm", requirements.file.string());
    name += "-" + pin->second;
  }
  auto upToDate = [&] {
    if (options.force) return false;
    try {
      auto record = Record::read(directory_ / name);
      return record && (!record->added.empty() || record->packages == requirements.pins);
    } catch (const Error&) {
      return false; // damaged: made anew
    }
  };
  if (upToDate()) return InstallOutcome::AlreadyThere;
  Staging staging(directory_, name);
  if (upToDate()) return InstallOutcome::AlreadyThere;
  Log::status("installing " + name);
  pipInstall(requirements, version, options.wheels, staging.path());
  Log::status("trying out " + name);
  try {
    inspectInstalled(name, requirements, staging.path(), options.nvrtcProgram).write(staging.path());
  } catch (const Error& error) {
    throw Error(error.kind(),
                "cannot use " + name + " of '" + requirements.file.string() + "': " + error.what());
  }
  staging.publish();
  return InstallOutcome::Installed;
}

std::string ToolchainDir::add(const fs::path& toolkit, const fs::path& nvrtcProgram) {
  std::error_code ec;
  fs::path root = fs::canonical(toolkit, ec);
  if (ec || !fs::is_directory(root)) failUsage("'{0}' is no directory", toolkit.string());
  Layout layout = Layout::find(root);
  if (layout.ptxas.empty() && layout.nvcc.empty())
    failUsage("no bin/nvcc or bin/ptxas in '{0}'; give the root of a CUDA toolkit, e.g. /usr/local/cuda",
              root.string());
  if (layout.ptxas.empty() || (!layout.hasNvcc() && layout.nvrtc.empty()))
    failUsage("'{0}' holds no usable compiler: wanted are bin/ptxas, and bin/nvcc with nvvm/bin/cicc or a "
              "libnvrtc.so",
              root.string());
  Record record;
  record.added = root;
  inspectCompilers(layout, record, root, layout.hasNvcc() ? FrontEndKind::Nvcc : FrontEndKind::Nvrtc,
                   nvrtcProgram);
  if (!layout.nvdisasm.empty()) inspectNvdisasm(layout, record, root);
  sortFiles(record);
  record.name = record.toolchain->ptxas.build.str();

  Staging staging(directory_, record.name);
  if (auto there = Record::read(directory_ / record.name); there && there->added != root)
    failUsage("{0} is already there ({1}); remove it first: harness toolchain remove {0}", record.name,
              there->added.empty() ? "installed" : "added from '" + there->added.string() + "'");
  record.write(staging.path());
  staging.publish();
  return record.name;
}

std::vector<std::string> ToolchainDir::verify(std::string_view name) const {
  if (auto plus = name.find('+'); plus != std::string_view::npos) {
    std::vector<std::string> changes = verify(name.substr(0, plus));
    std::vector<std::string> more = verify(name.substr(plus + 1));
    changes.insert(changes.end(), more.begin(), more.end());
    return changes;
  }
  Record record = requireRecord(directory_, name);
  fs::path root = record.added.empty() ? directory_ / name : record.added;
  std::map<std::string, std::string> expected;
  for (const FileHash& file : Record::readFiles(directory_ / name))
    expected[file.path] = file.sha256;

  std::vector<std::string> changes;
  for (const auto& [path, hash] : expected) {
    throwIfInterrupted();
    if (!fs::is_regular_file(root / path))
      changes.push_back("missing: " + path);
    else if (sha256File(root / path) != hash)
      changes.push_back("changed: " + path);
  }
  for (const fs::path& file : countedFiles(Layout::find(root), record)) {
    std::string path = file.lexically_relative(root).generic_string();
    if (!file.empty() && !expected.contains(path)) changes.push_back("new: " + path);
  }
  return changes;
}

void ToolchainDir::remove(std::string_view name) {
  // Also one whose record is damaged; what was never there is an error.
  if (!isName(name) || !fs::is_directory(directory_ / name)) requireRecord(directory_, name);
  Staging(directory_, std::string(name)).removePublished();
}

} // namespace harness

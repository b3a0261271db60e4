#include "harness/toolchain/pip.h"

#include "harness/base/error.h"
#include "harness/base/subprocess.h"
#include "harness/base/text.h"

#include <string>
#include <vector>

namespace harness {

namespace fs = std::filesystem;

namespace {

/// Gigabytes may come over a slow line, and pip unpacks them in its own time.
const ProcessLimits kPipLimits{.wall = std::chrono::hours(2),
                               .cpu = std::chrono::seconds(0),
                               .memoryBytes = 0,
                               .outputBytes = std::uint64_t{16} << 20,
                               .fileBytes = std::uint64_t{16} << 30};

/// Nobody waits long for an answer that can be done without.
const ProcessLimits kIndexLimits{
    .wall = std::chrono::seconds(30), .memoryBytes = 0, .outputBytes = std::uint64_t{1} << 20};
constexpr std::string_view kVersionList = "Available versions: ";

/// A python3 that has pip: the one in PATH, else the system's.
std::string findPython() {
  for (const char* candidate : {"python3", "/usr/bin/python3"}) {
    ProcessSpec spec;
    spec.argv = {candidate, "-c", "import pip"};
    try {
      if (runProcess(spec).ok()) return candidate;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Environment) throw;
    }
    throwIfInterrupted();
  }
  failEnvironment(
      "no python3 with pip, which installs the toolchains: install the packages python3 and python3-pip");
}

/// pip's error lines, or the end of what it printed.
std::string complaint(const ProcessResult& result) {
  std::string errors;
  for (const std::string& line : split(result.err, '\n'))
    if (line.find("ERROR") != std::string::npos) errors += "\n  " + line;
  if (!errors.empty()) return errors;
  std::string_view tail = trim(result.err);
  if (tail.size() > 2000) tail.remove_prefix(tail.size() - 2000);
  return "\n  " + std::string(tail);
}

} // namespace

void pipInstall(const Requirements& requirements, std::string_view name, const fs::path& wheels,
                const fs::path& target) {
  if (!wheels.empty() && !fs::is_directory(wheels))
    failUsage("'{0}' is no folder of wheels", wheels.string());
  std::string python = findPython();
  const std::vector<std::string> locked = {"--no-deps", "--require-hashes", "--only-binary", ":all:"};
  auto command = [&](std::vector<std::string> head, const std::vector<std::string>& tail) {
    head.insert(head.end(), locked.begin(), locked.end());
    head.insert(head.end(), tail.begin(), tail.end());
    head.insert(head.end(), {"-r", requirements.file.string()});
    return head;
  };

  std::vector<std::string> options = {"--no-compile", "--no-input", "--disable-pip-version-check",
                                      "--quiet",      "--target",   target.string()};
  if (!wheels.empty())
    options.insert(options.end(), {"--no-index", "--find-links", fs::absolute(wheels).string()});
  ProcessSpec spec;
  spec.argv = command({python, "-m", "pip", "install"}, options);
  // Neither setting concerns an install into a folder of ours, and both would refuse it.
  spec.environment = {{"PIP_USER", "0"}, {"PIP_REQUIRE_VIRTUALENV", "0"}};
  spec.limits = kPipLimits;
  ProcessResult result = runProcess(spec);
  throwIfInterrupted();
  if (result.ok()) return;
  failEnvironment("cannot install {0} from '{1}': pip {2}{3}\n"
                  "Without a network: fill a folder of wheels where there is one,\n  {4}\n"
                  "and install from it here:\n  harness toolchain install {0} --wheels WHEELS",
                  name, requirements.file.string(), result.describe(), complaint(result),
                  shellCommand(command({"python3", "-m", "pip", "download"}, {"--dest", "WHEELS"})));
}

std::vector<Version> pipVersions(std::string_view package) {
  ProcessSpec spec;
  spec.argv = {findPython(), "-m",        "pip",      "--disable-pip-version-check",
               "--no-input", "--retries", "1",        "--timeout",
               "10",         "index",     "versions", std::string(package)};
  spec.limits = kIndexLimits;
  ProcessResult result = runProcess(spec);
  throwIfInterrupted();
  if (!result.ok()) failEnvironment("'{0}' {1}", shellCommand(spec.argv), result.describe());
  std::vector<Version> versions;
  for (const std::string& line : split(result.out, '\n')) {
    if (!line.starts_with(kVersionList)) continue;
    for (const std::string& word : split(std::string_view(line).substr(kVersionList.size()), ','))
      if (auto version = Version::parse(trim(word))) versions.push_back(std::move(*version));
    return versions;
  }
  failEnvironment("'{0}' names no versions", shellCommand(spec.argv));
}

} // namespace harness

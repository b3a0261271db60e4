#include "harness/base/files.h"
#include "harness/base/log.h"
#include "harness/base/subprocess.h"
#include "harness/base/text.h"
#include "harness/cli/app.h"

#include <unistd.h>

#include <cstdio>

namespace harness::cli {

namespace {

namespace fs = std::filesystem;

/// Prints one line a finding and remembers whether anything is missing.
class Findings {
public:
  void good(const char* what, const std::string& found) { line("ok", what, found); }
  void missing(const char* what, const std::string& remedy) {
    line("MISSING", what, remedy);
    anyMissing_ = true;
  }
  /// `find` gives what was found, or throws what to do.
  template <typename F> void check(const char* what, F find) {
    try {
      good(what, find());
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Interrupted) throw;
      missing(what, error.what());
    }
  }
  ExitCode exitCode() const { return anyMissing_ ? ExitCode::Environment : ExitCode::Ok; }

private:
  static void line(const char* state, const char* what, const std::string& text) {
    std::printf("%-8s %-17s %s\n", state, what, text.c_str());
  }
  bool anyMissing_ = false;
};

std::string version(std::vector<std::string> argv, const char* remedy) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  try {
    ProcessResult result = runProcess(spec);
    if (result.ok()) return split(trim(result.out.empty() ? result.err : result.out), '\n').front();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Interrupted) throw;
  }
  failEnvironment("'{0}' does not run; {1}", shellCommand(spec.argv), remedy);
}

std::string writable(const fs::path& directory) {
  std::error_code ec;
  fs::create_directories(directory, ec);
  if (access(directory.c_str(), W_OK) != 0)
    failEnvironment("'{0}' cannot be written; give --cache-dir or set HARNESS_CACHE_DIR", directory.string());
  fs::space_info space = fs::space(directory, ec);
  return directory.string() + (ec ? "" : ", " + std::to_string(space.available >> 30) + " GiB free");
}

std::string helper(const char* name) {
  std::error_code ec;
  fs::path path = fs::read_symlink("/proc/self/exe", ec).parent_path() / name;
  if (access(path.c_str(), X_OK) != 0)
    failEnvironment("'{0}' is not beside this program; build it with cmake", name);
  return path.string();
}

ExitCode doctor(const Workspace& workspace) {
  Findings findings;
  findings.check("checkout", [&] { return workspace.root().string(); });
  findings.check("cases", [&] { return std::to_string(workspace.cases().size()); });
  findings.check("cache", [&] { return writable(workspace.cacheDir()); });
  findings.check("C++ compiler", [] { return version({"c++", "--version"}, "install g++"); });
  findings.check("nvcc's host",
                 [] { return version({"gcc", "--version"}, "install gcc, nvcc preprocesses with it"); });
  findings.check("pip", [] { return version({"python3", "-m", "pip", "--version"}, "install python3-pip"); });
  findings.check("harness-nvrtc", [] { return helper("harness-nvrtc"); });
  findings.check("harness-reference", [] { return helper("harness-reference"); });
  findings.check("nvdisasm", [&] {
    Nvdisasm nvdisasm = workspace.toolchains().nvdisasm();
    return nvdisasm.buildString;
  });
  std::vector<std::string> names;
  for (const Toolchain& toolchain : workspace.toolchains().list())
    names.push_back(toolchain.name);
  if (names.empty())
    findings.missing("toolchains", "'harness toolchain install 13.0.88 13.1.80 13.5.37' installs three");
  else
    findings.good("toolchains", join(names, ", "));
  return findings.exitCode();
}

} // namespace

void addDoctor(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  CLI::App* command = app.add_subcommand("doctor", "What is installed, what is missing, what to do");
  command->callback([&options, &action] { action = [&options] { return doctor(Workspace(options)); }; });
}

} // namespace harness::cli

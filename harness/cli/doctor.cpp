#include "harness/base/files.h"
#include "harness/base/log.h"
#include "harness/base/subprocess.h"
#include "harness/base/text.h"
#include "harness/cli/app.h"
#include "harness/cli/driver_toolchain.h"

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

  /// What one can do without.
  void absent(const char* what, const std::string& why) { line("none", what, why); }

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
  fs::path path = besideThisProgram(name);
  if (access(path.c_str(), X_OK) != 0)
    failEnvironment("'{0}' is not beside this program; build it with cmake", name);
  return path.string();
}

/// What this machine's devices are good for, as far as the driver knows the code of the toolchains.
void examineDevices(Findings& findings, const std::vector<Toolchain>& toolchains) {
  gpu::Machine machine;
  try {
    machine = gpu::findMachine({});
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Environment) throw;
    findings.absent("GPU", std::string(error.what()) +
                               "; machine code of every architecture is executed on the CPU all the same");
    return;
  }
  for (const gpu::Device& device : machine.devices) {
    std::vector<std::string> archs = ownArchs(device);
    std::string now = device.clockNowMhz ? ", now at " + std::to_string(device.clockNowMhz) + " MHz" : "";
    findings.good("GPU", gpu::describe(device) + now + ", " + machine.driver.str() +
                             ": --executor gpu runs " + join(archs, ", "));
  }
  std::vector<std::string> tooNew;
  for (const Toolchain& toolchain : toolchains)
    if (toolchain.ptxas.build.parts.front() > machine.driver.cuda.parts.front())
      tooNew.push_back(toolchain.name);
  if (!tooNew.empty())
    findings.absent("newer driver", machine.driver.str() + " takes no machine code of " +
                                        joinFew(tooNew, ", ", 6) +
                                        "; it runs on the CPU, or install a driver of CUDA " +
                                        std::to_string(toolchains.back().ptxas.build.parts.front()));
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
  findings.check("harness-gpu", [] { return helper("harness-gpu"); });
  findings.check("driver's ptxas", [] { return helper("harness-driver-ptxas"); });
  std::vector<std::string> names;
  std::vector<Toolchain> toolchains = workspace.toolchains().list();
  for (const Toolchain& toolchain : toolchains)
    names.push_back(toolchain.name);
  if (names.empty())
    findings.missing("toolchains", "'harness toolchain install 13.0.88 13.1.80 13.5.37' installs three");
  else
    findings.good("toolchains", join(names, ", "));
  examineDevices(findings, toolchains);
  return findings.exitCode();
}

} // namespace

void addDoctor(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  CLI::App* command = app.add_subcommand("doctor", "What is installed, what is missing, what to do");
  command->callback([&options, &action] { action = [&options] { return doctor(Workspace(options)); }; });
}

} // namespace harness::cli

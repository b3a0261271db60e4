#include "harness/toolchain/toolchain.h"

#include "harness/base/log.h"
#include "harness/base/text.h"
#include "harness/cli/app.h"
#include "harness/report/table.h"
#include "harness/toolchain/newer.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <memory>

namespace harness::cli {

namespace {

struct ToolchainArguments {
  std::vector<std::string> names;
  std::string format = "table", wheels, directory;
  bool force = false;
};

using Work = ExitCode (*)(const ToolchainArguments&, const Workspace&);

nlohmann::ordered_json toJson(const Toolchain& toolchain) {
  return {{"name", toolchain.name},
          {"label", toolchain.label()},
          {"front_end",
           {{"kind", toString(toolchain.frontEnd.kind)},
            {"build", toolchain.frontEnd.build.str()},
            {"build_string", toolchain.frontEnd.buildString},
            {"cicc_sha256", toolchain.frontEnd.ciccSha256},
            {"identity", toolchain.frontEnd.identity}}},
          {"ptxas",
           {{"build", toolchain.ptxas.build.str()},
            {"build_string", toolchain.ptxas.buildString},
            {"sha256", toolchain.ptxas.sha256},
            {"max_ptx", toolchain.ptxas.maxPtx.str()}}},
          {"archs", toolchain.ptxas.archs}};
}

ExitCode list(const ToolchainArguments& arguments, const Workspace& workspace) {
  std::vector<Toolchain> toolchains = workspace.toolchains().list();
  if (arguments.format == "json") {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Toolchain& toolchain : toolchains)
      rows.push_back(toJson(toolchain));
    std::printf("%s\n", rows.dump(2).c_str());
    return ExitCode::Ok;
  }
  if (arguments.format != "table") failUsage("'{0}' is no format: table, json", arguments.format);
  if (toolchains.empty()) {
    Log::info("no toolchain is installed; 'harness toolchain install 13.0.88' installs one");
    return ExitCode::Ok;
  }
  for (const Toolchain& toolchain : toolchains) {
    const char* frontEnd = toolchain.frontEnd.kind == FrontEndKind::Nvcc ? "cicc " : "nvrtc ";
    std::printf("%s\n", toolchain.name.c_str());
    std::printf("  front end  %s\n", toolchain.frontEnd.buildString.c_str());
    std::printf("  ptxas      %s\n", toolchain.ptxas.buildString.c_str());
    std::printf("  SHA-256    ptxas %s\n", toolchain.ptxas.sha256.c_str());
    std::printf("             %s%s\n", frontEnd, toolchain.frontEnd.ciccSha256.c_str());
    std::printf("  archs      %s\n", join(toolchain.ptxas.archs, " ").c_str());
  }
  return ExitCode::Ok;
}

ExitCode install(const ToolchainArguments& arguments, const Workspace& workspace) {
  ToolchainDir directory = workspace.toolchains();
  ToolchainDir::InstallOptions options;
  options.requirementsDir = workspace.requirementsDir();
  options.wheels = arguments.wheels;
  options.force = arguments.force;
  for (const std::string& name : arguments.names) {
    Log::status("installing " + name);
    auto start = std::chrono::steady_clock::now();
    bool installed = directory.install(name, options) == ToolchainDir::InstallOutcome::Installed;
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (installed)
      Log::info(llvm::formatv("installed {0} ({1:f0} s)", name, seconds).str());
    else
      Log::info(name + " is installed");
  }
  return ExitCode::Ok;
}

ExitCode add(const ToolchainArguments& arguments, const Workspace& workspace) {
  std::printf("%s\n", workspace.toolchains().add(arguments.directory).c_str());
  return ExitCode::Ok;
}

ExitCode verify(const ToolchainArguments& arguments, const Workspace& workspace) {
  ToolchainDir directory = workspace.toolchains();
  std::vector<std::string> names = arguments.names;
  if (names.empty())
    for (const Toolchain& toolchain : directory.list())
      names.push_back(toolchain.name);
  bool changed = false;
  for (const std::string& name : names) {
    std::vector<std::string> changes = directory.verify(name);
    changed |= !changes.empty();
    std::printf("%s: %s\n", name.c_str(), changes.empty() ? "as installed" : "CHANGED");
    for (const std::string& change : changes)
      std::printf("  %s\n", change.c_str());
  }
  return changed ? ExitCode::Environment : ExitCode::Ok;
}

ExitCode remove(const ToolchainArguments& arguments, const Workspace& workspace) {
  ToolchainDir directory = workspace.toolchains();
  for (const std::string& name : arguments.names)
    directory.remove(name);
  return ExitCode::Ok;
}

/// Whatever comes in the way is said in one line, and is no failure: nothing hangs on the answer.
ExitCode newer(const ToolchainArguments&, const Workspace& workspace) {
  try {
    for (const NewerCompiler& compiler : newerCompilers(workspace.requirementsDir()))
      std::printf("newer than the matrix: %s %s; 'ci/update-toolchains' adds it\n", compiler.package.c_str(),
                  compiler.version.str().c_str());
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Interrupted) throw;
    std::string what = error.what();
    Log::info("cannot tell whether there are newer compilers: " + what.substr(0, what.find('\n')));
  }
  return ExitCode::Ok;
}

} // namespace

void addToolchain(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<ToolchainArguments>();
  CLI::App* command = app.add_subcommand("toolchain", "The compilers");
  command->require_subcommand(1);
  auto addWork = [&](const char* name, const char* description, Work work) {
    CLI::App* sub = command->add_subcommand(name, description);
    sub->callback(
        [=, &options, &action] { action = [=, &options] { return work(*arguments, Workspace(options)); }; });
    return sub;
  };
  addWork("list", "What is installed: build strings, SHA-256, architectures", list)
      ->add_option("--format", arguments->format, "table, json")
      ->capture_default_str();
  CLI::App* installCommand =
      addWork("install", "Install toolchains from hash-locked pip requirement files", install);
  installCommand
      ->add_option("version", arguments->names, "13.0.88, 12.9.86, nvdisasm …: a file of matrix/toolchains")
      ->required();
  installCommand
      ->add_option("--wheels", arguments->wheels, "A folder of wheels to install from, without network")
      ->check(CLI::ExistingDirectory);
  installCommand->add_flag("--force", arguments->force, "Install again what is there");
  addWork("add", "Take a CUDA toolkit that is installed on this machine", add)
      ->add_option("directory", arguments->directory, "Its root, with bin/nvcc or bin/ptxas in it")
      ->required();
  addWork("verify", "Hash everything again and name what changed (default: all)", verify)
      ->add_option("name", arguments->names, "Toolchains");
  addWork("newer", "Name compilers that pip can get and matrix/toolchains does not have", newer);
  addWork("remove", "Remove toolchains", remove)
      ->add_option("name", arguments->names, "Toolchains")
      ->required();
}

} // namespace harness::cli

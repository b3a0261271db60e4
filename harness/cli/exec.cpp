#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/text.h"
#include "harness/cli/app.h"
#include "harness/cli/cubin_files.h"
#include "harness/cli/exec_launch.h"
#include "harness/ptx/executor.h"
#include "harness/sass/executor.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

namespace harness::cli {

namespace {

struct ExecArguments {
  std::string code, kernel, grid = "1", block = "1", schedule = "ft", poison = "0xaa";
  std::vector<std::string> arguments;
  std::uint32_t shared = 0;
  std::uint64_t limit = ExecutionOptions().maxWarpInstructions;
};

/// "8", "8,4", "8,4,2".
std::array<std::uint32_t, 3> parseSizes(const char* option, const std::string& text) {
  std::array<std::uint32_t, 3> sizes{1, 1, 1};
  std::vector<std::string> parts = split(text, ',');
  bool good = parts.size() <= sizes.size();
  for (std::size_t i = 0; good && i < parts.size(); ++i)
    good = !llvm::StringRef(parts[i]).getAsInteger(10, sizes[i]) && sizes[i] > 0;
  if (!good) failUsage("{0} {1}: write one to three sizes from 1 up, X,Y,Z", option, text);
  return sizes;
}

Schedule parseSchedule(const std::string& name) {
  if (auto schedule = scheduleNamed(name)) return *schedule;
  std::vector<std::string> names;
  for (Schedule schedule : kSchedules)
    names.emplace_back(toString(schedule));
  failUsage("there is no schedule '{0}'; there are: {1}", name, join(names, ", "));
}

ExecutionOptions executionOptions(const ExecArguments& arguments) {
  ExecutionOptions options;
  options.schedule = parseSchedule(arguments.schedule);
  options.maxWarpInstructions = arguments.limit;
  unsigned poison = 0;
  if (llvm::StringRef(arguments.poison).getAsInteger(0, poison) || poison > 0xff)
    failUsage("--poison {0}: write one byte, 0x00 … 0xff", arguments.poison);
  options.poison = std::byte(poison);
  return options;
}

/// Throws unless there is nothing to choose.
void requireOneKernel(const std::string& file, const std::vector<std::string>& names) {
  if (names.empty()) failUsage("'{0}' has no kernel: there is nothing to execute", file);
  if (names.size() > 1)
    failUsage("'{0}' has {1} kernels: {2}; choose one with --kernel", file, names.size(),
              joinFew(names, ", "));
}

const Kernel& chooseKernel(const CubinFile& file, const std::string& name) {
  if (!name.empty()) return file.cubin->get(name, "'" + file.origin + "'");
  std::vector<std::string> names = file.cubin->kernelNames();
  requireOneKernel(file.origin, names);
  return file.cubin->kernels.front();
}

/// The sizes of a kernel's parameters in order, in bytes.
std::vector<std::size_t> parameterSizes(const Kernel& kernel) {
  std::vector<std::size_t> sizes(kernel.params.size());
  for (const KernelParam& param : kernel.params)
    if (param.ordinal < sizes.size()) sizes[param.ordinal] = param.size;
  return sizes;
}

ExitCode exitCodeOf(ExecutionEnd end) {
  switch (end) {
  case ExecutionEnd::Completed: return ExitCode::Ok;
  case ExecutionEnd::Unsupported: return ExitCode::Undecided;
  case ExecutionEnd::Fault:
  case ExecutionEnd::Timeout: return ExitCode::Regressed;
  }
  return ExitCode::Regressed;
}

/// An executed kernel: its name and how it ended.
struct Executed {
  std::string kernel;
  ExecutionResult result;
};

/// PTX under another name must not look like a broken cubin. What cannot be read is for others to complain
/// of.
void requireElf(const std::string& path) {
  constexpr std::string_view kMagic = "\x7f"
                                      "ELF";
  char head[kMagic.size()] = {};
  std::ifstream file(path, std::ios::binary);
  if (file.read(head, sizeof head) && std::string_view(head, sizeof head) != kMagic)
    failUsage("'{0}' is not an ELF file, so not a cubin; PTX is read from a file whose name ends in .ptx",
              path);
}

Executed execCubin(const ExecArguments& arguments, const Workspace& workspace, ExecLaunch& launch,
                   const ExecutionOptions& options) {
  requireElf(arguments.code);
  CubinFile file = std::move(readCubins({arguments.code}, workspace).front());
  const Kernel& kernel = chooseKernel(file, arguments.kernel);
  launch.checkAgainst(kernel.name, parameterSizes(kernel));
  launch.checkOutputs(arguments.code);
  sass::Program program(file.cubin, file.listings);
  return {kernel.name, sass::execute(program, kernel, launch.launch, launch.memory, options)};
}

Executed execPtx(const ExecArguments& arguments, ExecLaunch& launch, const ExecutionOptions& options) {
  ptx::Program program(ptx::parseModule(readFile(arguments.code, ptx::ParseLimits().bytes), arguments.code),
                       arguments.code);
  std::vector<std::string> names = program.kernels();
  std::string kernel = arguments.kernel;
  if (kernel.empty()) {
    requireOneKernel(arguments.code, names);
    kernel = names.front();
  }
  launch.checkAgainst(kernel, program.parameterSizes(kernel));
  launch.checkOutputs(arguments.code);
  return {kernel, ptx::execute(program, kernel, launch.launch, launch.memory, options)};
}

ExitCode exec(const ExecArguments& arguments, const Workspace& workspace) {
  ExecutionOptions options = executionOptions(arguments);
  ExecLaunch launch(arguments.arguments, options.poison);
  launch.launch.grid = parseSizes("--grid", arguments.grid);
  launch.launch.block = parseSizes("--block", arguments.block);
  launch.launch.dynamicShared = arguments.shared;
  bool isPtx = std::filesystem::path(arguments.code).extension() == ".ptx";
  auto [kernel, result] =
      isPtx ? execPtx(arguments, launch, options) : execCubin(arguments, workspace, launch, options);
  std::printf("%s: %s, %llu thread instructions, %llu warp instructions\n", kernel.c_str(),
              std::string(toString(result.end)).c_str(),
              static_cast<unsigned long long>(result.threadInstructions),
              static_cast<unsigned long long>(result.warpInstructions));
  if (!result.message.empty()) std::printf("  %s\n", result.message.c_str());
  for (const auto* list : {&result.undefined, &result.unwritten})
    for (const std::string& line : *list)
      std::printf("  undefined: %s\n", line.c_str());
  if (result.end == ExecutionEnd::Completed) launch.keepOutputs();
  return exitCodeOf(result.end);
}

} // namespace

void addExec(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<ExecArguments>();
  CLI::App* command = app.add_subcommand(
      "exec", "Execute a kernel of any cubin or PTX file; exits with 0, 1 fault or timeout, 4 unsupported");
  command->add_option("code", arguments->code, "The cubin, or a .ptx file")->required();
  command->add_option("--kernel", arguments->kernel, "Its name (default: the only one)");
  command->add_option("--grid", arguments->grid, "Blocks: X[,Y,Z]")->capture_default_str();
  command->add_option("--block", arguments->block, "Threads of a block: X[,Y,Z]")->capture_default_str();
  command->add_option("--shared", arguments->shared, "Bytes of dynamic shared memory")->capture_default_str();
  command
      ->add_option("--arg", arguments->arguments,
                   "The next argument: i32:5, f32:1.5, u64:0xff … (any element type), hex:0011, in:FILE, "
                   "out:FILE:BYTES, inout:IN:OUT, zero:BYTES")
      ->allow_extra_args(false);
  command
      ->add_option("--schedule", arguments->schedule,
                   "Order of diverged paths: ft (fall-through first), tf …")
      ->capture_default_str();
  command->add_option("--poison", arguments->poison, "The byte that fills what nobody wrote")
      ->capture_default_str();
  command->add_option("--limit", arguments->limit, "Warp instructions after which it is a timeout")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->callback(
      [=, &options, &action] { action = [=, &options] { return exec(*arguments, Workspace(options)); }; });
}

} // namespace harness::cli

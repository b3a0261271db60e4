#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/text.h"
#include "harness/cli/app.h"
#include "harness/cli/cubin_files.h"
#include "harness/cli/exec_argument.h"
#include "harness/parity/buffer.h"
#include "harness/sass/executor.h"

#include <cstdio>
#include <cstring>
#include <memory>

namespace harness::cli {

namespace {

struct ExecArguments {
  std::string cubin, kernel, grid = "1", block = "1", schedule = "ft", poison = "0xaa";
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

const Kernel& chooseKernel(const CubinFile& file, const std::string& name) {
  if (!name.empty()) return file.cubin->get(name, "'" + file.origin + "'");
  std::vector<std::string> names = file.cubin->kernelNames();
  if (names.size() == 1) return file.cubin->kernels.front();
  failUsage("'{0}' has {1} kernels{2}; choose one with --kernel", file.origin, names.size(),
            names.empty() ? "" : ": " + join(names, ", "));
}

/// The buffers of a launch in device memory, and its arguments.
class Launcher {
public:
  Launcher(const std::vector<std::string>& arguments, std::byte poison) {
    for (const std::string& text : arguments)
      add(text, ExecArgument::parse(text), poison);
  }

  /// Throws Error(Usage) naming the first argument whose size is not what the kernel takes.
  void checkAgainst(const Kernel& kernel) const {
    if (kernel.params.size() != launch.args.size())
      failUsage("kernel '{0}' takes {1} arguments{2}, and {3} are given", kernel.name, kernel.params.size(),
                describe(kernel), launch.args.size());
    for (const KernelParam& param : kernel.params)
      if (param.ordinal < texts_.size() && launch.args[param.ordinal].size() != param.size)
        failUsage("argument {0} of kernel '{1}' has {2} bytes, and --arg {3} has {4}", param.ordinal,
                  kernel.name, param.size, texts_[param.ordinal], launch.args[param.ordinal].size());
  }

  /// Throws Error naming the first output that could not be written, would take the place of the cubin, or is
  /// another argument's too.
  void checkOutputs(const std::string& cubin) const {
    for (auto one = outputs_.begin(); one != outputs_.end(); ++one) {
      const std::string& file = one->second;
      requireWritable(file);
      if (isSameFile(file, cubin)) failUsage("'{0}' is the cubin: write the output to another file", file);
      for (auto other = outputs_.begin(); other != one; ++other)
        if (isSameFile(file, other->second))
          failUsage("{0} and {1} are both written to '{2}': name a file for each", other->first, one->first,
                    file);
    }
  }

  /// Writes every output to its file.
  void keepOutputs() {
    for (const auto& [name, file] : outputs_) {
      std::span<std::byte> bytes = memory.bytes(name);
      writeFileAtomically(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      std::printf("wrote %zu bytes to %s\n", bytes.size(), file.c_str());
    }
  }

  Launch launch;
  GlobalMemory memory;

private:
  static bool isSameFile(const std::filesystem::path& one, const std::filesystem::path& other) {
    std::error_code ec;
    if (std::filesystem::exists(one, ec) && !std::filesystem::is_regular_file(one, ec)) return false;
    auto whole = [&](const std::filesystem::path& path) {
      return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ec), ec);
    };
    return whole(one) == whole(other);
  }

  void add(const std::string& text, const ExecArgument& argument, std::byte poison) {
    std::string bytes = argument.scalar;
    if (argument.isBuffer) {
      std::string contents = argument.inputFile.empty() ? std::string() : readFile(argument.inputFile);
      std::uint64_t size = argument.inputFile.empty() ? argument.size : contents.size();
      std::string name = "argument " + std::to_string(texts_.size());
      Allocation& allocation = memory.allocate(name, size, argument.zero ? std::byte{0} : poison);
      std::memcpy(allocation.host, contents.data(), contents.size());
      bytes = littleEndian(allocation.address, sizeof allocation.address);
      if (!argument.outputFile.empty()) outputs_.emplace_back(name, argument.outputFile);
    }
    const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
    launch.args.emplace_back(data, data + bytes.size());
    texts_.push_back(text);
  }

  /// " (8, 8, 4 bytes)"
  static std::string describe(const Kernel& kernel) {
    std::string sizes;
    for (const KernelParam& param : kernel.params)
      sizes += (sizes.empty() ? "" : ", ") + std::to_string(param.size);
    return sizes.empty() ? sizes : " (" + sizes + " bytes)";
  }

  std::vector<std::string> texts_;
  std::vector<std::pair<std::string, std::string>> outputs_; ///< allocation, file
};

ExitCode exitCodeOf(ExecutionEnd end) {
  switch (end) {
  case ExecutionEnd::Completed: return ExitCode::Ok;
  case ExecutionEnd::Unsupported: return ExitCode::Undecided;
  case ExecutionEnd::Fault:
  case ExecutionEnd::Timeout: return ExitCode::Regressed;
  }
  return ExitCode::Regressed;
}

ExitCode exec(const ExecArguments& arguments, const Workspace& workspace) {
  ExecutionOptions options = executionOptions(arguments);
  Launcher launcher(arguments.arguments, options.poison);
  launcher.launch.grid = parseSizes("--grid", arguments.grid);
  launcher.launch.block = parseSizes("--block", arguments.block);
  launcher.launch.dynamicShared = arguments.shared;
  CubinFile file = std::move(readCubins({arguments.cubin}, workspace).front());
  const Kernel& kernel = chooseKernel(file, arguments.kernel);
  launcher.checkAgainst(kernel);
  launcher.checkOutputs(arguments.cubin);

  sass::Program program(file.cubin, file.listings);
  ExecutionResult result = sass::execute(program, kernel, launcher.launch, launcher.memory, options);
  std::printf("%s: %s, %llu thread instructions, %llu warp instructions\n", kernel.name.c_str(),
              std::string(toString(result.end)).c_str(),
              static_cast<unsigned long long>(result.threadInstructions),
              static_cast<unsigned long long>(result.warpInstructions));
  if (!result.message.empty()) std::printf("  %s\n", result.message.c_str());
  if (result.end == ExecutionEnd::Completed) launcher.keepOutputs();
  return exitCodeOf(result.end);
}

} // namespace

void addExec(CLI::App& app, const WorkspaceOptions& options, Action& action) {
  auto arguments = std::make_shared<ExecArguments>();
  CLI::App* command = app.add_subcommand(
      "exec", "Execute a kernel of any cubin; exits with 0, 1 fault or timeout, 4 unsupported");
  command->add_option("cubin", arguments->cubin, "The cubin")->required();
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

#pragma once

#include "harness/cli/workspace.h"
#include "harness/cubin/cubin.h"
#include "harness/gpu/pool.h"
#include "harness/sass/disassembler.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace harness::cli {

/// A kernel of ours with the name `ask` and the parameters (in, out), two buffers, compiled to ask machine
/// code something.
struct AskedKernel {
  std::string bytes; ///< of the cubin
  std::shared_ptr<const Cubin> cubin;
  std::string toolchain; ///< that made it

  const Kernel& kernel() const { return cubin->get("ask", "the kernel that asks"); }
};

/// Compiles `ptxOf` the newest version of PTX that a toolchain takes, by the newest installed one that knows
/// `arch` and, with `cuda`, is of no later major number. Throws Error(Environment) if there is none,
/// Error(Usage) if it refuses the kernel.
AskedKernel makeKernel(const std::function<std::string(const std::string& version)>& ptxOf,
                       const std::string& arch, const Version* cuda, const Workspace& workspace);

/// What runs such kernels.
class KernelRunner {
public:
  virtual ~KernelRunner() = default;
  /// The contents of `out` (`outBytes`) after a launch of `blocks` of `threads`. If the kernel does not run
  /// to its end, throws Error(Environment) for a device, Error(Usage) for the CPU.
  std::string run(const AskedKernel& kernel, const std::string& in, std::size_t outBytes,
                  std::uint32_t blocks, std::uint32_t threads);

private:
  virtual ExecutionResult execute(const AskedKernel& kernel, const Launch& launch, GlobalMemory& memory) = 0;
};

/// A device.
class DeviceRunner : public KernelRunner {
public:
  /// Throws Error(Usage) if none takes machine code for `arch`.
  DeviceRunner(gpu::Pool& pool, const std::string& arch);
  const gpu::Device& device() const { return device_; } ///< that answered last

private:
  ExecutionResult execute(const AskedKernel& kernel, const Launch& launch, GlobalMemory& memory) override;

  gpu::Pool& pool_;
  std::vector<std::size_t> places_;
  gpu::Device device_;
};

/// The CPU.
class SassRunner : public KernelRunner {
public:
  SassRunner(const Workspace& workspace, std::string arch);
  /// Decodes all of these at once, which costs as much as one of them.
  void prepare(const std::vector<AskedKernel>& kernels);

private:
  ExecutionResult execute(const AskedKernel& kernel, const Launch& launch, GlobalMemory& memory) override;

  ArtifactCache cache_;
  sass::Disassembler disassembler_;
  std::string arch_;
};

} // namespace harness::cli

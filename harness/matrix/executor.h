#pragma once

#include "harness/cubin/cubin.h"
#include "harness/gpu/device.h"
#include "harness/gpu/pointer_place.h"
#include "harness/sass/listing.h"
#include "harness/simt/launch.h"
#include "harness/simt/memory.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness {

inline constexpr std::string_view kSassExecutor = "sass", kPtxExecutor = "ptx", kGpuExecutor = "gpu";

/// All names, as `--executor` and a matrix file take them. Throws Error(Usage) for one that is none.
void requireExecutor(const std::string& name);

/// A launch on a memory of its buffers.
struct BoundLaunch : Launch {
  std::vector<PointerPlace> pointers; ///< where arguments hold the address of an allocation
};

/// How an execution went, and where.
struct Executed : ExecutionResult {
  Executed(ExecutionResult result = {}) : ExecutionResult(std::move(result)) {}
  std::string device; ///< JSON of gpu/device.h; empty where it was the CPU
};

/// A kernel made ready for launches. Used by several threads at once.
class Executable {
public:
  /// The memory of a launch before it starts, where what nobody has written holds `poison`.
  using FreshMemory = std::function<std::unique_ptr<GlobalMemory>(std::byte poison)>;

  virtual ~Executable() = default;
  /// Throws Error(Usage) when launch and kernel do not fit. `watched`: observers report what they see, too.
  virtual Executed execute(const BoundLaunch& launch, GlobalMemory& memory, const ExecutionOptions& options,
                           bool watched) const = 0;
  /// Looks for what makes the launch depend on what nobody has written, or what is undefined else. Of the
  /// result `observations` and `undefined` count.
  virtual ExecutionResult findUnwritten(const BoundLaunch& launch, const FreshMemory& memory,
                                        const ExecutionOptions& options) const = 0;
};

// The executors as the judge sees them. Tests put others in their place; `version` keeps what these find
// apart from what the real ones found: it is a part of every execution's key.

class SassExecutor {
public:
  virtual ~SassExecutor() = default;
  virtual std::string version() const = 0;
  /// `listings` belong to `cubin->sections`, `kernel` is one of `cubin->kernels`. Throws Error(Usage) for
  /// code that cannot be made ready.
  virtual std::unique_ptr<Executable> load(const std::shared_ptr<const Cubin>& cubin,
                                           const std::vector<sass::Listing>& listings,
                                           const Kernel& kernel) const = 0;
};

class PtxExecutor {
public:
  virtual ~PtxExecutor() = default;
  virtual std::string version() const = 0;
  /// Throws Error(Usage) for a module that it does not understand, or that has no such kernel.
  virtual std::unique_ptr<Executable> load(const std::string& text, const std::string& kernel) const = 0;
};

/// Machine code on a real device.
class GpuExecutor {
public:
  virtual ~GpuExecutor() = default;
  /// Why nothing can be executed for `arch`; empty if it can.
  virtual std::string refusal(std::string_view arch) const = 0;
  /// Of what executes code for `arch`: the device's model and its driver.
  virtual std::string version(std::string_view arch) const = 0;
  /// `bytes` are those of `cubin`, of which `kernel` is one.
  virtual std::unique_ptr<Executable> load(std::string bytes, const std::shared_ptr<const Cubin>& cubin,
                                           const Kernel& kernel, std::string_view arch) const = 0;
};

/// Those of harness/sass and harness/ptx.
std::shared_ptr<const SassExecutor> sassExecutor();
std::shared_ptr<const PtxExecutor> ptxExecutor();
/// That of harness/gpu. Throws Error(Environment) if there is no driver or no device.
std::shared_ptr<const GpuExecutor> gpuExecutor(const gpu::Options& options);

} // namespace harness

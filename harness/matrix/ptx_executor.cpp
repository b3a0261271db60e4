#include "harness/base/error.h"
#include "harness/matrix/blame.h"
#include "harness/matrix/executor.h"
#include "harness/matrix/mangled_name.h"
#include "harness/matrix/ptx_executor_version.h"
#include "harness/ptx/code.h"
#include "harness/ptx/contraction.h"
#include "harness/ptx/executor.h"
#include "harness/ptx/undefined.h"

#include <variant>

namespace harness {

namespace {

/// Where rounding once is as right as rounding twice, which is what the executor does.
std::vector<std::string> describeContractions(const ptx::Module& module) {
  std::vector<std::string> lines;
  for (const ptx::Item& item : module.items)
    if (const auto* function = std::get_if<ptx::Function>(&item))
      for (const ptx::Contraction& found : ptx::findContractions(module, function->name))
        lines.push_back(llvm::formatv("lines {0} and {1}: {2}", found.product, found.sum, kMayFuse).str());
  return lines;
}

class PtxKernel : public Executable {
public:
  PtxKernel(ptx::Module module, const std::string& kernel)
      : program_(std::move(module), "the PTX"), kernel_(entryOf(kernel, program_.kernels(), "the PTX")) {}

  Executed execute(const BoundLaunch& launch, GlobalMemory& memory, const ExecutionOptions& options,
                   bool /*watched*/) const override {
    return ptx::execute(program_, kernel_, launch, memory, options);
  }

  ExecutionResult findUnwritten(const BoundLaunch& launch, const FreshMemory& memory,
                                const ExecutionOptions& options) const override {
    ExecutionResult result;
    auto fresh = [&] { return memory(options.poison); };
    result.undefined = ptx::findUndefined(program_, kernel_, launch, fresh, options);
    std::vector<std::string> contractions = describeContractions(program_.code().module);
    result.undefined.insert(result.undefined.end(), contractions.begin(), contractions.end());
    return result;
  }

private:
  ptx::Program program_;
  std::string kernel_;
};

class RealPtxExecutor : public PtxExecutor {
public:
  std::string version() const override { return std::string(kPtxExecutorVersion); }
  std::unique_ptr<Executable> load(const std::string& text, const std::string& kernel) const override {
    return std::make_unique<PtxKernel>(ptx::parseModule(text, "the PTX"), kernel);
  }
};

} // namespace

std::shared_ptr<const PtxExecutor> ptxExecutor() {
  return std::make_shared<RealPtxExecutor>();
}

} // namespace harness

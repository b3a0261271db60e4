#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/matrix/executor.h"
#include "harness/matrix/ptx_executor_version.h"
#include "harness/ptx/executor.h"

#include <algorithm>

namespace harness {

namespace {

class PtxKernel : public Executable {
public:
  PtxKernel(const std::string& text, std::string kernel)
      : program_(ptx::parseModule(text, "the PTX"), "the PTX"), kernel_(std::move(kernel)) {
    std::vector<std::string> names = program_.kernels();
    if (std::find(names.begin(), names.end(), kernel_) == names.end())
      failUsage("no kernel '{0}' in the PTX, which has {1}", kernel_, names.empty() ? "none" : join(names, ", "));
  }

  ExecutionResult execute(const Launch& launch, GlobalMemory& memory, const ExecutionOptions& options,
                          bool /*watched*/) const override {
    return ptx::execute(program_, kernel_, launch, memory, options);
  }

private:
  ptx::Program program_;
  std::string kernel_;
};

class RealPtxExecutor : public PtxExecutor {
public:
  std::string version() const override { return std::string(kPtxExecutorVersion); }
  std::unique_ptr<Executable> load(const std::string& text, const std::string& kernel) const override {
    return std::make_unique<PtxKernel>(text, kernel);
  }
};

} // namespace

std::shared_ptr<const PtxExecutor> ptxExecutor() {
  return std::make_shared<RealPtxExecutor>();
}

} // namespace harness

#include "harness/matrix/executor.h"

#include "harness/base/error.h"
#include "harness/matrix/executor_version.h"
#include "harness/sass/executor.h"
#include "harness/sass/shared_races.h"
#include "harness/sass/unwritten.h"

namespace harness {

namespace {

class SassKernel : public Executable {
public:
  SassKernel(const std::shared_ptr<const Cubin>& cubin, const std::vector<sass::Listing>& listings,
             const Kernel& kernel)
      : program_(cubin, listings), kernel_(kernel) {}

  Executed execute(const BoundLaunch& launch, GlobalMemory& memory, const ExecutionOptions& options,
                   bool watched) const override {
    sass::SharedRaces races;
    ExecutionResult result =
        sass::execute(program_, kernel_, launch, memory, options, watched ? &races : nullptr);
    result.observations = races.reports();
    return result;
  }

  ExecutionResult findUnwritten(const BoundLaunch& launch, const FreshMemory& memory,
                                const ExecutionOptions& options) const override {
    ExecutionResult result;
    if (auto found = sass::findUnwritten(program_, kernel_, launch, memory, options))
      result.observations.push_back(*found);
    return result;
  }

private:
  sass::Program program_; ///< holds the cubin
  const Kernel& kernel_;
};

class RealSassExecutor : public SassExecutor {
public:
  std::string version() const override { return std::string(kSassExecutorVersion); }
  std::unique_ptr<Executable> load(const std::shared_ptr<const Cubin>& cubin,
                                   const std::vector<sass::Listing>& listings,
                                   const Kernel& kernel) const override {
    return std::make_unique<SassKernel>(cubin, listings, kernel);
  }
};

} // namespace

void requireExecutor(const std::string& name) {
  if (name != kSassExecutor && name != kPtxExecutor && name != kGpuExecutor)
    failUsage("there is no executor '{0}'; there are: {1}, {2}, {3}", name, kSassExecutor, kPtxExecutor,
              kGpuExecutor);
}

std::shared_ptr<const SassExecutor> sassExecutor() {
  return std::make_shared<RealSassExecutor>();
}

} // namespace harness

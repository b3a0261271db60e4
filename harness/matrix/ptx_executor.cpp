#include "harness/matrix/executor.h"
#include "harness/base/error.h"

namespace harness {

namespace {

class Missing : public PtxExecutor {
public:
  std::string version() const override { return "none"; }
  std::unique_ptr<Executable> load(const std::string&, const std::string&) const override {
    failUsage("the PTX executor is not there yet");
  }
};

} // namespace

std::shared_ptr<const PtxExecutor> ptxExecutor() {
  return std::make_shared<Missing>();
}

} // namespace harness

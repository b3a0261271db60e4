#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/matrix/builder.h"
#include "harness/matrix/executor.h"
#include "harness/matrix/reference.h"
#include "harness/matrix/shape_judge.h"
#include "harness/matrix/variant.h"
#include "harness/store/store.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace harness {

/// Said of an execution that another build was to make; that build says why it could not.
inline constexpr std::string_view kSharedFailed = "the execution that this cell shares with another failed";

/// Where executions are remembered between runs.
class ExecutionMemory {
public:
  virtual ~ExecutionMemory() = default;
  /// One answer a key, in order.
  virtual std::vector<std::optional<ExecutionRecord>> find(const std::vector<std::string>& keys) = 0;
  virtual void record(const std::vector<ExecutionRecord>& executions) = 0;
};

/// Executions are not remembered.
class NoMemory : public ExecutionMemory {
public:
  std::vector<std::optional<ExecutionRecord>> find(const std::vector<std::string>& keys) override {
    return std::vector<std::optional<ExecutionRecord>>(keys.size());
  }
  void record(const std::vector<ExecutionRecord>&) override {}
};

/// Executes builds, machine code and PTX, where no memory knows the result, and knows what it is to be.
class Launcher {
public:
  struct Options {
    unsigned jobs = 1;                                                          ///< threads
    std::uint64_t maxWarpInstructions = ExecutionOptions().maxWarpInstructions; ///< of one execution
    std::shared_ptr<const SassExecutor> sass; ///< null: machine code is not executed
    std::shared_ptr<const PtxExecutor> ptx;   ///< null: PTX is not executed
    std::shared_ptr<const GpuExecutor> gpu;   ///< null: nothing is executed on a device
    unsigned repeats = 1;                     ///< of each execution on a device
  };
  Launcher(ArtifactCache& cache, Builder& builder, ReferenceRunner& references, ExecutionMemory& memory,
           Options options)
      : cache_(cache), builder_(builder), references_(references), memory_(memory),
        options_(std::move(options)) {}

  /// Whether images for this executor are executed at all.
  bool has(std::string_view executor) const;

  /// Executes all images of the builds, in all ways that can tell something. Finished executions are recorded
  /// in the memory even when it then throws Error(Interrupted).
  void launch(const Builds& builds);

  /// What a shape is compared with. Of a case without a reference these are the outputs of the build's PTX,
  /// known after `launch`.
  const ExpectedAnswer& expected(const Build& build, std::size_t shape);
  const ShapeInputs& inputs(const CaseManifest& manifest, std::size_t shape);
  /// The executions of an image on a shape; nothing if there are none, or one that it shares with another
  /// build failed there.
  std::optional<VariantRuns> runs(const Image& image, std::size_t shape) const;
  /// Outputs by their hash.
  std::string outputs(const std::string& hash) const;

  /// Forgets all executions: memory keeps them.
  void clear();
  std::uint64_t executed() const { return executed_; } ///< as opposed to remembered

private:
  struct Job;

  bool isWanted(const Build& build, const Image& image, std::size_t shape, const Variant& variant);
  std::string keyOf(const Build& build, const Image& image, const ShapeInputs& inputs,
                    const Variant& variant) const;
  void plan(const Builds& builds, bool answers);
  void forgetIfLost(const std::string& key, const std::string& expectedHash);
  void executeMissing(const Builds& builds);
  std::string versionOf(const Build& build, const Image& image) const;
  std::unique_ptr<Executable> load(Build& build, const Image& image) const;
  void execute(Job& job) const;
  ExpectedAnswer answerOfPtx(const Build& build, std::size_t shape) const;

  ArtifactCache& cache_;
  Builder& builder_;
  ReferenceRunner& references_;
  ExecutionMemory& memory_;
  Options options_;
  std::uint64_t executed_ = 0;
  std::map<std::pair<const CaseManifest*, std::size_t>, std::unique_ptr<ShapeInputs>> inputs_;
  /// By case, shape and, where it is the reference, PTX.
  std::map<std::tuple<const CaseManifest*, std::size_t, std::string>, std::unique_ptr<ExpectedAnswer>>
      expected_;
  std::map<std::string, ExecutionRecord> executions_; ///< by key
};

} // namespace harness

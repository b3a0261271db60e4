#pragma once

#include "harness/simt/launch.h"
#include "harness/simt/memory.h"
#include "harness/simt/trace.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace harness::ptx {

class Program;

/// A launch on the PTX executor that can be traced. Each question runs it again; what was recorded is kept.
/// What a call passes in registers is traced, what it passes in memory is not.
class TracedLaunch : public TraceSource {
public:
  /// All references must outlive this; `fresh` makes the memory before the launch.
  TracedLaunch(const Program& program, std::string kernel, const Launch& launch,
               std::function<std::unique_ptr<GlobalMemory>()> fresh, const ExecutionOptions& options);
  ~TracedLaunch() override;

  const Trace& trace(ThreadId thread, std::uint64_t until = kEnd) override;
  std::optional<TraceStore> lastStore(TraceSpace space, std::uint64_t block, std::uint64_t address,
                                      std::uint64_t before = kEnd) override;

private:
  struct Recorded {
    std::uint64_t until;
    std::unique_ptr<Trace> trace;
  };
  const Program& program_;
  std::string kernel_;
  const Launch& launch_;
  std::function<std::unique_ptr<GlobalMemory>()> fresh_;
  ExecutionOptions options_;
  std::vector<TraceInstruction> instructions_;
  std::multimap<ThreadId, Recorded> recorded_;
};

} // namespace harness::ptx

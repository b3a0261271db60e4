#pragma once

#include "harness/cubin/cubin.h"
#include "harness/simt/launch.h"
#include "harness/simt/memory.h"
#include "harness/simt/trace.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace harness::sass {

class Program;

/// A launch on the SASS executor that can be traced. Each question runs it again; what was recorded is kept.
/// A thread's steps are those of its lane, and instructions of the uniform datapath that its warp executes.
class TracedLaunch : public TraceSource {
public:
  /// `lines` are the PTX lines of the program's instructions, by code address / 16, 0 or missing = not known.
  /// All references must outlive this; `fresh` makes the memory before the launch.
  TracedLaunch(const Program& program, const Kernel& kernel, const Launch& launch,
               std::function<std::unique_ptr<GlobalMemory>()> fresh, const ExecutionOptions& options,
               std::vector<std::uint32_t> lines);
  ~TracedLaunch() override;

  const Trace& trace(ThreadId thread, std::uint64_t until = kEnd) override;
  std::optional<TraceStore> lastStore(TraceSpace space, std::uint64_t block, std::uint64_t address,
                                      std::uint64_t before = kEnd) override;

  /// The access that ends the launch with a fault; nothing if none does, or it is of no single thread.
  std::optional<TraceStop> fault();

private:
  struct Recorded {
    std::uint64_t until;
    std::unique_ptr<Trace> trace;
  };
  const Program& program_;
  std::unique_ptr<Program> traced_; ///< the same, telling what it does
  const Kernel& kernel_;
  const Launch& launch_;
  std::function<std::unique_ptr<GlobalMemory>()> fresh_;
  ExecutionOptions options_;
  std::vector<TraceInstruction> instructions_;
  std::multimap<ThreadId, Recorded> recorded_;
};

} // namespace harness::sass

#pragma once

#include "harness/ptx/syntax.h"
#include "harness/simt/launch.h"
#include "harness/simt/memory.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace harness::ptx {

struct Code;
class Observer;

/// A PTX module made ready for execution. Immutable, shared between threads and launches.
class Program {
public:
  /// Does not fail on instructions it does not know: an execution that reaches one ends as `unsupported`,
  /// with line and text. Throws Error(Usage) for a module that contradicts itself: a name that nothing
  /// declares or something declares twice, an operand of the wrong kind.
  Program(Module module, std::string name);
  ~Program();
  Program(Program&&) noexcept;

  /// Names of the kernels (`.entry`), in order.
  std::vector<std::string> kernels() const;

  /// Bytes of a kernel's parameters, in order. Throws Error(Usage) if there is no such kernel.
  std::vector<std::size_t> parameterSizes(std::string_view kernel) const;

  /// Bound instructions, of interest to the executor only.
  const Code& code() const { return *code_; }

private:
  std::unique_ptr<Code> code_;
};

/// Runs the kernel of that name on the CPU; blocks run in order of their linear index. What it wrote stands
/// in `memory`, also after a fault. Of the options all count; registers, shared and local memory start as
/// poison. What the program does that PTX leaves undefined stands in ExecutionResult::undefined. Throws
/// Error(Usage) when launch and kernel do not fit (no such kernel, argument count or sizes, block too large).
ExecutionResult execute(const Program& program, std::string_view kernel, const Launch& launch,
                        GlobalMemory& memory, const ExecutionOptions& options, Observer* observer = nullptr);

} // namespace harness::ptx

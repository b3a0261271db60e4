#pragma once

#include "harness/cubin/cubin.h"
#include "harness/sass/listing.h"
#include "harness/sass/observer.h"
#include "harness/simt/launch.h"
#include "harness/simt/memory.h"

#include <memory>
#include <string>

namespace harness::sass {

struct Code;

/// A cubin's code decoded for execution. Immutable, shared between threads and launches.
class Program {
public:
  /// `listings` are the disassemblies of the relocated bytes of `cubin.sections`, in their order. Does not
  /// fail on what it does not know: such an instruction ends an execution that reaches it as `unsupported`,
  /// with its text.
  Program(std::shared_ptr<const Cubin> cubin, const std::vector<Listing>& listings);
  /// The same cubin with other instructions in the place of its own, one for one.
  Program(std::shared_ptr<const Cubin> cubin, std::unique_ptr<Code> code);
  ~Program();
  Program(Program&&) noexcept;

  const Cubin& cubin() const { return *cubin_; }
  const std::shared_ptr<const Cubin>& sharedCubin() const { return cubin_; }

  /// "at 0x40 'BRA 0x0'", of an instruction's place in the program.
  std::string describe(std::uint32_t line) const;

  /// Decoded instructions, of interest to the executor only.
  const Code& decoded() const { return *code_; }

private:
  std::shared_ptr<const Cubin> cubin_;
  std::unique_ptr<Code> code_;
};

/// Runs `kernel` of `program` on the CPU. Blocks run in order of their linear index. What the kernel wrote
/// stands in `memory`, also after a fault.
/// `observer` watches.
/// Throws Error(Usage) when launch and kernel do not fit (argument count or sizes, block too large).
ExecutionResult execute(const Program& program, const Kernel& kernel, const Launch& launch,
                        GlobalMemory& memory, const ExecutionOptions& options, Observer* observer = nullptr);

} // namespace harness::sass

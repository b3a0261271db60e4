#pragma once

#include "harness/cli/exec_argument.h"
#include "harness/simt/launch.h"
#include "harness/simt/memory.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace harness::cli {

/// The launch of `exec`: buffers in device memory, arguments, and where outputs go.
class ExecLaunch {
public:
  ExecLaunch(const std::vector<std::string>& arguments, std::byte poison);

  /// Throws Error(Usage) naming the first argument whose size is not what the kernel takes; `sizes` are the
  /// parameters' bytes in order.
  void checkAgainst(const std::string& kernel, const std::vector<std::size_t>& sizes) const;
  /// Throws Error naming the first output that could not be written, would take the place of `code`, the file
  /// that is executed, or is another argument's too.
  void checkOutputs(const std::string& code) const;
  /// Writes every output to its file and says so.
  void keepOutputs();

  Launch launch;
  GlobalMemory memory;

private:
  void add(const std::string& text, const ExecArgument& argument, std::byte poison);

  std::vector<std::string> texts_;
  std::vector<std::pair<std::string, std::string>> outputs_; ///< allocation, file
};

} // namespace harness::cli

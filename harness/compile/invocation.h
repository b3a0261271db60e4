#pragma once

#include "harness/compile/compile.h"
#include "harness/compile/source_tree.h"

#include <string>
#include <vector>

namespace harness {

/// A compiler call inside a directory of its own.
struct Invocation {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string shown;   ///< what a person would type: StageResult::command
  std::string output;  ///< relative to the directory
  std::string logFile; ///< where it writes its messages besides stdout and stderr; may be empty
};

/// `nvcc -ptx` or harness-nvrtc on a SourceTree written to the working directory.
///
/// The internal-linkage names in PTX are made from the source's absolute path, which nvcc resolves, and
/// with -G the working directory stands in it too. `/proc/self/cwd` is the one absolute path that every
/// process has for its own directory: the source is named by it, cicc is given it back, PWD says it.
///
/// Throws Error(Usage) for a define that is no macro name, and for a define or file name that nvcc's own
/// shell would change.
Invocation frontEndInvocation(const KernelSource& source, const SourceTree& tree, const Toolchain& toolchain,
                              std::string_view arch, const OptPoint& opt,
                              const std::filesystem::path& nvrtcProgram);

/// The compiler in an NVIDIA driver is called as ptxas is, through the program harness-driver-ptxas.
bool isDriver(const Ptxas& ptxas);
/// The first option that the driver's compiler has nothing for, or empty.
std::string driverLacks(const OptPoint& opt);

/// ptxas on `kernel.ptx` in the working directory.
Invocation ptxasInvocation(const Toolchain& toolchain, std::string_view arch, const OptPoint& opt);

/// The name and version of what nvcc preprocesses with (`$NVCC_CCBIN`, else gcc) and of the C library whose
/// headers it reads. Asked once a process. Throws Error(Environment) if it cannot be started.
std::string hostCompilerIdentity();

} // namespace harness

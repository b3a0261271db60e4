#pragma once

#include "harness/base/artifact_cache.h"
#include "harness/base/subprocess.h"
#include "harness/toolchain/toolchain.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// A point of the options axis: `O0`…`O3`, `G`, `cicc-O1`, and additions joined by
/// `+` that both stages understand, e.g. `O3+fmad=false`, `O3+maxrregcount=32`.
struct OptPoint {
  std::string name;
  std::vector<std::string> frontEnd; ///< options of the front end, as nvcc spells them: -G, -fmad=false …
  std::vector<std::string> cicc;     ///< what `-Xcicc` gets; NVRTC has no such door
  std::vector<std::string> ptxas;    ///< options of ptxas: -O3, --maxrregcount=32 …

  /// Throws Error(Usage) naming the part that is not understood and the names that are.
  static OptPoint parse(std::string_view name);
  /// The first option for the front end that has no counterpart for ptxas, or empty: PTX cannot take it any
  /// more.
  std::string frontEndOnly() const;
};

/// A CUDA C++ or PTX file and what is needed to compile it.
struct KernelSource {
  std::filesystem::path file; ///< a .cu or a .ptx
  std::vector<std::filesystem::path> include;
  std::vector<std::string> defines; ///< "NAME" or "NAME=VALUE"

  bool isPtx() const { return file.extension() == ".ptx"; }
};

/// How a stage ended.
enum class CompileStatus {
  Ok,
  Skipped,      ///< this toolchain cannot: arch not known, option not there; `log` is the reason
  CompileError, ///< the compiler refused the source and said so
  Ice,          ///< the compiler crashed, or reported an internal error
  Timeout,      ///< it did not end within its limit
  InfraError,   ///< it printed without end, ran out of memory, could not be started …
};

std::string_view toString(CompileStatus status); ///< "ok", "compile-error" …

/// What `.version` of a PTX text says; nothing if it has none.
std::optional<Version> ptxVersion(std::string_view ptx);

/// The outcome of one stage. Everything but `cached` and `seconds` is the same whether it was computed or
/// remembered.
struct StageResult {
  CompileStatus status = CompileStatus::Ok;
  std::string hash; ///< artifact: the PTX or the cubin; empty unless Ok
  /// Can be pasted into a shell in the source's folder; paths of the toolchain are relative to its root.
  /// (What only keeps the real path of the source out of the PTX is left out, so internal-linkage names then
  /// differ.)
  std::string command;
  std::string log;    ///< what the compiler printed, at most 64 KiB
  double seconds = 0; ///< of the compiler, when it really ran
  bool cached = false;
};

class Stages;

/// Compiles in stages with the content-addressed cache (base/artifact_cache.h). Thread-safe: two threads that
/// ask for the same thing at once compile it once. Equal inputs are never compiled again by any process that
/// shares the cache, as long as it keeps the artifact.
///
/// Compilers are not deterministic. An `attempt` beyond 0 compiles the same once more, in memory that is
/// filled with something else, and is remembered by itself: the results of several are the builds that there
/// can be.
///
/// Timeouts and infra-errors are not remembered: they depend on the machine. Every call throws
/// Error(Environment) when the cache or the temporary directory cannot be written, and Error(Interrupted)
/// after Ctrl-C.
class Compiler {
public:
  struct Options {
    ProcessLimits limits;               ///< of one compiler process
    std::filesystem::path nvrtcProgram; ///< the program harness-nvrtc; empty = beside this executable
  };
  Compiler(ArtifactCache& cache, Options options);
  ~Compiler();

  /// Front end: PTX of `source` for `arch` (sm_90a → its own virtual arch, so its own macros).
  /// The source is compiled from one canonical path, whatever its real one: internal-linkage names in PTX
  /// depend on it. A `.ptx` source is taken as it is; what only a front end can do to it is Skipped.
  /// Throws Error(Usage) for a source that cannot be read, is neither `.cu` nor `.ptx`, or a bad define.
  StageResult toPtx(const KernelSource& source, const Toolchain& toolchain, std::string_view arch,
                    const OptPoint& opt, unsigned attempt = 0);

  /// ptxas. A `.version` newer than this ptxas takes is lowered to its newest and the log says so.
  /// Throws Error(Environment) if the cache no longer holds the PTX.
  StageResult toCubin(const std::string& ptxHash, const Toolchain& toolchain, std::string_view arch,
                      const OptPoint& opt, unsigned attempt = 0);

private:
  ArtifactCache& cache_;
  Options options_;
  std::unique_ptr<Stages> stages_;
};

} // namespace harness

#include "harness/compile/compile.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/compile/invocation.h"
#include "harness/compile/outcome.h"
#include "harness/compile/source_tree.h"
#include "harness/compile/stages.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Regex.h>

#include <csignal>

namespace harness {

namespace fs = std::filesystem;

namespace {

// Versions of the keys: raise one when the same inputs give other results because this code changed.
constexpr std::string_view kPtxKey = "ptx/1";
constexpr std::string_view kCubinKey = "cubin/1";

StageResult skipped(std::string reason) {
  StageResult result;
  result.status = CompileStatus::Skipped;
  result.log = std::move(reason);
  return result;
}

/// The stages know no other GPU than ptxas does. Empty if it knows this one.
std::string unknownArch(const Toolchain& toolchain, std::string_view arch) {
  if (toolchain.knowsArch(arch)) return "";
  if (isDriver(toolchain.ptxas))
    return "no device here is of " + std::string(arch) +
           "; the driver compiles only for those that are here: " + join(toolchain.ptxas.archs, ", ");
  return "ptxas " + toolchain.ptxas.build.str() + " does not know " + std::string(arch);
}

void addOptions(KeyHasher& key, std::string_view name, const std::vector<std::string>& options) {
  key.add(name, std::uint64_t{options.size()});
  for (const std::string& option : options)
    key.add(name, option);
}

void addAttempt(KeyHasher& key, unsigned attempt) {
  if (attempt > 0) key.add("attempt", std::uint64_t{attempt});
}

/// What makes a further attempt another one beside the addresses, which differ by themselves.
void perturb(Invocation& call, unsigned attempt) {
  if (attempt > 0) call.environment.emplace_back("MALLOC_PERTURB_", std::to_string(attempt * 89 % 255 + 1));
}

std::string ptxKey(const KernelSource& source, const SourceTree& tree, const Toolchain& toolchain,
                   std::string_view arch, const OptPoint& opt, unsigned attempt) {
  const FrontEnd& frontEnd = toolchain.frontEnd;
  KeyHasher key(kPtxKey);
  key.add("kind", toString(frontEnd.kind)).add("front end", frontEnd.identity).add("arch", arch);
  if (frontEnd.kind == FrontEndKind::Nvcc) key.add("host compiler", hostCompilerIdentity());
  addOptions(key, "option", opt.frontEnd);
  addOptions(key, "cicc", opt.cicc);
  addOptions(key, "define", source.defines);
  tree.addTo(key);
  addAttempt(key, attempt);
  return key.hex();
}

std::string cubinKey(const std::string& ptxHash, const Ptxas& ptxas, std::string_view arch,
                     const OptPoint& opt, unsigned attempt) {
  KeyHasher key(kCubinKey);
  key.add("ptx", ptxHash)
      .add("ptxas", ptxas.sha256)
      .add("arch", arch)
      .add("newest version", ptxas.maxPtx.str());
  addOptions(key, "option", opt.ptxas);
  addAttempt(key, attempt);
  return key.hex();
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

std::string readIfThere(const fs::path& path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec) ? readFile(path) : std::string();
}

/// A temporary directory in which one compiler call runs.
class Workplace {
public:
  Workplace() : directory_("harness-compile") {
    std::error_code ec;
    if (!fs::create_directory(path() / "tmp", ec))
      failEnvironment("cannot make a directory in '{0}'", path().string());
  }
  const fs::path& path() const { return directory_.path(); }

  /// Runs the call, judges how it ended and stores what it made.
  StageResult run(const Invocation& call, const ProcessLimits& limits, const Toolchain& toolchain,
                  ArtifactCache& cache) {
    StageResult result;
    result.command = call.shown;
    ProcessResult process;
    try {
      process = runProcess({call.argv, call.environment, path(), "", limits});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Environment) throw;
      result.status = CompileStatus::InfraError;
      result.log = error.what();
      return result;
    }
    result.seconds = process.seconds;
    std::string log = process.out + process.err;
    if (!call.logFile.empty()) log += readIfThere(path() / call.logFile);
    std::string output = process.ok() ? readIfThere(path() / call.output) : "";
    result.status = judge(process, log, !output.empty());
    result.log = boundedLog(withoutPaths(std::move(log), toolchain) + remark(process, limits, result.status));
    if (result.status == CompileStatus::Ok) result.hash = cache.putArtifact(output);
    return result;
  }

private:
  /// Messages without this directory, nor where the toolchain is installed.
  std::string withoutPaths(std::string log, const Toolchain& toolchain) const {
    replaceAll(log, path().string() + "/", "");
    replaceAll(log, "/proc/self/cwd/", "");
    if (!toolchain.root.empty()) replaceAll(log, toolchain.root.string() + "/", "");
    return log;
  }

  /// The same for the same end, whatever the machine's speed: what is recorded of a cell must not change by
  /// itself.
  static std::string remark(const ProcessResult& process, const ProcessLimits& limits, CompileStatus status) {
    if (status == CompileStatus::Ok) return "";
    if (process.end == ProcessEnd::TimedOut)
      return process.signal == SIGXCPU
                 ? llvm::formatv("[timed out: more than {0} s of processor time]\n", limits.cpu.count()).str()
                 : llvm::formatv("[timed out: more than {0} s]\n", limits.wall.count() / 1000).str();
    if (process.ok()) return "[exited with 0 but wrote no output]\n";
    return "[" + process.describe() + "]\n";
  }

  TempDir directory_;
};

/// The version of the `.version` directive, inside `ptx`; empty if there is none.
llvm::StringRef versionIn(llvm::StringRef ptx) {
  static const llvm::Regex kDirective("^[ \t]*\\.version[ \t]+([0-9]+\\.[0-9]+)", llvm::Regex::Newline);
  llvm::SmallVector<llvm::StringRef> match;
  return kDirective.match(ptx, &match) ? match[1] : llvm::StringRef();
}

/// Lowers `.version` to the newest that `ptxas` takes; returns what was done, or empty.
std::string lowerVersion(std::string& ptx, const Ptxas& ptxas) {
  llvm::StringRef directive = versionIn(ptx);
  std::string version = directive.str();
  std::optional<Version> given = ptxVersion(ptx);
  if (ptxas.maxPtx.parts.empty() || !given || *given <= ptxas.maxPtx) return "";
  ptx.replace(static_cast<std::size_t>(directive.data() - ptx.data()), version.size(), ptxas.maxPtx.str());
  return "[.version " + version + " lowered to " + ptxas.maxPtx.str() + ", the newest that ptxas " +
         ptxas.build.str() + " takes]\n";
}

StageResult takePtx(const KernelSource& source, const OptPoint& opt, ArtifactCache& cache) {
  if (std::string option = opt.frontEndOnly(); !option.empty())
    return skipped("a PTX source has no front end that could be given " + option);
  StageResult result;
  result.hash = cache.putArtifact(readFile(source.file));
  return result;
}

} // namespace

std::optional<Version> ptxVersion(std::string_view ptx) {
  return Version::parse(versionIn(ptx).str());
}

Compiler::Compiler(ArtifactCache& cache, Options options)
    : cache_(cache), options_(std::move(options)), stages_(std::make_unique<Stages>(cache)) {
  if (options_.nvrtcProgram.empty()) options_.nvrtcProgram = besideThisProgram("harness-nvrtc");
}

Compiler::~Compiler() = default;

StageResult Compiler::toPtx(const KernelSource& source, const Toolchain& toolchain, std::string_view arch,
                            const OptPoint& opt, unsigned attempt) {
  if (std::string reason = unknownArch(toolchain, arch); !reason.empty()) return skipped(reason);
  if (source.isPtx()) return takePtx(source, opt, cache_);
  if (source.file.extension() != ".cu")
    failUsage("'{0}' is neither a .cu nor a .ptx file", source.file.string());
  bool nvrtc = toolchain.frontEnd.kind == FrontEndKind::Nvrtc;
  if (nvrtc && !opt.cicc.empty())
    return skipped("NVRTC " + toolchain.frontEnd.build.str() + " has no -Xcicc, so no " + opt.name);
  if (std::error_code ec; nvrtc && !fs::exists(options_.nvrtcProgram, ec))
    failEnvironment("'{0}' is missing: build or install harness-nvrtc beside the harness program",
                    options_.nvrtcProgram.string());

  SourceTree tree = SourceTree::collect(source);
  Invocation call = frontEndInvocation(source, tree, toolchain, arch, opt, options_.nvrtcProgram);
  perturb(call, attempt);
  return stages_->get(ptxKey(source, tree, toolchain, arch, opt, attempt), [&] {
    Workplace workplace;
    tree.write(workplace.path());
    return workplace.run(call, options_.limits, toolchain, cache_);
  });
}

StageResult Compiler::toCubin(const std::string& ptxHash, const Toolchain& toolchain, std::string_view arch,
                              const OptPoint& opt, unsigned attempt) {
  if (std::string reason = unknownArch(toolchain, arch); !reason.empty()) return skipped(reason);
  bool driver = isDriver(toolchain.ptxas);
  if (std::string option = driver ? driverLacks(opt) : ""; !option.empty())
    return skipped("the driver's compiler has nothing for " + option);
  ProcessLimits limits = options_.limits;
  if (driver) limits.memoryBytes = 0; // a driver reserves more address space than any limit
  return stages_->get(cubinKey(ptxHash, toolchain.ptxas, arch, opt, attempt), [&] {
    std::optional<std::string> ptx = cache_.getArtifact(ptxHash);
    if (!ptx)
      failEnvironment("PTX {0} is no longer in the cache '{1}': run again", ptxHash,
                      cache_.directory().string());
    std::string lowered = lowerVersion(*ptx, toolchain.ptxas);
    Workplace workplace;
    writeFileAtomically(workplace.path() / "kernel.ptx", *ptx);
    Invocation call = ptxasInvocation(toolchain, arch, opt);
    perturb(call, attempt);
    StageResult result = workplace.run(call, limits, toolchain, cache_);
    result.log = boundedLog(lowered + result.log);
    return result;
  });
}

} // namespace harness

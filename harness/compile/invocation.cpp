#include "harness/compile/invocation.h"

#include "harness/base/error.h"
#include "harness/base/text.h"

#include <gnu/libc-version.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace harness {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kHere = "/proc/self/cwd/";

/// A path of the toolchain as it is shown: relative to its root, or the bare name if it lies elsewhere.
std::string shownPath(const fs::path& path, const fs::path& root) {
  fs::path relative = path.lexically_relative(root);
  return relative.empty() || *relative.begin() == ".." ? path.filename().string() : relative.string();
}

/// An include directory as it is shown: from the source's folder, if that is near, else its bare name.
std::string shownInclude(const fs::path& directory, const fs::path& sourceFile) {
  fs::path normal = fs::absolute(directory).lexically_normal();
  fs::path relative = normal.lexically_relative(fs::absolute(sourceFile).lexically_normal().parent_path());
  if (std::count(relative.begin(), relative.end(), fs::path("..")) <= 2) return relative.string();
  return normal.has_filename() ? normal.filename().string() : normal.parent_path().filename().string();
}

/// False if `nvcc` would change the text: it hands its arguments to a shell between double quotes, and splits
/// them at commas.
bool survivesNvcc(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c >= ' ' && c < 127 &&
           std::string_view("\"\\$`,!").find(static_cast<char>(c)) == std::string_view::npos;
  });
}

constexpr const char* kPlainOnly = "(no quotes, backslash, $, `, comma, ! and only ASCII)";

void checkDefine(const std::string& define) {
  std::string name = define.substr(0, define.find('='));
  bool isName =
      !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
      std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (!isName) failUsage("define '{0}': '{1}' is not a macro name", define, name);
  if (!survivesNvcc(define))
    failUsage("define '{0}' does not reach every compiler unchanged {1}: put it into a header of an include "
              "directory",
              define, kPlainOnly);
}

void checkNames(const SourceTree& tree) {
  std::vector<std::string> places = tree.includeDirs();
  places.push_back(tree.source());
  for (const std::string& place : places)
    if (!survivesNvcc(place))
      failUsage("'{0}' does not reach every compiler unchanged {1}: rename it", place, kPlainOnly);
}

/// The words that differ between what is run and what is shown.
struct Names {
  std::string program, library, source, output, log;
  std::vector<std::string> include;
  std::vector<std::string> canonicalPath; ///< the options that keep the real path out of the PTX
};

std::vector<std::string> nvccArguments(const Names& names, const KernelSource& source, std::string_view arch,
                                       const OptPoint& opt) {
  std::vector<std::string> argv = {names.program, "-ptx", "-arch=" + std::string(arch), "-std=c++17"};
  argv.insert(argv.end(), opt.frontEnd.begin(), opt.frontEnd.end());
  for (const std::string& option : opt.cicc)
    argv.insert(argv.end(), {"-Xcicc", option});
  for (const std::string& define : source.defines)
    argv.push_back("-D" + define);
  for (const std::string& directory : names.include)
    argv.push_back("-I" + directory);
  argv.insert(argv.end(), names.canonicalPath.begin(), names.canonicalPath.end());
  argv.insert(argv.end(), {names.source, "-o", names.output});
  return argv;
}

/// NVRTC takes these options in nvcc's spelling.
std::vector<std::string> nvrtcArguments(const Names& names, const KernelSource& source, std::string_view arch,
                                        const OptPoint& opt) {
  std::string virtualArch = "compute_" + std::string(arch.substr(arch.find('_') + 1));
  std::vector<std::string> argv = {names.program, "--lib",   names.library, "--out", names.output,
                                   "--log",       names.log, names.source,  "--"};
  argv.insert(argv.end(), {"-arch=" + virtualArch, "-std=c++17"});
  argv.insert(argv.end(), opt.frontEnd.begin(), opt.frontEnd.end());
  for (const std::string& define : source.defines)
    argv.push_back("-D" + define);
  for (const std::string& directory : names.include)
    argv.push_back("-I" + directory);
  return argv;
}

std::string withExtension(const std::string& file, const char* extension) {
  return fs::path(file).filename().replace_extension(extension).string();
}

/// Nothing of the user's environment may change what the compiler makes; empty = as if unset.
std::vector<std::pair<std::string, std::string>> compilerEnvironment() {
  std::vector<std::pair<std::string, std::string>> environment = {{"PWD", "/proc/self/cwd"},
                                                                  {"TMPDIR", std::string(kHere) + "tmp"},
                                                                  {"LC_ALL", "C"},
                                                                  {"SOURCE_DATE_EPOCH", "0"}};
  for (const char* name :
       {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    environment.emplace_back(name, "");
  return environment;
}

std::string hostCompiler() {
  const char* ccbin = std::getenv("NVCC_CCBIN");
  if (!ccbin || !*ccbin) return "gcc";
  std::error_code ec;
  return fs::is_directory(ccbin, ec) ? (fs::path(ccbin) / "gcc").string() : ccbin;
}

} // namespace

Invocation frontEndInvocation(const KernelSource& source, const SourceTree& tree, const Toolchain& toolchain,
                              std::string_view arch, const OptPoint& opt, const fs::path& nvrtcProgram) {
  for (const std::string& define : source.defines)
    checkDefine(define);
  checkNames(tree);
  bool nvcc = toolchain.frontEnd.kind == FrontEndKind::Nvcc;
  std::string canonical = std::string(kHere) + tree.source();
  std::string shownSource = source.file.filename().string();

  Names run, shown;
  run.program = nvcc ? toolchain.frontEnd.program.string() : nvrtcProgram.string();
  shown.program = nvcc ? shownPath(toolchain.frontEnd.program, toolchain.root) : "harness-nvrtc";
  run.library = toolchain.frontEnd.program.string();
  shown.library = shownPath(toolchain.frontEnd.program, toolchain.root);
  run.source = canonical;
  shown.source = shownSource;
  run.output = "kernel.ptx";
  shown.output = withExtension(shownSource, ".ptx");
  run.log = "kernel.log";
  shown.log = withExtension(shownSource, ".log");
  for (const std::string& directory : tree.includeDirs())
    run.include.push_back(std::string(kHere) + directory);
  for (const fs::path& directory : source.include)
    shown.include.push_back(shownInclude(directory, source.file));
  if (nvcc) {
    run.canonicalPath = {"-Xcicc", "--orig_src_path_name", "-Xcicc", canonical};
  } else {
    for (const fs::path& directory : toolchain.frontEnd.includeDirs) {
      run.include.push_back(directory.string());
      shown.include.push_back(shownPath(directory, toolchain.root));
    }
  }

  auto arguments = [&](const Names& names) {
    return nvcc ? nvccArguments(names, source, arch, opt) : nvrtcArguments(names, source, arch, opt);
  };
  return {arguments(run), compilerEnvironment(), shellCommand(arguments(shown)), run.output,
          nvcc ? "" : run.log};
}

bool isDriver(const Ptxas& ptxas) {
  return ptxas.program.filename() == "harness-driver-ptxas";
}

std::string driverLacks(const OptPoint& opt) {
  for (const std::string& option : opt.ptxas) {
    bool isLevel = option.size() == 3 && option.starts_with("-O");
    bool isKnown = option == "-g" || option == "--dont-merge-basicblocks" || option == "--return-at-end" ||
                   option == "--generate-line-info" || option.starts_with("-maxrregcount=");
    if (!isLevel && !isKnown) return option;
  }
  return "";
}

Invocation ptxasInvocation(const Toolchain& toolchain, std::string_view arch, const OptPoint& opt) {
  std::vector<std::string> argv = {toolchain.ptxas.program.string(), "-arch=" + std::string(arch), "-m64"};
  argv.insert(argv.end(), opt.ptxas.begin(), opt.ptxas.end());
  argv.insert(argv.end(), {"kernel.ptx", "-o", "kernel.cubin"});
  std::vector<std::string> shown = argv;
  shown[0] = shownPath(toolchain.ptxas.program, toolchain.root);
  return {argv, compilerEnvironment(), shellCommand(shown), "kernel.cubin", ""};
}

std::string hostCompilerIdentity() {
  // The driver carries its version, and the preprocessor proper comes with it.
  try {
    return programSha256(hostCompiler()) + " glibc " + gnu_get_libc_version();
  } catch (const Error& error) {
    failEnvironment("nvcc needs a host compiler to preprocess with: {0}; install g++ or set NVCC_CCBIN",
                    error.what());
  }
}

} // namespace harness

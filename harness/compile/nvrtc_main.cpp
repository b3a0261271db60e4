// harness-nvrtc: calls a libnvrtc in a process of its own, where it may crash, hang or eat memory.
//
// Exit codes: 0 compiled, 1 NVRTC refused (its log is in --log, the name of the error on stderr), 2 bad usage
// or the library cannot be used. Declarations are from the public NVRTC documentation.
//
// Links nothing of the harness: its LLVM is not to meet the one inside libnvrtc.

#include <CLI/CLI.hpp>
#include <dlfcn.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

std::string readFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read '" + path + "'");
  return {std::istreambuf_iterator<char>(in), {}};
}

void writeFile(const std::string& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  if (!out) throw std::runtime_error("cannot write '" + path + "'");
}

/// The functions of libnvrtc that are used. Result 0 = NVRTC_SUCCESS.
struct Nvrtc {
  using Program = struct Opaque*;

  int (*version)(int* major, int* minor);
  const char* (*getErrorString)(int result);
  int (*createProgram)(Program*, const char* source, const char* name, int headerCount,
                       const char* const* headers, const char* const* includeNames);
  int (*destroyProgram)(Program*);
  int (*addNameExpression)(Program, const char* expression);
  int (*compileProgram)(Program, int optionCount, const char* const* options);
  int (*getProgramLogSize)(Program, std::size_t* size);
  int (*getProgramLog)(Program, char* log);
  int (*getPtxSize)(Program, std::size_t* size);
  int (*getPtx)(Program, char* ptx);
  int (*getLoweredName)(Program, const char* expression, const char** lowered);

  explicit Nvrtc(const std::string& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw std::runtime_error("cannot load '" + path + "': " + dlerror());
    load(library, path, "nvrtcVersion", version);
    load(library, path, "nvrtcGetErrorString", getErrorString);
    load(library, path, "nvrtcCreateProgram", createProgram);
    load(library, path, "nvrtcDestroyProgram", destroyProgram);
    load(library, path, "nvrtcAddNameExpression", addNameExpression);
    load(library, path, "nvrtcCompileProgram", compileProgram);
    load(library, path, "nvrtcGetProgramLogSize", getProgramLogSize);
    load(library, path, "nvrtcGetProgramLog", getProgramLog);
    load(library, path, "nvrtcGetPTXSize", getPtxSize);
    load(library, path, "nvrtcGetPTX", getPtx);
    load(library, path, "nvrtcGetLoweredName", getLoweredName);
  }

private:
  template <typename Function>
  static void load(void* library, const std::string& path, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    if (!function) throw std::runtime_error("'" + path + "' is no libnvrtc: it has no " + name);
  }
};

struct Arguments {
  std::string library, output, log, source;
  std::vector<std::string> nameExpressions, options;
  bool version = false;
};

/// NVRTC refused.
struct Refused {
  int result;
};

void check(int result) {
  if (result != 0) throw Refused{result};
}

/// A text whose length, with the closing NUL, one call gives and whose bytes another.
std::string getText(Nvrtc::Program program, int (*getSize)(Nvrtc::Program, std::size_t*),
                    int (*get)(Nvrtc::Program, char*)) {
  std::size_t size = 0;
  check(getSize(program, &size));
  std::string text(size, '\0');
  if (size > 0) check(get(program, text.data()));
  while (!text.empty() && text.back() == '\0')
    text.pop_back();
  return text;
}

void compile(const Nvrtc& nvrtc, const Arguments& arguments) {
  std::string source = readFile(arguments.source);
  Nvrtc::Program program = nullptr;
  check(nvrtc.createProgram(&program, source.c_str(), arguments.source.c_str(), 0, nullptr, nullptr));
  for (const std::string& expression : arguments.nameExpressions)
    check(nvrtc.addNameExpression(program, expression.c_str()));
  std::vector<const char*> options;
  for (const std::string& option : arguments.options)
    options.push_back(option.c_str());
  int result = nvrtc.compileProgram(program, static_cast<int>(options.size()), options.data());
  writeFile(arguments.log, getText(program, nvrtc.getProgramLogSize, nvrtc.getProgramLog));
  check(result);
  writeFile(arguments.output, getText(program, nvrtc.getPtxSize, nvrtc.getPtx));
  for (const std::string& expression : arguments.nameExpressions) {
    const char* lowered = nullptr;
    check(nvrtc.getLoweredName(program, expression.c_str(), &lowered));
    std::printf("%s\t%s\n", expression.c_str(), lowered);
  }
  nvrtc.destroyProgram(&program);
}

void printVersion(const Nvrtc& nvrtc) {
  int major = 0, minor = 0;
  check(nvrtc.version(&major, &minor));
  std::printf("%d.%d\n", major, minor);
}

int run(const Arguments& arguments) {
  try {
    Nvrtc nvrtc(arguments.library);
    try {
      if (arguments.version)
        printVersion(nvrtc);
      else
        compile(nvrtc, arguments);
      return 0;
    } catch (const Refused& refused) {
      std::fprintf(stderr, "harness-nvrtc: %s\n", nvrtc.getErrorString(refused.result));
      return 1;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "harness-nvrtc: %s\n", error.what());
    return 2;
  }
}

} // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Compiles CUDA C++ to PTX with a given libnvrtc.", "harness-nvrtc");
  app.add_option("--lib", arguments.library, "The libnvrtc to load")->required();
  CLI::Option* version =
      app.add_flag("--version", arguments.version, "Print the library's major.minor and end");
  CLI::Option* out = app.add_option("--out", arguments.output, "Where the PTX goes");
  CLI::Option* log = app.add_option("--log", arguments.log, "Where NVRTC's messages go");
  app.add_option("--name-expression", arguments.nameExpressions,
                 "Prints EXPR, a tab and its name in the PTX; may be repeated")
      ->allow_extra_args(false);
  CLI::Option* source = app.add_option("SOURCE", arguments.source, "The .cu file");
  app.add_option("OPTIONS", arguments.options, "After --: options of NVRTC");
  try {
    app.parse(argc, argv);
    for (const CLI::Option* option : {out, log, source})
      if (!*version && !*option) throw CLI::RequiredError(option->get_name());
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return run(arguments);
}

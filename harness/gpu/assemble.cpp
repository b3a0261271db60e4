#include "harness/gpu/assemble.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

namespace harness::gpu {

namespace {

enum Exit : int { kOk = 0, kRefused = 1, kUsage = 2, kCannot = 3 };

struct Arguments {
  std::string input, output;
  int major = 0, minor = 0;
  int level = 3;
  int registers = 0; ///< 0 = no limit
  bool debug = false, lines = false;
};

bool parseArch(const std::string& text, Arguments& arguments) {
  if (!text.starts_with("sm_")) return false;
  int number = std::atoi(text.c_str() + 3);
  arguments.major = number / 10;
  arguments.minor = number % 10;
  return number >= 50;
}

std::optional<Arguments> parse(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    bool good = true;
    if (word.starts_with("-arch="))
      good = parseArch(word.substr(6), arguments);
    else if (word == "-o")
      good = ++i < words.size() && !(arguments.output = words[i]).empty();
    else if (word.size() == 3 && word.starts_with("-O"))
      good = (arguments.level = word[2] - '0') >= 0 && arguments.level <= 3;
    else if (word == "-g")
      arguments.debug = true;
    else if (word == "--generate-line-info")
      arguments.lines = true;
    else if (word.starts_with("-maxrregcount="))
      good = (arguments.registers = std::atoi(word.c_str() + 14)) > 0;
    else if (!word.starts_with("-") && arguments.input.empty())
      arguments.input = word;
    else
      good = word == "-m64" || word == "--dont-merge-basicblocks" || word == "--return-at-end";
    if (!good) {
      std::fprintf(stderr, "the driver's compiler has no option '%s'\n", word.c_str());
      return std::nullopt;
    }
  }
  if (!arguments.input.empty() && !arguments.output.empty() && arguments.major > 0) return arguments;
  std::fprintf(stderr, "usage: harness-driver-ptxas -arch=sm_NN [options of ptxas] FILE.ptx -o FILE.cubin\n");
  return std::nullopt;
}

/// An error that is the machine's, whatever the PTX.
struct MachineError {
  CUresult result;
  const char* remedy = "";
};

constexpr MachineError kOfMachine[] = {
    {2},   // OUT_OF_MEMORY
    {3},   // NOT_INITIALIZED
    {4},   // DEINITIALIZED
    {34},  // STUB_LIBRARY
    {46},  // DEVICE_UNAVAILABLE
    {100}, // NO_DEVICE
    {101}, // INVALID_DEVICE
    {102}, // DEVICE_NOT_LICENSED
    {201}, // INVALID_CONTEXT
    {214}, // ECC_UNCORRECTABLE
    {220}, // NVLINK_UNCORRECTABLE
    {221,
     "; libnvidia-ptxjitcompiler.so.1, a part of the driver, is not installed"}, // JIT_COMPILER_NOT_FOUND
    {223, "; unset CUDA_DISABLE_JIT and CUDA_DISABLE_PTX_JIT"},                  // JIT_COMPILATION_DISABLED
    {301},                                                                       // FILE_NOT_FOUND
    {302}, // SHARED_OBJECT_SYMBOL_NOT_FOUND
    {303}, // SHARED_OBJECT_INIT_FAILED
    {304}, // OPERATING_SYSTEM
    {802}, // SYSTEM_NOT_READY
    {803}, // SYSTEM_DRIVER_MISMATCH
    {804}, // COMPAT_NOT_SUPPORTED_ON_DEVICE
};

const MachineError* ofMachine(CUresult result) {
  for (const MachineError& error : kOfMachine)
    if (error.result == result) return &error;
  return nullptr;
}

void report(const Driver& driver, const char* prefix, const char* call, CUresult result, const char* remedy) {
  const char *name = nullptr, *text = nullptr;
  if (driver.getErrorName(result, &name) != kSuccess || !name) name = "unknown error";
  if (driver.getErrorString(result, &text) != kSuccess || !text) text = "";
  std::fprintf(stderr, "%s%s: %s (%d) %s%s\n", prefix, call, name, result, text, remedy);
}

int cannot(const Driver& driver, const char* call, CUresult result) {
  const MachineError* error = ofMachine(result);
  report(driver, kCannotCompile, call, result, error ? error->remedy : "");
  return kCannot;
}

int refused(const Driver& driver, const char* call, CUresult result) {
  if (ofMachine(result)) return cannot(driver, call, result);
  report(driver, "", call, result, "");
  return kRefused;
}

void printLog(std::string log) {
  if (!log.empty() && !log.ends_with('\n')) log += '\n';
  std::fputs(log.c_str(), stderr);
}

std::optional<CUdevice> findDevice(const Driver& driver, const Arguments& arguments) {
  int count = 0;
  if (driver.init(0) != kSuccess || driver.deviceGetCount(&count) != kSuccess) return std::nullopt;
  for (int i = 0; i < count; ++i) {
    CUdevice device = 0;
    int major = 0, minor = 0;
    if (driver.deviceGet(&device, i) == kSuccess &&
        driver.deviceGetAttribute(&major, kComputeMajor, device) == kSuccess &&
        driver.deviceGetAttribute(&minor, kComputeMinor, device) == kSuccess && major == arguments.major &&
        minor == arguments.minor)
      return device;
  }
  return std::nullopt;
}

/// The options as cuLinkCreate takes them: each value in the place of a pointer.
struct JitOptions {
  std::vector<int> names;
  std::vector<void*> values;
  char log[1 << 14] = {}, errors[1 << 14] = {};

  explicit JitOptions(const Arguments& arguments) {
    add(kJitInfoLog, log);
    add(kJitInfoLogBytes, number(sizeof log));
    add(kJitErrorLog, errors);
    add(kJitErrorLogBytes, number(sizeof errors));
    add(kJitOptimizationLevel, number(static_cast<std::uintptr_t>(arguments.level)));
    if (arguments.debug) add(kJitDebugInfo, number(1));
    if (arguments.lines) add(kJitLineInfo, number(1));
    if (arguments.registers > 0)
      add(kJitMaxRegisters, number(static_cast<std::uintptr_t>(arguments.registers)));
  }

private:
  static void* number(std::uintptr_t value) { return reinterpret_cast<void*>(value); }
  void add(int name, void* value) {
    names.push_back(name);
    values.push_back(value);
  }
};

} // namespace

int assemble(const Driver& driver, const std::vector<std::string>& words) {
  std::optional<Arguments> arguments = parse(words);
  if (!arguments) return kUsage;
  std::ifstream file(arguments->input, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read '%s'\n", arguments->input.c_str());
    return kUsage;
  }
  // The driver wants its PTX to end with a null.
  std::string ptx((std::istreambuf_iterator<char>(file)), {});
  std::optional<CUdevice> device = findDevice(driver, *arguments);
  if (!device) {
    std::fprintf(stderr,
                 "%sthere is no device of compute capability %d.%d, for which the driver would compile\n",
                 kCannotCompile, arguments->major, arguments->minor);
    return kCannot;
  }
  CUhandle context = nullptr, state = nullptr;
  if (CUresult result = driver.primaryCtxRetain(&context, *device))
    return cannot(driver, "cuDevicePrimaryCtxRetain", result);
  if (CUresult result = driver.ctxSetCurrent(context)) return cannot(driver, "cuCtxSetCurrent", result);
  JitOptions options(*arguments);
  auto count = static_cast<unsigned>(options.names.size());
  if (CUresult result = driver.linkCreate(count, options.names.data(), options.values.data(), &state))
    return cannot(driver, "cuLinkCreate", result);
  void* cubin = nullptr;
  std::size_t size = 0;
  const char* call = "cuLinkAddData";
  CUresult result =
      driver.linkAddData(state, kInputPtx, ptx.data(), ptx.size() + 1, "kernel.ptx", 0, nullptr, nullptr);
  if (result == kSuccess) {
    call = "cuLinkComplete";
    result = driver.linkComplete(state, &cubin, &size);
  }
  printLog(options.log);
  printLog(options.errors);
  if (result != kSuccess) return refused(driver, call, result);
  std::ofstream output(arguments->output, std::ios::binary);
  output.write(static_cast<const char*>(cubin), static_cast<std::streamsize>(size));
  driver.linkDestroy(state);
  if (output.flush()) return kOk;
  std::fprintf(stderr, "cannot write '%s'\n", arguments->output.c_str());
  return kUsage;
}

} // namespace harness::gpu

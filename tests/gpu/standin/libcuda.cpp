// A stand-in for libcuda (and libnvidia-ml): the part of the driver API that harness-gpu uses, on devices
// whose kernels run on our SASS executor (device_main.cpp). What it is and how it fails, environment
// variables say:
//
//   HARNESS_STANDIN_DEVICES   compute capabilities, "8.0,9.0"; "" = no device; default 8.0
//   HARNESS_STANDIN_NAMES     names of the devices, separated by commas
//   HARNESS_STANDIN_CUDA      what cuDriverGetVersion says; default 12080
//   HARNESS_STANDIN_RELEASE   what nvidia-ml says; default 570.00
//   HARNESS_STANDIN_MEMORY    bytes of a device; default 1 GiB
//   HARNESS_STANDIN_FAIL      CALL:CUresult[@N],…: these calls fail, or the N-th call of this name alone
//   HARNESS_STANDIN_HANG      CALL[@N]: never returns
//   HARNESS_STANDIN_CRASH     CALL[@N]: takes the process with it
//   HARNESS_STANDIN_FLAKY     N: every N-th launch of a process flips a bit of what its kernel wrote
//   HARNESS_STANDIN_IDLE      launches do nothing, and the memory stays as it is
//   HARNESS_STANDIN_STEPS     warp instructions after which a kernel is taken to run for ever; default 2^24
//   HARNESS_STANDIN_PTXAS     what the driver compiles PTX with
//   HARNESS_STANDIN_LOG       a file that gets the name of every call, a line each

#include "tests/gpu/standin/device_protocol.h"
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace harness::standin;

enum Result : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kNoBinaryForGpu = 209,
  kInvalidPtx = 218,
  kJitCompilerNotFound = 221,
  kInvalidContext = 201,
  kInvalidHandle = 400,
};

constexpr std::pair<int, const char*> kNames[] = {
    {kInvalidValue, "CUDA_ERROR_INVALID_VALUE"},
    {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
    {kNotInitialized, "CUDA_ERROR_NOT_INITIALIZED"},
    {kNoDevice, "CUDA_ERROR_NO_DEVICE"},
    {kInvalidDevice, "CUDA_ERROR_INVALID_DEVICE"},
    {200, "CUDA_ERROR_INVALID_IMAGE"},
    {kNoBinaryForGpu, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    {214, "CUDA_ERROR_ECC_UNCORRECTABLE"},
    {kInvalidPtx, "CUDA_ERROR_INVALID_PTX"},
    {kJitCompilerNotFound, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
    {500, "CUDA_ERROR_NOT_FOUND"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    {702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
    {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
    {719, "CUDA_ERROR_LAUNCH_FAILED"},
    {801, "CUDA_ERROR_NOT_SUPPORTED"},
    {999, "CUDA_ERROR_UNKNOWN"},
};

std::string setting(const char* name, const char* byDefault) {
  const char* value = std::getenv(name);
  return value ? value : byDefault;
}

std::vector<std::string> listOf(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');)
    parts.push_back(part);
  return parts;
}

/// "CALL[:VALUE][@N]"
struct Rule {
  std::string call;
  int value = 0, nth = 0;
  explicit Rule(std::string text) {
    if (auto at = text.find('@'); at != std::string::npos) {
      nth = std::atoi(text.c_str() + at + 1);
      text.resize(at);
    }
    if (auto colon = text.find(':'); colon != std::string::npos) {
      value = std::atoi(text.c_str() + colon + 1);
      text.resize(colon);
    }
    call = text;
  }
  bool holds(const std::string& name, int count) const { return name == call && (nth == 0 || nth == count); }
};

/// standin-device, with which the kernels run.
class DeviceProcess {
public:
  ~DeviceProcess() {
    if (pid_ < 0) return;
    close(to_);
    close(from_);
    waitpid(pid_, nullptr, 0);
  }

  void start(const std::string& arch) {
    if (pid_ >= 0) return;
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) std::abort();
    pid_ = fork();
    if (pid_ == 0) {
      dup2(in[0], 0);
      dup2(out[1], 1);
      execl(STANDIN_DEVICE_PROGRAM, "standin-device", arch.c_str(), nullptr);
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }

  void put(const void* from, std::size_t size) {
    for (const char* at = static_cast<const char*>(from); size > 0;) {
      ssize_t n = write(to_, at, size);
      if (n <= 0) std::abort();
      at += n;
      size -= static_cast<std::size_t>(n);
    }
  }
  void get(void* into, std::size_t size) {
    for (char* at = static_cast<char*>(into); size > 0;) {
      ssize_t n = read(from_, at, size);
      if (n <= 0) std::abort();
      at += n;
      size -= static_cast<std::size_t>(n);
    }
  }

private:
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
};

struct Device {
  int major = 0, minor = 0;
  std::string name;
  std::string arch() const { return "sm_" + std::to_string(major) + std::to_string(minor); }
};

struct Module {
  std::string cubin;
};

struct Function {
  Module* module;
  std::string name;
  std::vector<std::uint64_t> parameters;
};

struct Link {
  std::string ptx, cubin;
  std::map<int, void*> options;
};

/// The whole driver of one process.
class Driver {
public:
  Driver() {
    std::vector<std::string> names = listOf(setting("HARNESS_STANDIN_NAMES", ""));
    for (const std::string& capability : listOf(setting("HARNESS_STANDIN_DEVICES", "8.0"))) {
      Device device;
      std::sscanf(capability.c_str(), "%d.%d", &device.major, &device.minor);
      device.name = devices.size() < names.size() ? names[devices.size()] : "Stand-in " + capability;
      devices.push_back(device);
    }
    for (const std::string& text : listOf(setting("HARNESS_STANDIN_FAIL", "")))
      failures_.emplace_back(text);
    for (const std::string& text : listOf(setting("HARNESS_STANDIN_HANG", "")))
      hangs_.emplace_back(text);
    for (const std::string& text : listOf(setting("HARNESS_STANDIN_CRASH", "")))
      crashes_.emplace_back(text);
    log_ = setting("HARNESS_STANDIN_LOG", "");
  }

  /// What a call does first: it fails, hangs or crashes if it shall.
  int enter(const char* name) {
    int count = ++counts_[name];
    if (!log_.empty()) std::ofstream(log_, std::ios::app) << name << '\n';
    for (const Rule& rule : hangs_)
      while (rule.holds(name, count))
        pause();
    for (const Rule& rule : crashes_)
      if (rule.holds(name, count)) {
        std::signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
      }
    for (const Rule& rule : failures_)
      if (rule.holds(name, count)) return rule.value;
    return sticky;
  }

  std::vector<Device> devices;
  bool initialised = false;
  int sticky = 0; ///< what a kernel did to the context
  int current = -1;
  std::map<unsigned long long, std::string> memory;
  std::uint64_t used = 0;
  unsigned launches = 0;
  DeviceProcess process;

private:
  std::vector<Rule> failures_, hangs_, crashes_;
  std::map<std::string, int> counts_;
  std::string log_;
};

Driver& driver() {
  static Driver theDriver;
  return theDriver;
}

const Device* deviceAt(int device) {
  auto& devices = driver().devices;
  return device >= 0 && static_cast<std::size_t>(device) < devices.size() ? &devices[device] : nullptr;
}

/// The allocation that holds [address, address+bytes), and where in it.
char* find(unsigned long long address, std::size_t bytes) {
  for (auto& [start, contents] : driver().memory)
    if (address >= start && address - start <= contents.size() &&
        bytes <= contents.size() - (address - start))
      return contents.data() + (address - start);
  return nullptr;
}

/// What standin-device says of a cubin, or of one of its kernels.
int ask(const std::string& cubin, const std::string& kernel, std::vector<std::uint64_t>& answer) {
  DeviceProcess& process = driver().process;
  DeviceRequest request = {};
  request.cubinBytes = cubin.size();
  request.nameBytes = kernel.size();
  request.allocations = kAskParameters;
  process.put(&request, sizeof request);
  process.put(cubin.data(), cubin.size());
  process.put(kernel.data(), kernel.size());
  DeviceReply reply;
  std::uint64_t count = 0;
  process.get(&reply, sizeof reply);
  process.get(&count, sizeof count);
  answer.resize(count);
  process.get(answer.data(), count * sizeof(std::uint64_t));
  return reply.result;
}

/// The size of an ELF file: cuModuleLoadData is not told.
std::size_t elfSize(const void* image) {
  const auto* bytes = static_cast<const unsigned char*>(image);
  if (std::memcmp(bytes,
                  "\x7f"
                  "ELF",
                  4) != 0)
    return 0;
  auto number = [&](std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes + at, size);
    return value;
  };
  std::size_t programs = number(0x20, 8) + number(0x36, 2) * number(0x38, 2);
  std::size_t size = number(0x28, 8) + number(0x3a, 2) * number(0x3c, 2);
  return std::max(size, number(0x38, 2) ? programs : 0);
}

bool isIdle() {
  return !setting("HARNESS_STANDIN_IDLE", "").empty();
}

void flipOneBit(const std::map<unsigned long long, std::string>& before) {
  for (auto& [address, contents] : driver().memory)
    for (std::size_t i = 0; i < contents.size(); ++i)
      if (contents[i] != before.at(address)[i]) {
        contents[i] = static_cast<char>(contents[i] ^ 1);
        return;
      }
}

/// A launch that is under way.
struct Pending {
  Function function;
  DeviceRequest request;
  std::string values; ///< of the arguments
};

std::vector<Pending>& pending() {
  static std::vector<Pending> launches;
  return launches;
}

int runKernel(const Pending& launch) {
  Driver& theDriver = driver();
  std::map<unsigned long long, std::string> before = theDriver.memory;
  const Function& function = launch.function;
  const std::string& values = launch.values;
  DeviceRequest request = launch.request;
  request.cubinBytes = function.module->cubin.size();
  request.nameBytes = function.name.size();
  request.argumentBytes = values.size();
  request.allocations = theDriver.memory.size();
  DeviceProcess& process = theDriver.process;
  process.put(&request, sizeof request);
  process.put(function.module->cubin.data(), function.module->cubin.size());
  process.put(function.name.data(), function.name.size());
  process.put(values.data(), values.size());
  for (auto& [address, contents] : theDriver.memory) {
    AllocationHeader header{address, contents.size()};
    process.put(&header, sizeof header);
    process.put(contents.data(), contents.size());
  }
  DeviceReply reply;
  process.get(&reply, sizeof reply);
  for (auto& [address, contents] : theDriver.memory)
    process.get(contents.data(), contents.size());
  ++theDriver.launches;
  if (int every = std::atoi(setting("HARNESS_STANDIN_FLAKY", "0").c_str());
      every > 0 && theDriver.launches % static_cast<unsigned>(every) == 0)
    flipOneBit(before);
  return reply.result;
}

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// PTX by the program that stands for the driver's compiler.
int compile(Link& link) {
  std::string program = setting("HARNESS_STANDIN_PTXAS", "");
  if (program.empty()) return kJitCompilerNotFound;
  char directory[] = "/tmp/standin-jit-XXXXXX";
  if (!mkdtemp(directory)) return kOutOfMemory;
  std::string in = std::string(directory) + "/kernel.ptx", out = std::string(directory) + "/kernel.cubin";
  std::ofstream(in, std::ios::binary) << link.ptx;
  auto level = reinterpret_cast<std::uintptr_t>(link.options[7]);
  std::string arch = "-arch=" + deviceAt(driver().current)->arch(), opt = "-O" + std::to_string(level);
  pid_t pid = fork();
  if (pid == 0) {
    execl(program.c_str(), program.c_str(), arch.c_str(), opt.c_str(), in.c_str(), "-o", out.c_str(),
          nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  link.cubin = readFile(out);
  unlink(in.c_str());
  unlink(out.c_str());
  rmdir(directory);
  if (status == 0 && !link.cubin.empty()) return kSuccess;
  if (auto* log = static_cast<char*>(link.options[5]))
    std::snprintf(log, reinterpret_cast<std::uintptr_t>(link.options[6]), "ptxas fatal : refused\n");
  return kInvalidPtx;
}

} // namespace

#define ENTER(name)                                                                                          \
  if (int failed = driver().enter(name)) return failed;

extern "C" {

int cuGetErrorName(int result, const char** name) {
  for (const auto& [value, text] : kNames)
    if (value == result) {
      *name = text;
      return kSuccess;
    }
  *name = nullptr;
  return kInvalidValue;
}

int cuGetErrorString(int result, const char** text) {
  return cuGetErrorName(result, text) == kSuccess ? (*text = "as was asked for", kSuccess) : kInvalidValue;
}

int cuInit(unsigned) {
  ENTER("cuInit")
  driver().initialised = true;
  return driver().devices.empty() ? kNoDevice : kSuccess;
}

int cuDriverGetVersion(int* version) {
  ENTER("cuDriverGetVersion")
  *version = std::atoi(setting("HARNESS_STANDIN_CUDA", "12080").c_str());
  return kSuccess;
}

int cuDeviceGetCount(int* count) {
  ENTER("cuDeviceGetCount")
  *count = static_cast<int>(driver().devices.size());
  return driver().initialised ? kSuccess : kNotInitialized;
}

int cuDeviceGet(int* device, int ordinal) {
  ENTER("cuDeviceGet")
  *device = ordinal;
  return deviceAt(ordinal) ? kSuccess : kInvalidDevice;
}

int cuDeviceGetName(char* name, int size, int device) {
  ENTER("cuDeviceGetName")
  std::snprintf(name, static_cast<std::size_t>(size), "%s", deviceAt(device)->name.c_str());
  return kSuccess;
}

int cuDeviceGetUuid(unsigned char (*uuid)[16], int device) {
  ENTER("cuDeviceGetUuid")
  std::memset(uuid, 0x10 + device, 16);
  return kSuccess;
}

int cuDeviceGetAttribute(int* value, int attribute, int device) {
  ENTER("cuDeviceGetAttribute")
  const std::map<int, int> kValues = {{13, 1'500'000},
                                      {16, 4},
                                      {32, 1},
                                      {36, 2'000'000},
                                      {75, deviceAt(device)->major},
                                      {76, deviceAt(device)->minor}};
  auto found = kValues.find(attribute);
  *value = found == kValues.end() ? 0 : found->second;
  return kSuccess;
}

int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  ENTER("cuDeviceTotalMem")
  *bytes = std::strtoull(setting("HARNESS_STANDIN_MEMORY", "1073741824").c_str(), nullptr, 10);
  return kSuccess;
}

int cuDeviceGetPCIBusId(char* id, int size, int device) {
  ENTER("cuDeviceGetPCIBusId")
  std::snprintf(id, static_cast<std::size_t>(size), "0000:%02x:00.0", device);
  return kSuccess;
}

int cuDevicePrimaryCtxSetFlags_v2(int, unsigned) {
  ENTER("cuDevicePrimaryCtxSetFlags")
  return kSuccess;
}

int cuDevicePrimaryCtxRetain(void** context, int device) {
  ENTER("cuDevicePrimaryCtxRetain")
  if (!driver().initialised) return kNotInitialized;
  driver().current = device;
  *context = &driver();
  return kSuccess;
}

int cuCtxSetCurrent(void*) {
  ENTER("cuCtxSetCurrent")
  if (driver().current < 0) return kInvalidContext;
  if (!isIdle()) driver().process.start(deviceAt(driver().current)->arch());
  return kSuccess;
}

int cuCtxSetLimit(int, std::size_t) {
  ENTER("cuCtxSetLimit")
  return kSuccess;
}

int cuModuleLoadData(void** module, const void* image) {
  ENTER("cuModuleLoadData")
  std::string cubin(static_cast<const char*>(image), elfSize(image));
  std::vector<std::uint64_t> sm;
  if (!isIdle()) {
    if (int result = ask(cubin, "", sm)) return result;
    const Device& device = *deviceAt(driver().current);
    if (static_cast<int>(sm.at(0) / 10) != device.major || static_cast<int>(sm[0] % 10) > device.minor)
      return kNoBinaryForGpu;
  }
  *module = new Module{std::move(cubin)};
  return kSuccess;
}

int cuModuleUnload(void* module) {
  ENTER("cuModuleUnload")
  delete static_cast<Module*>(module);
  return kSuccess;
}

int cuModuleGetFunction(void** function, void* module, const char* name) {
  ENTER("cuModuleGetFunction")
  static std::map<std::pair<void*, std::string>, Function> functions;
  Function& found = functions[{module, name}];
  found = {static_cast<Module*>(module), name, {}};
  if (!isIdle())
    if (int result = ask(found.module->cubin, name, found.parameters)) return result;
  *function = &found;
  return kSuccess;
}

int cuFuncSetAttribute(void*, int, int value) {
  ENTER("cuFuncSetAttribute")
  return value <= 164 * 1024 ? kSuccess : kInvalidValue;
}

int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
  ENTER("cuMemAlloc")
  std::uint64_t all = std::strtoull(setting("HARNESS_STANDIN_MEMORY", "1073741824").c_str(), nullptr, 10);
  if (bytes == 0) return kInvalidValue;
  if (driver().used + bytes > all) return kOutOfMemory;
  driver().used += bytes;
  // Other addresses than those that the executors use.
  unsigned long long at = 0x7e0000000000;
  if (!driver().memory.empty()) {
    const auto& last = *driver().memory.rbegin();
    at = (last.first + last.second.size() + 0x200000) / 512 * 512;
  }
  driver().memory[at] = std::string(bytes, '\0');
  *address = at;
  return kSuccess;
}

int cuMemFree_v2(unsigned long long address) {
  ENTER("cuMemFree")
  auto found = driver().memory.find(address);
  if (found == driver().memory.end()) return kInvalidValue;
  driver().used -= found->second.size();
  driver().memory.erase(found);
  return kSuccess;
}

int cuMemsetD8_v2(unsigned long long address, unsigned char value, std::size_t bytes) {
  ENTER("cuMemsetD8")
  char* at = find(address, bytes);
  if (at) std::memset(at, value, bytes);
  return at ? kSuccess : kInvalidValue;
}

int cuMemcpyHtoD_v2(unsigned long long to, const void* from, std::size_t bytes) {
  ENTER("cuMemcpyHtoD")
  char* at = find(to, bytes);
  if (at) std::memcpy(at, from, bytes);
  return at ? kSuccess : kInvalidValue;
}

int cuMemcpyDtoH_v2(void* to, unsigned long long from, std::size_t bytes) {
  ENTER("cuMemcpyDtoH")
  const char* at = find(from, bytes);
  if (at) std::memcpy(to, at, bytes);
  return at ? kSuccess : kInvalidValue;
}

int cuLaunchKernel(void* function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                   unsigned blockY, unsigned blockZ, unsigned sharedBytes, void*, void** arguments, void**) {
  ENTER("cuLaunchKernel")
  if (!function) return kInvalidHandle;
  if (isIdle()) return kSuccess;
  DeviceRequest request = {};
  request.grid[0] = gridX, request.grid[1] = gridY, request.grid[2] = gridZ;
  request.block[0] = blockX, request.block[1] = blockY, request.block[2] = blockZ;
  request.dynamicShared = sharedBytes;
  // As on a device: it runs when it is waited for, and that tells what became of it.
  Pending launch{*static_cast<Function*>(function), request, {}};
  for (std::size_t i = 0; i < launch.function.parameters.size(); ++i)
    launch.values.append(static_cast<const char*>(arguments[i]), launch.function.parameters[i]);
  pending().push_back(std::move(launch));
  return kSuccess;
}

int cuCtxSynchronize() {
  ENTER("cuCtxSynchronize")
  for (const Pending& launch : std::exchange(pending(), {}))
    if (driver().sticky == kSuccess) driver().sticky = runKernel(launch);
  return driver().sticky;
}

int cuLinkCreate_v2(unsigned count, int* options, void** values, void** state) {
  ENTER("cuLinkCreate")
  auto* link = new Link;
  for (unsigned i = 0; i < count; ++i)
    link->options[options[i]] = values[i];
  *state = link;
  return kSuccess;
}

int cuLinkAddData_v2(void* state, int type, void* data, std::size_t size, const char*, unsigned, int*,
                     void**) {
  ENTER("cuLinkAddData")
  const char* text = static_cast<const char*>(data);
  if (type != 1 || size == 0 || text[size - 1] != '\0') return kInvalidValue;
  static_cast<Link*>(state)->ptx.assign(text, size - 1);
  return kSuccess;
}

int cuLinkComplete(void* state, void** cubin, std::size_t* size) {
  ENTER("cuLinkComplete")
  auto* link = static_cast<Link*>(state);
  if (int result = compile(*link)) return result;
  *cubin = link->cubin.data();
  *size = link->cubin.size();
  return kSuccess;
}

int cuLinkDestroy(void* state) {
  ENTER("cuLinkDestroy")
  delete static_cast<Link*>(state);
  return kSuccess;
}

int nvmlInit_v2() {
  return kSuccess;
}

int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  std::snprintf(text, size, "%s", setting("HARNESS_STANDIN_RELEASE", "570.00").c_str());
  return kSuccess;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** device) {
  *device = &driver();
  return kSuccess;
}

int nvmlDeviceGetClockInfo(void*, int kind, unsigned* mhz) {
  *mhz = kind == 1 ? 1200 : 1600;
  return kSuccess;
}
}

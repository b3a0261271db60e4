// harness-gpu: the only program that opens a driver. It stands alone, so that it starts quickly, and that
// whatever a kernel or a driver does to its process harms nothing else.
//
//   harness-gpu devices          what there is, a line each, fields separated by tabs
//   harness-gpu run INDEX        launches kernels on one device: protocol.h

#include "harness/gpu/driver.h"
#include "harness/gpu/protocol.h"

#include <dlfcn.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace harness::gpu;

constexpr int kNoDriver = 3;

[[noreturn]] void end(int code, const char* message) {
  std::fprintf(stderr, "%s\n", message);
  std::fflush(stderr);
  _exit(code);
}

const Driver& openDriver() {
  char error[512] = {};
  if (const Driver* driver = loadDriver(error, sizeof error)) return *driver;
  end(kNoDriver, error);
}

std::string nameOf(const Driver& driver, CUresult result) {
  const char *name = nullptr, *text = nullptr;
  if (driver.getErrorName(result, &name) != kSuccess || !name) return "error " + std::to_string(result);
  std::string all = name;
  if (driver.getErrorString(result, &text) == kSuccess && text) all += std::string(", ") + text;
  return all;
}

// ---- devices

void require(const Driver& driver, CUresult result, const char* call) {
  if (result != kSuccess) end(kNoDriver, (std::string(call) + ": " + nameOf(driver, result)).c_str());
}

/// Of the kernel's own account of the driver, where nvidia-ml says nothing.
std::string releaseOfModule() {
  std::FILE* file = std::fopen("/proc/driver/nvidia/version", "r");
  if (!file) return "";
  char line[512] = {};
  bool read = std::fgets(line, sizeof line, file) != nullptr;
  std::fclose(file);
  // The first word that begins with a digit: "… Kernel Module  570.86.15  …", "… for x86_64  570.86.15 …".
  for (char* word = read ? std::strtok(line, " \t\n") : nullptr; word; word = std::strtok(nullptr, " \t\n"))
    if (*word >= '0' && *word <= '9' && std::strchr(word, '.')) return word;
  return "";
}

std::string releaseOf(const Nvml* nvml) {
  char text[96] = {};
  if (nvml && nvml->driverVersion(text, sizeof text) == 0 && text[0]) return text;
  return releaseOfModule();
}

int attribute(const Driver& driver, DeviceAttribute which, CUdevice device) {
  int value = 0;
  return driver.deviceGetAttribute(&value, which, device) == kSuccess ? value : 0;
}

unsigned currentClock(const Nvml* nvml, NvmlDevice device, int kind) {
  unsigned mhz = 0;
  return nvml && device && nvml->clock(device, kind, &mhz) == 0 ? mhz : 0;
}

void describe(const Driver& driver, const Nvml* nvml, int index) {
  CUdevice device = 0;
  require(driver, driver.deviceGet(&device, index), "cuDeviceGet");
  char name[256] = {}, pci[32] = {};
  require(driver, driver.deviceGetName(name, sizeof name - 1, device), "cuDeviceGetName");
  std::replace(name, name + std::strlen(name), '\t', ' ');
  std::size_t memory = 0;
  require(driver, driver.deviceTotalMem(&memory, device), "cuDeviceTotalMem");
  unsigned char uuid[16] = {};
  require(driver, driver.deviceGetUuid(&uuid, device), "cuDeviceGetUuid");
  std::string id;
  for (unsigned i = 0; i < 16; ++i) {
    char digits[4];
    std::snprintf(digits, sizeof digits, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
    id += digits;
  }
  NvmlDevice handle = nullptr;
  if (nvml && driver.deviceGetPciBusId(pci, sizeof pci, device) == kSuccess) nvml->deviceByPci(pci, &handle);
  std::printf("device\t%d\t%s\t%d\t%d\t%s\t%zu\t%d\t%d\t%d\t%u\t%u\t%d\t%d\n", index, name,
              attribute(driver, kComputeMajor, device), attribute(driver, kComputeMinor, device), id.c_str(),
              memory, attribute(driver, kMultiprocessors, device),
              attribute(driver, kClockRate, device) / 1000,
              attribute(driver, kMemoryClockRate, device) / 1000, currentClock(nvml, handle, kNvmlSmClock),
              currentClock(nvml, handle, kNvmlMemoryClock), attribute(driver, kEccEnabled, device),
              attribute(driver, kComputeMode, device));
}

int listDevices() {
  const Driver& driver = openDriver();
  require(driver, driver.init(0), "cuInit");
  int version = 0, count = 0;
  require(driver, driver.driverGetVersion(&version), "cuDriverGetVersion");
  require(driver, driver.deviceGetCount(&count), "cuDeviceGetCount");
  const Nvml* nvml = loadNvml();
  Dl_info info = {};
  dladdr(reinterpret_cast<void*>(driver.init), &info);
  std::printf("driver\t%s\t%d\t%s\n", releaseOf(nvml).c_str(), version, info.dli_fname ? info.dli_fname : "");
  for (int i = 0; i < count; ++i)
    describe(driver, nvml, i);
  std::fflush(stdout);
  _exit(0);
}

// ---- run

void writeAll(const void* from, std::size_t size) {
  const auto* at = static_cast<const char*>(from);
  while (size > 0) {
    ssize_t n = write(STDOUT_FILENO, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(1);
    at += n;
    size -= static_cast<std::size_t>(n);
  }
}

/// False at the end of the input, if nothing of it was read yet.
bool readAll(void* into, std::size_t size, bool mayEnd = false) {
  auto* at = static_cast<char*>(into);
  for (std::size_t got = 0; got < size;) {
    ssize_t n = read(STDIN_FILENO, at + got, size - got);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0 && got == 0 && mayEnd) return false;
    if (n <= 0) end(1, "the request ends too early");
    got += static_cast<std::size_t>(n);
  }
  return true;
}

template <typename Bytes> Bytes readBytes(std::uint64_t size) {
  Bytes bytes;
  bytes.resize(size);
  readAll(bytes.data(), size);
  return bytes;
}

/// What is launched, as it was asked for.
struct Request {
  LaunchRequest header;
  std::vector<char> cubin;
  std::string name;
  std::vector<char> memory;
  std::vector<std::vector<char>> arguments;
  std::vector<DevicePointer> pointers;

  bool read() {
    if (!readAll(&header, sizeof header, /*mayEnd=*/true)) return false;
    if (header.magic != kGpuMagic) end(1, "this is no request");
    cubin = readBytes<std::vector<char>>(header.cubinBytes);
    name = readBytes<std::string>(header.nameBytes);
    memory = readBytes<std::vector<char>>(header.memoryBytes);
    for (std::uint32_t i = 0; i < header.arguments; ++i) {
      std::uint64_t size = 0;
      readAll(&size, sizeof size);
      arguments.push_back(readBytes<std::vector<char>>(size));
    }
    pointers.resize(header.pointers);
    readAll(pointers.data(), pointers.size() * sizeof(DevicePointer));
    return true;
  }
};

/// A call of the driver that failed.
struct Failure {
  const char* call;
  CUresult result;
};

/// Launches on one device. The steps are told as they are taken.
class Runner {
public:
  explicit Runner(const Driver& driver) : driver_(driver) {}

  void open(int index) {
    take(Step::Open);
    check("cuInit", driver_.init(0));
    CUdevice device = 0;
    check("cuDeviceGet", driver_.deviceGet(&device, index));
    take(Step::Context);
    // Waiting for a kernel must not keep a core busy.
    check("cuDevicePrimaryCtxSetFlags", driver_.primaryCtxSetFlags(device, kScheduleBlocking));
    CUhandle context = nullptr;
    check("cuDevicePrimaryCtxRetain", driver_.primaryCtxRetain(&context, device));
    check("cuCtxSetCurrent", driver_.ctxSetCurrent(context));
  }

  /// `request.memory` becomes the memory after the launch.
  void launch(Request& request) {
    const LaunchRequest& header = request.header;
    CUdeviceptr memory = 0;
    CUhandle module = nullptr, function = nullptr;
    take(Step::Load);
    check("cuModuleLoadData", driver_.moduleLoadData(&module, request.cubin.data()));
    module_ = module;
    take(Step::Find);
    check("cuModuleGetFunction", driver_.moduleGetFunction(&function, module, request.name.c_str()));
    if (header.dynamicShared > 0)
      check("cuFuncSetAttribute",
            driver_.funcSetAttribute(function, kMaxDynamicShared, static_cast<int>(header.dynamicShared)));
    if (header.stackBytes > 0)
      check("cuCtxSetLimit", driver_.ctxSetLimit(kLimitStackSize, header.stackBytes));
    take(Step::Memory);
    check("cuMemAlloc", driver_.memAlloc(&memory, std::max<std::size_t>(1, request.memory.size())));
    memory_ = memory;
    take(Step::CopyIn);
    if (!request.memory.empty())
      check("cuMemcpyHtoD", driver_.memcpyHtoD(memory, request.memory.data(), request.memory.size()));
    for (const DevicePointer& pointer : request.pointers) {
      CUdeviceptr address = memory + pointer.target;
      std::memcpy(request.arguments.at(pointer.argument).data() + pointer.offset, &address, sizeof address);
    }
    std::vector<void*> arguments;
    for (std::vector<char>& argument : request.arguments)
      arguments.push_back(argument.data());
    take(Step::Launch);
    check("cuLaunchKernel", driver_.launchKernel(function, header.grid[0], header.grid[1], header.grid[2],
                                                 header.block[0], header.block[1], header.block[2],
                                                 header.dynamicShared, nullptr, arguments.data(), nullptr));
    take(Step::Run);
    check("cuCtxSynchronize", driver_.ctxSynchronize());
    take(Step::CopyOut);
    if (!request.memory.empty())
      check("cuMemcpyDtoH", driver_.memcpyDtoH(request.memory.data(), memory, request.memory.size()));
    release();
  }

  /// Gives back what a launch holds.
  void release() {
    take(Step::Free);
    if (CUdeviceptr memory = std::exchange(memory_, 0)) check("cuMemFree", driver_.memFree(memory));
    if (CUhandle module = std::exchange(module_, nullptr))
      check("cuModuleUnload", driver_.moduleUnload(module));
  }

  Step step() const { return step_; }

private:
  void take(Step step) {
    step_ = step;
    writeAll(&step, 1);
  }
  static void check(const char* call, CUresult result) {
    if (result != kSuccess) throw Failure{call, result};
  }

  const Driver& driver_;
  Step step_ = Step::Open;
  CUdeviceptr memory_ = 0;
  CUhandle module_ = nullptr;
};

void answer(const LaunchReply& reply, const std::vector<char>& memory) {
  writeAll(&kReplyFollows, 1);
  writeAll(&reply, sizeof reply);
  writeAll(memory.data(), memory.size());
}

LaunchReply replyOf(const Driver& driver, const Failure& failure, Step step, bool last) {
  LaunchReply reply;
  reply.result = failure.result;
  reply.step = static_cast<std::uint8_t>(step);
  reply.last = last;
  std::snprintf(reply.call, sizeof reply.call, "%s", failure.call);
  std::snprintf(reply.error, sizeof reply.error, "%s", nameOf(driver, failure.result).c_str());
  return reply;
}

/// The process that asks may be killed while the driver hangs here.
void endWithInput() {
  std::thread([] {
    pollfd input{STDIN_FILENO, 0, 0};
    while (poll(&input, 1, -1) < 0 || !(input.revents & (POLLHUP | POLLERR))) {
    }
    _exit(0);
  }).detach();
}

int runLaunches(int index) {
  endWithInput();
  setenv("CUDA_MODULE_LOADING", "EAGER", 1); // what is wrong with a cubin is told when it is loaded
  const Driver& driver = openDriver();
  Runner runner(driver);
  try {
    runner.open(index);
    answer({}, {});
  } catch (const Failure& failure) {
    answer(replyOf(driver, failure, runner.step(), true), {});
    _exit(0);
  }
  for (Request request; request.read(); request = {}) {
    try {
      runner.launch(request);
      answer({}, request.memory);
    } catch (const Failure& failure) {
      // Before the launch nothing has run: the context is as good as before.
      Step step = runner.step();
      bool last = step >= Step::Launch;
      if (!last) {
        try {
          runner.release();
        } catch (const Failure&) {
          last = true;
        }
      }
      answer(replyOf(driver, failure, step, last), {});
      if (last) _exit(0);
    }
  }
  _exit(0);
}

} // namespace

int main(int argc, char** argv) {
  std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "devices" && argc == 2) return listDevices();
  if (mode == "run" && argc == 3) return runLaunches(std::atoi(argv[2]));
  end(2, "usage: harness-gpu devices | run INDEX");
}

// standin-device ARCH: what the kernels of the stand-in of libcuda run on, our own SASS executor. Asked on
// stdin, answers on stdout (device_protocol.h). HARNESS_STANDIN_NVDISASM and HARNESS_STANDIN_CACHE say what
// decodes the machine code and where that is remembered.

#include "harness/base/error.h"
#include "harness/sass/disassembler.h"
#include "harness/sass/executor.h"

#include "tests/gpu/standin/device_protocol.h"
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace harness::standin {

namespace {

bool readAll(void* into, std::size_t size) {
  auto* at = static_cast<char*>(into);
  while (size > 0) {
    ssize_t n = read(STDIN_FILENO, at, size);
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

void writeAll(const void* from, std::size_t size) {
  const auto* at = static_cast<const char*>(from);
  while (size > 0) {
    ssize_t n = write(STDOUT_FILENO, at, size);
    if (n <= 0) std::_Exit(1);
    at += n;
    size -= static_cast<std::size_t>(n);
  }
}

template <typename T> void writeValue(const T& value) {
  writeAll(&value, sizeof value);
}

std::string readText(std::uint64_t size) {
  std::string text(size, '\0');
  if (!readAll(text.data(), size)) std::_Exit(1);
  return text;
}

enum Result : int {
  kInvalidImage = 200,
  kNotFound = 500,
  kIllegalAddress = 700,
  kLaunchTimeout = 702,
  kIllegalInstruction = 715,
  kMisalignedAddress = 716,
  kLaunchFailed = 719,
  kNotSupported = 801, ///< by our executor: no device says so of a kernel
};

int resultOf(const ExecutionResult& result) {
  auto has = [&](const char* word) { return result.message.find(word) != std::string::npos; };
  switch (result.end) {
  case ExecutionEnd::Completed: return 0;
  case ExecutionEnd::Timeout: return kLaunchTimeout;
  case ExecutionEnd::Unsupported: return kNotSupported;
  case ExecutionEnd::Fault: break;
  }
  return has("illegal") ? kIllegalInstruction : has("align") ? kMisalignedAddress : kIllegalAddress;
}

class StandInDevice {
public:
  explicit StandInDevice(std::string arch)
      : arch_(std::move(arch)), cache_(std::getenv("HARNESS_STANDIN_CACHE")),
        disassembler_(cache_, nvdisasm(), limits()) {}

  bool serve() {
    DeviceRequest request;
    if (!readAll(&request, sizeof request)) return false;
    std::string cubin = readText(request.cubinBytes), name = readText(request.nameBytes),
                arguments = readText(request.argumentBytes);
    if (request.allocations == kAskParameters)
      describe(cubin, name);
    else
      launch(request, cubin, name, arguments);
    return true;
  }

private:
  static Nvdisasm nvdisasm() {
    return {std::getenv("HARNESS_STANDIN_NVDISASM"), "of the stand-in", "of the stand-in"};
  }
  static ProcessLimits limits() {
    ProcessLimits limits;
    limits.memoryBytes = 0;
    return limits;
  }

  void describe(const std::string& bytes, const std::string& name) {
    std::vector<std::uint64_t> sizes;
    int result = 0;
    try {
      Cubin cubin = Cubin::parse(bytes, "the cubin");
      if (name.empty()) {
        sizes = {cubin.smVersion};
      } else if (const Kernel* kernel = cubin.find(name)) {
        sizes.resize(kernel->params.size());
        for (const KernelParam& param : kernel->params)
          sizes.at(param.ordinal) = param.size;
      } else {
        result = kNotFound;
      }
    } catch (const Error&) {
      result = kInvalidImage;
    }
    writeValue(DeviceReply{result, 0});
    writeValue(std::uint64_t{sizes.size()});
    for (std::uint64_t size : sizes)
      writeValue(size);
  }

  void launch(const DeviceRequest& request, const std::string& bytes, const std::string& name,
              const std::string& arguments) {
    GlobalMemory memory;
    for (std::uint64_t i = 0; i < request.allocations; ++i) {
      AllocationHeader header;
      if (!readAll(&header, sizeof header)) std::_Exit(1);
      Allocation& one =
          memory.allocate("allocation " + std::to_string(i), header.bytes, std::byte{0}, header.address);
      if (!readAll(one.host, header.bytes)) std::_Exit(1);
    }
    int result = kLaunchFailed;
    try {
      result = run(request, bytes, name, arguments, memory);
    } catch (const Error& error) {
      std::fprintf(stderr, "standin-device: %s\n", error.what());
    }
    writeValue(DeviceReply{result, 0});
    for (std::uint64_t i = 0; i < request.allocations; ++i) {
      std::span<std::byte> contents = memory.bytes("allocation " + std::to_string(i));
      writeAll(contents.data(), contents.size());
    }
  }

  int run(const DeviceRequest& request, const std::string& bytes, const std::string& name,
          const std::string& arguments, GlobalMemory& memory) {
    auto cubin = std::make_shared<Cubin>(Cubin::parse(bytes, "the cubin"));
    const Kernel& kernel = cubin->get(name, "the cubin");
    Launch launch;
    launch.grid = {request.grid[0], request.grid[1], request.grid[2]};
    launch.block = {request.block[0], request.block[1], request.block[2]};
    launch.dynamicShared = request.dynamicShared;
    launch.args.resize(kernel.params.size());
    std::vector<std::size_t> sizes(kernel.params.size());
    for (const KernelParam& param : kernel.params)
      sizes.at(param.ordinal) = param.size;
    const auto* at = reinterpret_cast<const std::byte*>(arguments.data());
    for (std::size_t i = 0; i < sizes.size(); at += sizes[i], ++i)
      launch.args[i].assign(at, at + sizes[i]);
    auto listings = sass::disassembleCubins(disassembler_, arch_, {cubin.get()}).front();
    sass::Program program(cubin, listings);
    ExecutionOptions options;
    options.poison = std::byte{0x3c}; // registers of a device hold neither poison
    const char* steps = std::getenv("HARNESS_STANDIN_STEPS");
    options.maxWarpInstructions = steps ? std::strtoull(steps, nullptr, 10) : std::uint64_t{1} << 24;
    return resultOf(sass::execute(program, kernel, launch, memory, options));
  }

  std::string arch_;
  ArtifactCache cache_;
  sass::Disassembler disassembler_;
};

} // namespace

} // namespace harness::standin

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    harness::standin::StandInDevice device(argv[1]);
    while (device.serve()) {
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "standin-device: %s\n", error.what());
    return 1;
  }
  return 0;
}

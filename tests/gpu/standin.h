#pragma once

#include "harness/base/files.h"
#include "harness/base/text.h"
#include "harness/cubin/cubin.h"
#include "harness/gpu/executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace harness::test {

/// A machine whose driver is the stand-in (standin/libcuda.cpp), as long as the object lives. `set` says what
/// it is and how it fails.
class StandInMachine {
public:
  StandInMachine() {
    set("HARNESS_LIBCUDA", STANDIN_LIBCUDA);
    set("HARNESS_LIBNVML", STANDIN_LIBCUDA);
    set("HARNESS_STANDIN_NVDISASM", HARNESS_SOURCE_DIR "/tests/matrix/data/nvdisasm");
    set("HARNESS_STANDIN_CACHE", directory_.path() / "standin-cache");
    set("HARNESS_STANDIN_LOG", directory_.path() / "calls");
  }
  ~StandInMachine() {
    for (const std::string& name : names_)
      unsetenv(name.c_str());
  }

  void set(const std::string& name, const std::string& value) {
    names_.push_back(name);
    setenv(name.c_str(), value.c_str(), 1);
  }

  /// How often the driver was called so.
  std::size_t calls(const std::string& name) const {
    if (!std::filesystem::exists(directory_.path() / "calls")) return 0;
    std::vector<std::string> lines = split(readFile(directory_.path() / "calls"), '\n');
    return static_cast<std::size_t>(std::count(lines.begin(), lines.end(), name));
  }

protected:
  TempDir directory_{"harness-standin"};

private:
  std::vector<std::string> names_;
};

class StandIn : public testing::Test, protected StandInMachine {
protected:
  gpu::Machine machine() const { return gpu::findMachine(options_); }

  gpu::Options options_;
};

/// The kernel `fill` of tests/matrix/data: each of 32 bytes of `out` becomes the one of `in`, plus one.
struct Fill {
  explicit Fill(const std::string& variant = "right", const std::string& arch = "sm_80")
      : bytes(readFile(std::string(HARNESS_SOURCE_DIR "/tests/matrix/data/") + variant + "-" + arch +
                       ".cubin")),
        cubin(Cubin::parse(bytes, "the cubin")), kernel(cubin.get("fill", "the cubin")) {
    launch.block = {32, 1, 1};
    Allocation& in = memory.allocate("in", 128, std::byte{0});
    for (unsigned i = 0; i < 32; ++i)
      in.host[4 * i] = std::byte(i + 1);
    addPointer(in.address);
    addPointer(memory.allocate("out", 32, std::byte{0xAA}).address);
    addArgument(32u);
  }

  template <typename T> void addArgument(T value) {
    auto& bytesOf = launch.args.emplace_back(sizeof value);
    std::memcpy(bytesOf.data(), &value, sizeof value);
  }
  void addPointer(std::uint64_t address) {
    pointers.push_back({launch.args.size(), 0});
    addArgument(address);
  }

  ExecutionResult executeOn(gpu::Pool& pool) {
    return gpu::execute(pool, {0}, bytes, kernel, launch, pointers, memory, device);
  }

  std::string out() {
    auto written = memory.bytes("out");
    return {reinterpret_cast<const char*>(written.data()), written.size()};
  }
  static std::string rightOut() {
    std::string all;
    for (char i = 2; i < 34; ++i)
      all += i;
    return all;
  }

  std::string bytes;
  Cubin cubin;
  const Kernel& kernel;
  Launch launch;
  std::vector<PointerPlace> pointers;
  GlobalMemory memory;
  gpu::Device device;
};

} // namespace harness::test

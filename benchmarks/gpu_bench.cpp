// What the host adds to a launch on a device: everything but the context, the kernel and the transfers, which
// the stand-in for libcuda leaves out here.

#include "harness/base/files.h"
#include "harness/gpu/executor.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>

namespace {

using namespace harness;

void gpuLaunch(benchmark::State& state) {
  setenv("HARNESS_LIBCUDA", STANDIN_LIBCUDA, 1);
  setenv("HARNESS_LIBNVML", STANDIN_LIBCUDA, 1);
  setenv("HARNESS_STANDIN_IDLE", "1", 1);
  gpu::Options options;
  options.batch = 1 << 30;
  gpu::Pool pool(gpu::findMachine(options), options);
  std::string bytes = readFile(HARNESS_SOURCE_DIR "/tests/matrix/data/right-sm_80.cubin");
  Cubin cubin = Cubin::parse(bytes, "the cubin");
  const Kernel& kernel = cubin.get("fill", "the cubin");
  GlobalMemory memory;
  Launch launch;
  launch.block = {32, 1, 1};
  auto size = static_cast<std::uint64_t>(state.range(0));
  std::uint64_t in = memory.allocate("in", size, std::byte{0}).address,
                out = memory.allocate("out", 32, std::byte{0xAA}).address;
  for (std::uint64_t address : {in, out}) {
    auto& argument = launch.args.emplace_back(sizeof address);
    std::memcpy(argument.data(), &address, sizeof address);
  }
  launch.args.emplace_back(4);
  gpu::Device device;
  auto once = [&] {
    return gpu::execute(pool, {0}, bytes, kernel, launch, {{0, 0}, {1, 0}}, memory, device);
  };
  once(); // makes the context
  for (auto _ : state)
    if (once().end != ExecutionEnd::Completed) state.SkipWithError("the launch failed");
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(gpuLaunch)
    ->Name("gpu/launch")
    ->Arg(4096)
    ->Arg(1 << 20)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

/// The same with a process and a context of its own for each.
void gpuContext(benchmark::State& state) {
  setenv("HARNESS_LIBCUDA", STANDIN_LIBCUDA, 1);
  setenv("HARNESS_STANDIN_IDLE", "1", 1);
  gpu::Options options;
  gpu::Machine machine = gpu::findMachine(options);
  for (auto _ : state) {
    gpu::Worker worker(options, machine.devices.front());
    gpu::DeviceLaunch launch;
    launch.cubin = "none";
    benchmark::DoNotOptimize(worker.launch(launch));
  }
}
BENCHMARK(gpuContext)->Name("gpu/process")->UseRealTime()->Unit(benchmark::kMicrosecond);

} // namespace

// compile/staged_vs_driver: what the stages save against one `nvcc -cubin` and one `nvdisasm` for each cell.
// Needs toolchain 13.0.88 and nvdisasm, where the tests look for them.

#include "harness/base/artifact_cache.h"
#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/parallel.h"
#include "harness/compile/compile.h"

#include "tests/compile/cubin_text.h"
#include "tests/compile/toolchains.h"
#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>
#include <thread>

namespace harness {
namespace {

namespace fs = std::filesystem;

constexpr const char* kArchs[] = {"sm_75", "sm_90a", "sm_100a", "sm_120a"};
constexpr const char* kOpts[] = {"O0", "O1", "O2", "O3"};

constexpr const char* kKernel = R"(
#include <cuda_fp16.h>
extern "C" __global__ void kernel(const __half* x, const float* scale, signed char* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float value = __half2float(x[i]) / scale[i / 32];
    float most = fabsf(value);
    for (int lane = 16; lane > 0; lane /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, lane));
    out[i] = static_cast<signed char>(rintf(value * 127.0f / fmaxf(most, 1e-6f)));
  }
}
)";

ProcessResult runOrFail(std::vector<std::string> argv, const fs::path& directory) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.directory = directory;
  spec.environment = {{"TMPDIR", directory.string()}};
  ProcessResult result = runProcess(spec);
  if (!result.ok()) failEnvironment("{0} {1}: {2}", spec.argv[0], result.describe(), result.err);
  return result;
}

StageResult orFail(StageResult result) {
  if (result.status != CompileStatus::Ok) failEnvironment("{0}: {1}", result.command, result.log);
  return result;
}

/// Both ways to get the machine code of every cell as text.
struct Routes {
  Toolchain toolchain = test::installedToolchains().get("13.0.88");
  Nvdisasm nvdisasm = test::installedToolchains().nvdisasm();
  TempDir directory{"compile-bench"};
  fs::path source = directory.path() / "kernel.cu";

  Routes() { writeFileAtomically(source, kKernel); }

  void staged() const {
    TempDir work("staged", directory.path());
    ArtifactCache cache(work.path() / "cache");
    Compiler compiler(cache, {});
    parallelFor(std::size(kArchs), std::thread::hardware_concurrency(), [&](std::size_t i) {
      std::string arch = kArchs[i];
      std::string code;
      StageResult ptx = orFail(compiler.toPtx({source, {}, {}}, toolchain, arch, OptPoint::parse(kOpts[0])));
      for (const char* opt : kOpts) {
        StageResult cubin = orFail(compiler.toCubin(ptx.hash, toolchain, arch, OptPoint::parse(opt)));
        for (const auto& [name, bytes] : test::textSections(cache.getArtifact(cubin.hash).value()))
          code += bytes;
      }
      fs::path blob = work.path() / (arch + ".bin");
      writeFileAtomically(blob, code);
      runOrFail({nvdisasm.program.string(), "-b", "SM" + arch.substr(3), blob.string()}, work.path());
    });
  }

  void driver() const {
    parallelFor(std::size(kArchs) * std::size(kOpts), std::thread::hardware_concurrency(),
                [&](std::size_t i) {
                  TempDir work("driver", directory.path());
                  std::string arch = kArchs[i / std::size(kOpts)], level = kOpts[i % std::size(kOpts)];
                  runOrFail({toolchain.frontEnd.program.string(), "-cubin", "-arch=" + arch, "-std=c++17",
                             "-Xptxas", "-" + level, source.string(), "-o", "kernel.cubin"},
                            work.path());
                  runOrFail({nvdisasm.program.string(), "-c", "kernel.cubin"}, work.path());
                });
  }
};

double secondsOf(const std::function<void()>& work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The time shown is the staged route's; `ratio` = driver's time / staged time.
void stagedVsDriver(benchmark::State& state) {
  try {
    Routes routes;
    double staged = 0, driver = 0;
    for (auto _ : state) {
      double seconds = secondsOf([&] { routes.staged(); });
      state.SetIterationTime(seconds);
      staged += seconds;
      driver += secondsOf([&] { routes.driver(); });
    }
    auto cells = static_cast<std::int64_t>(std::size(kArchs) * std::size(kOpts));
    state.SetItemsProcessed(cells * static_cast<std::int64_t>(state.iterations()));
    state.counters["driver_s"] = benchmark::Counter(driver, benchmark::Counter::kAvgIterations);
    state.counters["ratio"] = driver / staged;
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

BENCHMARK(stagedVsDriver)
    ->Name("compile/staged_vs_driver")
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

} // namespace
} // namespace harness

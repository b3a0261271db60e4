// sass/…: speed of the SASS executor on one core. items_per_second = thread-instructions a second; with
// checks:on shared memory is watched for races, checks:unwritten counts both runs that look for what nobody
// has written. Needs toolchain 13.0.88 and nvdisasm, where the tests look for them.

#include "harness/base/artifact_cache.h"
#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/compile/compile.h"
#include "harness/cubin/cubin.h"
#include "harness/parity/buffer.h"
#include "harness/sass/disassembler.h"
#include "harness/sass/executor.h"
#include "harness/sass/shared_races.h"
#include "harness/sass/unwritten.h"

#include "tests/compile/toolchains.h"
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>

namespace harness {
namespace {

constexpr const char* kArch = "sm_90";

constexpr const char* kKernels = R"(
#include <cuda_fp16.h>

extern "C" __global__ void integer_loop(unsigned* out, unsigned steps) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a = i * 2654435761u, b = i ^ 0x9e3779b9u;
  for (unsigned step = 0; step < steps; ++step) {
    a = a * 1664525u + b;
    b ^= a >> 13;
    b += (a << 7) | step;
  }
  out[i] = a + b;
}

extern "C" __global__ void saxpy(float* y, const float* x, float a, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void reduction(unsigned* out, const unsigned* in) {
  __shared__ unsigned sums[256];
  unsigned lane = threadIdx.x, i = blockIdx.x * 512 + lane;
  sums[lane] = in[i] + in[i + 256];
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (lane < half) sums[lane] += sums[lane + half];
    __syncthreads();
  }
  if (lane == 0) out[blockIdx.x] = sums[0];
}

extern "C" __global__ void byte_store(unsigned char* out, const float* in, unsigned records) {
  unsigned record = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (record >= records) return;
  float value = in[record * 32 + lane], most = fabsf(value);
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  unsigned short bits = __half_as_ushort(__float2half_rn(most * (1.0f / 127)));
  unsigned char* bytes = out + record * 34;
  if (lane == 0) {
    bytes[0] = (unsigned char)(bits & 0xff);
    bytes[1] = (unsigned char)(bits >> 8);
  }
  bytes[2 + lane] = (unsigned char)(int)(value * 100.0f);
}
)";

/// The four kernels, compiled and decoded once.
struct Kernels {
  TempDir directory{"sass-bench"};
  std::shared_ptr<Cubin> cubin;
  std::unique_ptr<sass::Program> program;

  Kernels() {
    ToolchainDir toolchains = test::installedToolchains();
    Toolchain toolchain = toolchains.get("13.0.88");
    ArtifactCache cache(directory.path() / "cache");
    Compiler compiler(cache, {});
    std::filesystem::path source = directory.path() / "kernels.cu";
    writeFileAtomically(source, kKernels);
    OptPoint opt = OptPoint::parse("O3");
    StageResult ptx = compiler.toPtx({source, {}, {}}, toolchain, kArch, opt);
    if (ptx.status != CompileStatus::Ok) failEnvironment("{0}", ptx.log);
    StageResult built = compiler.toCubin(ptx.hash, toolchain, kArch, opt);
    if (built.status != CompileStatus::Ok) failEnvironment("{0}", built.log);
    cubin = std::make_shared<Cubin>(Cubin::parse(cache.getArtifact(built.hash).value(), "sass_bench"));
    std::vector<std::string_view> codes;
    for (const CodeSection& section : cubin->sections)
      codes.push_back(cubin->sectionCode(section));
    sass::Disassembler disassembler(cache, toolchains.nvdisasm(), {});
    program = std::make_unique<sass::Program>(cubin, disassembler.disassemble(kArch, codes));
  }
};

struct Run {
  const char* kernel;
  std::uint32_t blocks, threads;
  std::vector<std::uint64_t> buffers; ///< bytes, filled with random words; they are the first arguments
  std::vector<std::uint32_t> scalars; ///< the arguments after them
};

/// A run's arguments and the memory that they point to.
struct Arena {
  GlobalMemory memory;
  Launch launch;

  explicit Arena(const Run& run) : launch{{run.blocks, 1, 1}, {run.threads, 1, 1}, 0, {}} {
    for (std::size_t i = 0; i < run.buffers.size(); ++i) {
      std::string contents = makeContents(ElementType::F32, run.buffers[i] / 4, InitRandom{i, 0.0, 1.0});
      Allocation& buffer = memory.allocate("buffer " + std::to_string(i), contents.size(), std::byte{0});
      std::memcpy(buffer.host, contents.data(), contents.size());
      addArgument(buffer.address, 8);
    }
    for (std::uint32_t scalar : run.scalars)
      addArgument(scalar, 4);
  }

  std::unique_ptr<GlobalMemory> copy() const {
    auto other = std::make_unique<GlobalMemory>();
    for (const Allocation& from : memory.allocations())
      std::memcpy(other->allocate(from.name, from.size, std::byte{0}).host, from.host, from.size);
    return other;
  }

private:
  void addArgument(std::uint64_t value, std::size_t size) {
    std::vector<std::byte> bytes(size);
    std::memcpy(bytes.data(), &value, size);
    launch.args.push_back(std::move(bytes));
  }
};

enum class Checks { Off, Races, Unwritten };

void execute(benchmark::State& state, const Run& run, Schedule schedule, Checks checks) {
  static const Kernels kernels;
  const Kernel& kernel = *kernels.cubin->find(run.kernel);
  Arena arena(run);
  ExecutionOptions options;
  options.schedule = schedule;
  std::uint64_t instructions = 0;
  auto execute = [&](sass::Observer* observer) {
    ExecutionResult result =
        sass::execute(*kernels.program, kernel, arena.launch, arena.memory, options, observer);
    if (result.end != ExecutionEnd::Completed) state.SkipWithError(result.message.c_str());
    return result.threadInstructions;
  };
  if (checks == Checks::Unwritten) {
    auto fresh = [&arena](std::byte) { return arena.copy(); };
    std::uint64_t once = execute(nullptr);
    for (auto _ : state) {
      auto found = sass::findUnwritten(*kernels.program, kernel, arena.launch, fresh, options);
      if (found) state.SkipWithError(found->c_str());
      instructions += 2 * once;
    }
  } else {
    for (auto _ : state) {
      sass::SharedRaces races;
      instructions += execute(checks == Checks::Races ? &races : nullptr);
      if (!races.reports().empty()) state.SkipWithError(races.reports()[0].c_str());
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
}

const Run kRuns[] = {
    {"integer_loop", 16, 256, {16 * 256 * 4}, {1000}},
    {"saxpy", 64, 256, {1 << 20, 1 << 20}, {0x40490fdb, 1 << 18}},
    {"reduction", 256, 256, {256 * 4, 256 * 512 * 4}, {}},
    {"byte_store", 512, 256, {4096 * 34 + 4, 4096 * 128}, {4096}},
};

void add(const Run& run, const std::string& suffix, Schedule schedule, Checks checks) {
  benchmark::RegisterBenchmark(
      ("sass/" + std::string(run.kernel) + suffix).c_str(),
      [&run, schedule, checks](benchmark::State& state) { execute(state, run, schedule, checks); })
      ->Unit(benchmark::kMillisecond);
}

const bool kRegistered = [] {
  constexpr Schedule kDefault = Schedule::FallThroughFirst, kOther = Schedule::TakenFirst;
  for (const Run& run : kRuns) {
    add(run, "", kDefault, Checks::Off);
    add(run, "/schedule:" + std::string(toString(kOther)), kOther, Checks::Off);
    add(run, "/checks:on", kDefault, Checks::Races);
    add(run, "/checks:unwritten", kDefault, Checks::Unwritten);
  }
  return true;
}();

} // namespace
} // namespace harness

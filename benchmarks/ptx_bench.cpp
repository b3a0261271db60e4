// ptx/…: speed of the PTX executor on one core, the kernels of sass/…. items_per_second = thread-instructions
// a second. Needs toolchain 13.0.88, where the tests look for it.

#include "harness/ptx/executor.h"

#include "benchmarks/execution_runs.h"
#include <benchmark/benchmark.h>

namespace harness::bench {
namespace {

const ptx::Program& program() {
  static const CompiledKernels compiled;
  static const ptx::Program bound(ptx::parseModule(compiled.ptx, "kernels.ptx"), "kernels.ptx");
  return bound;
}

void execute(benchmark::State& state, const Run& run, Schedule schedule) {
  Arena arena(run);
  ExecutionOptions options;
  options.schedule = schedule;
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    ExecutionResult result = ptx::execute(program(), run.kernel, arena.launch, arena.memory, options);
    if (result.end != ExecutionEnd::Completed) state.SkipWithError(result.message.c_str());
    instructions += result.threadInstructions;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
}

/// Parsing and binding the four kernels; bytes_per_second of PTX text.
void parse(benchmark::State& state) {
  static const CompiledKernels compiled;
  for (auto _ : state)
    benchmark::DoNotOptimize(ptx::Program(ptx::parseModule(compiled.ptx, "kernels.ptx"), "kernels.ptx"));
  state.SetBytesProcessed(static_cast<std::int64_t>(compiled.ptx.size()) * state.iterations());
}
BENCHMARK(parse)->Name("ptx/parse");

const bool kRegistered = [] {
  for (const Run& run : runs())
    for (Schedule schedule : {Schedule::FallThroughFirst, Schedule::LowestPcFirst}) {
      std::string name = "ptx/" + std::string(run.kernel);
      if (schedule != Schedule::FallThroughFirst) name += "/schedule:" + std::string(toString(schedule));
      benchmark::RegisterBenchmark(name.c_str(), [&run, schedule](benchmark::State& state) {
        execute(state, run, schedule);
      })->Unit(benchmark::kMillisecond);
    }
  return true;
}();

} // namespace
} // namespace harness::bench

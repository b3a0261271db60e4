// sass/…: speed of the SASS executor on one core. items_per_second = thread-instructions a second; with
// checks:on shared memory is watched for races, checks:unwritten counts both runs that look for what nobody
// has written. Needs toolchain 13.0.88 and nvdisasm, where the tests look for them.

#include "harness/cubin/cubin.h"
#include "harness/sass/disassembler.h"
#include "harness/sass/executor.h"
#include "harness/sass/shared_races.h"
#include "harness/sass/unwritten.h"

#include "benchmarks/execution_runs.h"
#include <benchmark/benchmark.h>

#include <memory>

namespace harness::bench {
namespace {

/// The kernels, decoded once.
struct Kernels {
  CompiledKernels compiled;
  std::shared_ptr<Cubin> cubin;
  std::unique_ptr<sass::Program> program;

  Kernels() : cubin(std::make_shared<Cubin>(Cubin::parse(compiled.cubin, "sass_bench"))) {
    std::vector<std::string_view> codes;
    for (const CodeSection& section : cubin->sections)
      codes.push_back(cubin->sectionCode(section));
    sass::Disassembler disassembler(compiled.cache, compiled.toolchains.nvdisasm(), {});
    program = std::make_unique<sass::Program>(cubin, disassembler.disassemble(kArch, codes));
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

void add(const Run& run, const std::string& suffix, Schedule schedule, Checks checks) {
  benchmark::RegisterBenchmark(
      ("sass/" + std::string(run.kernel) + suffix).c_str(),
      [&run, schedule, checks](benchmark::State& state) { execute(state, run, schedule, checks); })
      ->Unit(benchmark::kMillisecond);
}

const bool kRegistered = [] {
  constexpr Schedule kDefault = Schedule::FallThroughFirst, kOther = Schedule::TakenFirst;
  for (const Run& run : runs()) {
    add(run, "", kDefault, Checks::Off);
    add(run, "/schedule:" + std::string(toString(kOther)), kOther, Checks::Off);
    add(run, "/checks:on", kDefault, Checks::Races);
    add(run, "/checks:unwritten", kDefault, Checks::Unwritten);
  }
  return true;
}();

} // namespace
} // namespace harness::bench

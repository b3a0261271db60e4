#include "tests/sass/fuzz.h"

#include "harness/base/error.h"
#include "harness/sass/shared_races.h"
#include "harness/sass/unwritten.h"

#include <gtest/gtest.h>

#include <cstring>

namespace harness::sass::test {

namespace {

Launch anyLaunch(const Kernel& kernel, const GlobalMemory& memory, Random& random) {
  static constexpr std::array<std::uint32_t, 3> kBlocks[] = {{1, 1, 1},  {32, 1, 1}, {31, 1, 1}, {33, 1, 1},
                                                             {64, 1, 1}, {8, 4, 2},  {5, 5, 5},  {96, 1, 1}};
  static constexpr std::array<std::uint32_t, 3> kGrids[] = {{1, 1, 1}, {2, 1, 1}, {1, 3, 1}, {2, 2, 2}};
  static constexpr std::uint32_t kShared[] = {0, 0, 16, 4096, 100, 0xc000};
  Launch launch;
  launch.block = anyOf(random, kBlocks);
  if (oneIn(random, 200)) launch.block = {1024, 1, 1};
  launch.grid = anyOf(random, kGrids);
  launch.dynamicShared = anyOf(random, kShared);
  for (std::size_t i = 0; i < kernel.params.size(); ++i) {
    std::uint32_t size = 0;
    for (const KernelParam& param : kernel.params)
      if (param.ordinal == i) size = param.size;
    std::vector<std::byte>& argument = launch.args.emplace_back(size);
    if (size == 8) {
      std::uint64_t pointer =
          anyOf(random, memory.allocations()).address + (oneIn(random, 8) ? random() % 300 : 0);
      std::memcpy(argument.data(), &pointer, 8);
    } else {
      for (std::byte& byte : argument)
        byte = static_cast<std::byte>(random());
    }
  }
  return launch;
}

} // namespace

Fuzz::~Fuzz() {
  triedAll();
}

std::uint64_t anyNumber(Random& random) {
  static constexpr std::uint64_t kEdges[] = {0,
                                             1,
                                             2,
                                             3,
                                             4,
                                             7,
                                             8,
                                             15,
                                             16,
                                             31,
                                             32,
                                             33,
                                             63,
                                             64,
                                             127,
                                             128,
                                             251,
                                             252,
                                             253,
                                             254,
                                             255,
                                             256,
                                             0x3ff,
                                             0x400,
                                             0x1000,
                                             0xffff,
                                             0x10000,
                                             0x7fffffff,
                                             0x80000000,
                                             0xffffffff,
                                             0x100000000,
                                             0x7fffffffffffffff,
                                             0x8000000000000000,
                                             ~std::uint64_t{0}};
  return oneIn(random, 4) ? random() >> random() % 64 : anyOf(random, kEdges);
}

std::uint64_t executeAnyhow(const Program& program, Random& random) {
  std::uint64_t executed = 0;
  auto memory = [](std::byte poison) {
    auto fresh = std::make_unique<GlobalMemory>();
    for (std::uint64_t size : {4096, 256, 4})
      fresh->allocate("buffer of " + std::to_string(size), size, poison);
    return fresh;
  };
  for (const Kernel& kernel : program.cubin().kernels) {
    Launch launch = anyLaunch(kernel, *memory(std::byte{1}), random);
    ExecutionOptions options;
    options.maxWarpInstructions = 10'000;
    options.scheduleSeed = random();
    options.approximationSeed = random() % 2;
    bool watched = oneIn(random, 4), unwritten = oneIn(random, 16);
    try {
      for (Schedule schedule : kSchedules) {
        options.schedule = schedule;
        auto fresh = memory(std::byte{1});
        SharedRaces races;
        ExecutionResult result =
            execute(program, kernel, launch, *fresh, options, watched ? &races : nullptr);
        executed += result.warpInstructions;
        EXPECT_LE(result.warpInstructions, options.maxWarpInstructions + 1) << tried();
        EXPECT_EQ(result.end == ExecutionEnd::Completed, result.message.empty()) << result.message << tried();
      }
      if (unwritten) findUnwritten(program, kernel, launch, memory, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage) << error.what() << tried();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what() << "\n" << tried();
    }
  }
  return executed;
}

} // namespace harness::sass::test

#include "harness/ptx/machine.h"

#include "harness/base/error.h"
#include "harness/base/subprocess.h"
#include "harness/ptx/executor.h"
#include "harness/ptx/numbers.h"
#include "harness/ptx/quote.h"
#include "harness/simt/launch_limits.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <cstring>

namespace harness::ptx {

namespace {

constexpr std::uint64_t kPause = 1 << 16; ///< warp instructions between looks at the limit
constexpr std::uint64_t kTakenLimit = std::uint64_t{1} << 30;

} // namespace

Machine::Machine(const Code& theCode, const FunctionCode& theKernel, const Launch& theLaunch,
                 GlobalMemory& theMemory, const ExecutionOptions& theOptions, Observer* theObserver)
    : code(theCode), kernel(theKernel), launch(theLaunch), memory(theMemory), options(theOptions),
      observer(theObserver), constants(theCode.constants) {
  checkLaunch();
  parameters.assign(kernel.parameterBytes, std::byte{0});
  for (std::size_t i = 0; i < launch.args.size(); ++i)
    std::copy(launch.args[i].begin(), launch.args[i].end(),
              parameters.begin() + static_cast<std::ptrdiff_t>(kernel.kernelParameters[i].offset));
  dynamicShared = code.dynamicSharedAt;
  sharedSize = launch.dynamicShared ? dynamicShared + launch.dynamicShared : code.sharedBytes;
  placeVariables();
}

void Machine::checkLaunch() const {
  std::string name = quote(kernel.function->name);
  if (launch.args.size() != kernel.kernelParameters.size())
    failUsage("kernel {0} takes {1} arguments, the launch has {2}", name, kernel.kernelParameters.size(),
              launch.args.size());
  for (std::size_t i = 0; i < launch.args.size(); ++i)
    if (launch.args[i].size() != kernel.kernelParameters[i].size)
      failUsage("argument {0} of kernel {1} has {2} bytes, the launch gives it {3}", i, name,
                kernel.kernelParameters[i].size, launch.args[i].size());
  if (launch.blocks() == 0 || launch.threadsPerBlock() == 0)
    failUsage("the launch of {0} has no threads", name);
  if (*std::max_element(launch.block.begin(), launch.block.end()) > 1024 || launch.threadsPerBlock() > 1024)
    failUsage("a block of {0} x {1} x {2} threads; there are 1,024 at most", launch.block[0], launch.block[1],
              launch.block[2]);
  if (launch.dynamicShared > (1u << 20))
    failUsage("{0} bytes of dynamic shared memory; there is 1 MiB at most", launch.dynamicShared);
}

/// The module's variables as they are at the start of a launch.
void Machine::placeVariables() {
  for (const Placed& placed : code.variables)
    variableAddresses_.push_back(
        memory.allocate("variable " + quote(placed.variable->name), placed.size, std::byte{0}).address);
  for (std::size_t i = 0; i < code.variables.size(); ++i) {
    const Placed& placed = code.variables[i];
    std::byte* host = memory.find(variableAddresses_[i], placed.size)->host;
    std::uint64_t element = std::min(8u, std::max(1u, bitsOf(placed.variable->type) / 8));
    for (const Initialiser& one : placed.variable->initialisers) {
      std::uint64_t value = 0, at = one.index * element;
      if (const Number* number = std::get_if<Number>(&one.value)) {
        auto bits = bitsAs(*number, placed.variable->type);
        if (!bits)
          failUsage("{0}:{1}: {2} is initialised with a number that its type cannot take", code.name,
                    placed.variable->line, quote(placed.variable->name));
        value = *bits;
      } else {
        const auto& symbol = std::get<SymbolOffset>(one.value);
        if (auto variable = code.variableNames.find(symbol.name); variable != code.variableNames.end())
          value = variableAddresses_[variable->second];
        else if (auto function = code.functionNames.find(symbol.name); function != code.functionNames.end())
          value = kCodeWindow + 16 * std::uint64_t{function->second};
        else
          failUsage("{0}:{1}: the initialiser of {2} names {3}, which is no variable or function", code.name,
                    placed.variable->line, quote(placed.variable->name), quote(symbol.name));
        value += static_cast<std::uint64_t>(symbol.offset);
      }
      if (one.mask) value = (value & one.mask) >> std::countr_zero(one.mask);
      if (one.index >= placed.size || at + element > placed.size)
        failUsage("{0}:{1}: {2} has more initialisers than elements", code.name, placed.variable->line,
                  quote(placed.variable->name));
      std::memcpy(host + at, &value, element);
    }
  }
  for (const AddressConstant& address : code.addresses)
    std::fill_n(constants[address.constant].v, kLanes,
                variableAddresses_[address.variable] + static_cast<std::uint64_t>(address.offset));
}

void Machine::poison(std::span<std::byte> bytes) {
  if (options.poisonSeed == 0) {
    std::fill(bytes.begin(), bytes.end(), options.poison);
    return;
  }
  if (poisonState_ == 0) poisonState_ = options.poisonSeed * 0x9e3779b97f4a7c15 | 1;
  for (std::byte& one : bytes) {
    poisonState_ ^= poisonState_ << 13;
    poisonState_ ^= poisonState_ >> 7;
    poisonState_ ^= poisonState_ << 17;
    one = static_cast<std::byte>(poisonState_ >> 24);
  }
}

void Machine::pause() {
  throwIfInterrupted();
  std::uint64_t done = result.warpInstructions + otherWork_;
  if (done >= options.maxWarpInstructions)
    throw ExecutionStop{ExecutionEnd::Timeout,
                        llvm::formatv("more than {0} warp instructions", options.maxWarpInstructions).str()};
  nextPause_ = result.warpInstructions + std::min(kPause, options.maxWarpInstructions - done);
}

void Machine::take(std::uint64_t bytes) {
  if (taken_ + bytes > kTakenLimit)
    unsupported("the registers and local memory of the block's threads need more than 1 GiB");
  taken_ += bytes;
  work(bytes);
}

std::string Machine::where(int lane) const {
  std::string text = " at " + code.describe(at);
  if (!warp) return text;
  if (lane >= 0) text += ", lane " + std::to_string(lane);
  const auto& block = warp->block.index;
  text += llvm::formatv(", warp {0}, block ({1},{2},{3})", warp->index, block[0], block[1], block[2]).str();
  return text;
}

ExecutionResult Machine::run() {
  std::optional<Block> block; // outlives what it throws: messages name its warps
  try {
    block.emplace(*this);
    for (std::uint32_t z = 0; z < launch.grid[2]; ++z)
      for (std::uint32_t y = 0; y < launch.grid[1]; ++y)
        for (std::uint32_t x = 0; x < launch.grid[0]; ++x)
          block->run({x, y, z});
  } catch (const ExecutionStop& stop) {
    result.end = stop.end;
    result.message = stop.message + (warp ? where(stop.lane) : "");
  }
  return std::move(result);
}

ExecutionResult execute(const Program& program, std::string_view kernel, const Launch& launch,
                        GlobalMemory& memory, const ExecutionOptions& options, Observer* observer) {
  requireLaunchable(launch);
  const Code& code = program.code();
  return Machine(code, code.kernel(kernel), launch, memory, options, observer).run();
}

} // namespace harness::ptx

#include "harness/sass/machine.h"

#include "harness/base/parallel.h"
#include "harness/sass/mma_operation.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <atomic>

namespace harness::sass {

std::uint64_t localBytes(const Kernel& kernel) {
  constexpr std::uint64_t kUnknown = 0xffffffff, kDefault = 64 * 1024, kLeast = 0x400, kUnit = 0x100;
  if (kernel.minStackSize == kUnknown) return kDefault;
  return std::max(kLeast,
                  (std::uint64_t{kernel.minStackSize} + kernel.frameSize + kUnit - 1) / kUnit * kUnit);
}

Machine::Machine(const Code& code, const Cubin& theCubin, const Kernel& theKernel, const Launch& theLaunch,
                 GlobalMemory& theMemory, const ExecutionOptions& theOptions, Observer* theObserver)
    : cubin(theCubin), kernel(theKernel), launch(theLaunch), memory(theMemory), options(theOptions),
      observer(theObserver), code_(code) {
  sharedStart = cubin.smVersion >= 90 ? 0x400 : 0;
  sharedSize = std::max(sharedStart, kernel.staticShared) + launch.dynamicShared;
  localSize = static_cast<std::uint32_t>(localBytes(kernel));
  fillConstants();
  spreadConstants();
}

void Machine::lost(std::uint64_t pc) const {
  auto external = cubin.externals.find(pc);
  if (external != cubin.externals.end()) unsupported("a call of " + external->second);
  fault(llvm::formatv("jump to {0:x}, which is no instruction", pc).str());
}

bool Machine::sameCollective(std::uint64_t a, std::uint64_t b) const {
  constexpr std::uint64_t kLongest = 64; // instructions
  for (std::uint64_t i = 0; i < kLongest; ++i, a += 16, b += 16) {
    const std::string &first = code_.texts[at(a)->line], &second = code_.texts[at(b)->line];
    if (first != second) return false;
    if (first.ends_with("ENDCOLLECTIVE")) return true;
  }
  return false;
}

std::string Machine::describe(std::uint32_t line) const {
  return llvm::formatv("at {0:x} '{1}'", std::uint64_t{line} * 16, code_.texts[line]).str();
}

std::string Machine::refusal(const Op& op) const {
  const std::string& text = code_.texts[op.line];
  if (op.option[0]) return "illegal instruction";
  std::string why = mmaRefusal(text, cubin.smVersion);
  return "no support for '" + text + "'" + (why.empty() ? "" : ": " + why);
}

const Allocation& Machine::allocation(std::uint64_t address, unsigned size, int lane) {
  if (address % size) fault(llvm::formatv("misaligned {0}-byte access to {1:x}", size, address).str(), lane);
  const Allocation* found = memory.find(address, size);
  if (!found)
    fault(llvm::formatv("{0}-byte access to {1:x}: {2}", size, address, memory.describe(address, size)).str(),
          lane);
  return *found;
}

Machine::Outcome Machine::runBlock(Block& block, std::uint64_t linearIndex) const {
  Outcome outcome;
  std::uint64_t x = launch.grid[0], y = launch.grid[1];
  try {
    block.run({static_cast<std::uint32_t>(linearIndex % x), static_cast<std::uint32_t>(linearIndex / x % y),
               static_cast<std::uint32_t>(linearIndex / x / y)});
  } catch (const ExecutionStop& stop) {
    block.count();
    outcome.end = stop.end;
    outcome.message = stop.message + describe(block.position);
    if (stop.lane >= 0) outcome.message += llvm::formatv(", lane {0}", stop.lane).str();
  }
  outcome.warpInstructions = block.warpInstructions;
  outcome.threadInstructions = block.threadInstructions;
  outcome.divergences = block.divergences;
  outcome.approximations = block.approximations;
  return outcome;
}

void Machine::runBlocks(std::vector<std::unique_ptr<Block>>& blocks, std::uint64_t first,
                        std::span<Outcome> outcomes) const {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stopped = false;
  std::atomic<std::uint64_t> executed = 0;
  auto work = [&](std::size_t worker) {
    // Blocks start in order: all before one that failed have started and are finished.
    while (!stopped && executed <= options.maxWarpInstructions) {
      std::size_t i = next++;
      if (i >= outcomes.size()) return;
      outcomes[i] = runBlock(*blocks[worker], first + i);
      executed += outcomes[i].warpInstructions;
      if (outcomes[i].end != ExecutionEnd::Completed) stopped = true;
    }
  };
  if (blocks.size() == 1)
    work(0);
  else
    parallelFor(blocks.size(), static_cast<unsigned>(blocks.size()), work);
}

ExecutionResult Machine::run() {
  constexpr std::uint64_t kAtOnce = 1024; // results kept
  ExecutionResult result;
  std::uint64_t count = launch.blocks();
  bool sideBySide = code_.blocksAreIndependent && !observer;
  std::uint64_t workers = sideBySide ? std::clamp<std::uint64_t>(options.threads, 1, count) : 1;
  std::vector<std::unique_ptr<Block>> blocks;
  for (std::uint64_t i = 0; i < workers; ++i)
    blocks.push_back(std::make_unique<Block>(*this));
  for (std::uint64_t first = 0; first < count; first += kAtOnce) {
    std::vector<Outcome> outcomes(std::min(kAtOnce, count - first));
    runBlocks(blocks, first, outcomes);
    for (const Outcome& outcome : outcomes) {
      result.warpInstructions += outcome.warpInstructions;
      result.threadInstructions += outcome.threadInstructions;
      result.divergences += outcome.divergences;
      result.approximations += outcome.approximations;
      result.end = outcome.end;
      result.message = outcome.message;
      if (result.end == ExecutionEnd::Completed && result.warpInstructions > options.maxWarpInstructions) {
        result.end = ExecutionEnd::Timeout;
        result.message = "the blocks together reached the limit on executed instructions";
      }
      if (result.end != ExecutionEnd::Completed) return result;
    }
  }
  return result;
}

std::string Machine::describe(const Block::Position& position) const {
  if (!position.op) return {};
  const auto& block = position.warp->block.index;
  return llvm::formatv("; {0}, block ({1},{2},{3}), warp {4}", describe(position.op->line), block[0],
                       block[1], block[2], position.warp->index)
      .str();
}

} // namespace harness::sass

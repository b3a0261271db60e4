#include "harness/sass/machine.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>

namespace harness::sass {

Machine::Machine(const Code& code, const Cubin& theCubin, const Kernel& theKernel, const Launch& theLaunch,
                 GlobalMemory& theMemory, const ExecutionOptions& theOptions)
    : cubin(theCubin), kernel(theKernel), launch(theLaunch), memory(theMemory), options(theOptions),
      code_(code) {
  sharedStart = cubin.smVersion >= 90 ? 0x400 : 0;
  sharedSize = std::max(sharedStart, kernel.staticShared) + launch.dynamicShared;
  localSize = std::max<std::uint32_t>(0x400, (kernel.minStackSize + kernel.frameSize + 0xff) / 0x100 * 0x100);
  fillConstants();
}

void Machine::lost(std::uint64_t pc) const {
  auto external = cubin.externals.find(pc);
  if (external != cubin.externals.end()) unsupported("a call of " + external->second);
  fault(llvm::formatv("jump to {0:x}, which is no instruction", pc).str());
}

std::string Machine::refusal(const Op& op) const {
  const std::string& text = code_.texts[op.line];
  return op.option[0] ? "illegal instruction" : "no support for '" + text + "'";
}

const Allocation& Machine::allocation(std::uint64_t address, unsigned size, int lane) {
  if (address % size) fault(llvm::formatv("misaligned {0}-byte access to {1:x}", size, address).str(), lane);
  const Allocation* found = memory.find(address, size);
  if (!found)
    fault(llvm::formatv("{0}-byte access to {1:x}: {2}", size, address, memory.describe(address, size)).str(),
          lane);
  return *found;
}

ExecutionResult Machine::run() {
  ExecutionResult result;
  Block block(*this);
  try {
    for (std::uint32_t z = 0; z < launch.grid[2]; ++z)
      for (std::uint32_t y = 0; y < launch.grid[1]; ++y)
        for (std::uint32_t x = 0; x < launch.grid[0]; ++x)
          block.run({x, y, z});
  } catch (const ExecutionStop& stop) {
    block.count();
    result.end = stop.end;
    result.message = stop.message + describe(block.position);
    if (stop.lane >= 0) result.message += llvm::formatv(", lane {0}", stop.lane).str();
  }
  result.warpInstructions = block.warpInstructions;
  result.threadInstructions = block.threadInstructions;
  return result;
}

std::string Machine::describe(const Block::Position& position) const {
  if (!position.op) return {};
  const auto& block = position.warp->block.index;
  return llvm::formatv("; at {0:x} '{1}', block ({2},{3},{4}), warp {5}",
                       std::uint64_t{position.op->line} * 16, code_.texts[position.op->line], block[0],
                       block[1], block[2], position.warp->index)
      .str();
}

} // namespace harness::sass

#include "harness/sass/machine.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>

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
  result.divergences = block.divergences;
  result.approximations = block.approximations;
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

#include "harness/matrix/shape_memory.h"

#include <cstring>

namespace harness {

std::unique_ptr<GlobalMemory> memoryOf(const CaseShape& shape, const std::vector<std::string>& initial) {
  auto memory = std::make_unique<GlobalMemory>();
  for (std::size_t i = 0; i < shape.buffers.size(); ++i) {
    Allocation& allocation = memory->allocate(shape.buffers[i].name, initial[i].size(), std::byte{0});
    std::memcpy(allocation.host, initial[i].data(), initial[i].size());
  }
  return memory;
}

BoundLaunch launchOf(const CaseShape& shape, const std::vector<std::string>& initial) {
  BoundLaunch launch{{shape.grid, shape.block, shape.shared, {}}, {}};
  auto memory = memoryOf(shape, initial);
  for (const ArgSpec& arg : shape.args) {
    std::string bytes = arg.scalar;
    for (const Allocation& allocation : memory->allocations())
      if (!arg.buffer.empty() && allocation.name == arg.buffer) bytes = littleEndian(allocation.address, 8);
    if (!arg.buffer.empty()) launch.pointers.push_back(launch.args.size());
    const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
    launch.args.emplace_back(data, data + bytes.size());
  }
  return launch;
}

} // namespace harness

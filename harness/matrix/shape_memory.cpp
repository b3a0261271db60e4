#include "harness/matrix/shape_memory.h"

#include <algorithm>
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
  auto addressOf = [&](const std::string& buffer) {
    const std::vector<Allocation>& all = memory->allocations();
    return std::find_if(all.begin(), all.end(), [&](const Allocation& one) { return one.name == buffer; })
        ->address;
  };
  for (const ArgSpec& arg : shape.args) {
    std::vector<std::byte> bytes(arg.size());
    std::memcpy(bytes.data(), arg.value.data(), arg.value.size());
    auto point = [&](std::size_t offset, const std::string& buffer) {
      std::uint64_t address = addressOf(buffer);
      std::memcpy(bytes.data() + offset, &address, sizeof address);
      launch.pointers.push_back({launch.args.size(), offset});
    };
    if (!arg.buffer.empty()) point(0, arg.buffer);
    for (const ArgSpec::Pointer& pointer : arg.pointers)
      point(pointer.offset, pointer.buffer);
    launch.args.push_back(std::move(bytes));
  }
  return launch;
}

} // namespace harness

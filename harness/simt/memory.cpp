#include "harness/simt/memory.h"

#include "harness/base/error.h"

#include <algorithm>

namespace harness {

Allocation& GlobalMemory::allocate(std::string name, std::uint64_t size, std::byte fill,
                                   std::optional<std::uint64_t> address) {
  if (size > std::uint64_t{1} << 36) failUsage("buffer '{0}' is too large: {1} bytes", name, size);
  std::uint64_t at = address.value_or(next_);
  auto place = std::upper_bound(allocations_.begin(), allocations_.end(), at,
                                [](std::uint64_t a, const Allocation& b) { return a < b.address; });
  const Allocation* clash = nullptr;
  if (place != allocations_.end() && place->address - at < size) clash = &*place;
  if (place != allocations_.begin()) {
    const Allocation& before = *std::prev(place);
    if (at == before.address || at - before.address < before.size) clash = &before;
  }
  if (clash) failUsage("'{0}' ({1} bytes) would overlap '{2}' at {3:x}", name, size, clash->name, at);
  if (at + size < at) failUsage("'{0}' ({1} bytes at {2:x}) would wrap around", name, size, at);
  if (!address) next_ = (at + size + 255) / 256 * 256 + kRedZone;
  // A vector of one byte more, so that an empty buffer has a place too.
  std::vector<std::byte>& bytes = storage_.emplace_back(size + 1, fill);
  return *allocations_.insert(place, {std::move(name), at, size, bytes.data()});
}

const Allocation* GlobalMemory::find(std::uint64_t address, std::uint64_t size) const {
  auto next = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                               [](std::uint64_t a, const Allocation& b) { return a < b.address; });
  if (next == allocations_.begin()) return nullptr;
  const Allocation& candidate = *std::prev(next);
  std::uint64_t offset = address - candidate.address;
  return offset <= candidate.size && size <= candidate.size - offset ? &candidate : nullptr;
}

std::string GlobalMemory::describe(std::uint64_t address, std::uint64_t size) const {
  const Allocation* nearest = nullptr;
  std::uint64_t best = ~std::uint64_t{0};
  for (const Allocation& allocation : allocations_) {
    std::uint64_t end = allocation.address + allocation.size;
    std::uint64_t distance = address < allocation.address ? allocation.address - address
                             : address > end              ? address - end
                                                          : 0;
    if (distance < best) {
      best = distance;
      nearest = &allocation;
    }
  }
  if (!nearest || best > kRedZone * 16) return "in no buffer";
  std::uint64_t end = nearest->address + nearest->size;
  if (address < nearest->address)
    return llvm::formatv("{0} bytes before the start of '{1}' ({2} bytes)", best, nearest->name,
                         nearest->size)
        .str();
  if (address >= end)
    return llvm::formatv("{0} bytes past the end of '{1}' ({2} bytes)", address - end, nearest->name,
                         nearest->size)
        .str();
  return llvm::formatv("{0} bytes at '{1}'+{2:x}, which ends at {3:x}", size, nearest->name,
                       address - nearest->address, nearest->size)
      .str();
}

std::span<std::byte> GlobalMemory::bytes(std::string_view name) {
  for (Allocation& allocation : allocations_)
    if (allocation.name == name) return {allocation.host, allocation.size};
  throw Error(ErrorKind::Internal, "no allocation named '" + std::string(name) + "'");
}

} // namespace harness

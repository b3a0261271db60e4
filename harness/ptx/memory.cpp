// Where addresses lead.

#include "harness/ptx/machine.h"

#include <llvm/Support/FormatVariadic.h>

namespace harness::ptx {

namespace {

std::string describe(const char* space, std::uint64_t address, std::uint32_t bytes, std::uint64_t size) {
  return llvm::formatv("{0} bytes at {1:x} of {2} memory, which has {3}", bytes, address, space, size).str();
}

} // namespace

const Allocation& Machine::allocation(std::uint64_t address, std::uint32_t size, int lane) {
  auto holds = [&](const Allocation& a) {
    return address - a.address < a.size && a.size - (address - a.address) >= size;
  };
  if (recent_ && holds(*recent_)) return *recent_;
  const Allocation* found = memory.find(address, size);
  if (!found)
    fault(llvm::formatv("an access to {0:x}: {1}", address, memory.describe(address, size)).str(), lane);
  recent_ = found;
  return *found;
}

Warp::Place Warp::resolve(AddressSpace space, std::uint64_t address, std::uint32_t bytes, Access access,
                          unsigned lane) {
  auto inside = [](std::uint64_t at, std::uint64_t window) { return at - window < kWindowSize; };
  if (space == AddressSpace::Generic) {
    space = AddressSpace::Global;
    if (inside(address, kSharedWindow)) {
      space = AddressSpace::Shared;
      address -= kSharedWindow;
    } else if (inside(address, kLocalWindow)) {
      space = AddressSpace::Local;
      address -= kLocalWindow;
    } else if (inside(address, kParamWindow)) {
      space = AddressSpace::Param;
    }
  } else if (space == AddressSpace::Shared || space == AddressSpace::Local) {
    address &= 0xffffffff;
  }
  // A device function's parameters lie in its frame.
  if (space == AddressSpace::Param && address < kParamWindow) {
    space = AddressSpace::Local;
    if (inside(address, kLocalWindow)) address -= kLocalWindow;
  }
  int at = static_cast<int>(lane);
  if (bytes && address % bytes != 0)
    fault(llvm::formatv("a misaligned access of {0} bytes to {1:x}", bytes, address).str(), at);

  Place place;
  place.space = space;
  place.address = address;
  auto holds = [&](std::uint64_t size) { return address < size && size - address >= bytes; };
  switch (space) {
  case AddressSpace::Shared:
    if (!holds(block.shared.size())) fault(describe("shared", address, bytes, block.shared.size()), at);
    place.host = &block.shared[address];
    place.written = &block.sharedWritten[address];
    break;
  case AddressSpace::Local:
    if (!holds(localCapacity)) fault(describe("local", address, bytes, localCapacity), at);
    place.host = &local[std::size_t{localCapacity} * lane + address];
    place.written = &localWritten[std::size_t{localCapacity} * lane + address];
    break;
  case AddressSpace::Param: {
    std::uint64_t offset = address - kParamWindow, size = machine.parameters.size();
    if (offset >= size || size - offset < bytes) fault(describe("parameter", offset, bytes, size), at);
    if (access != Access::Read) fault("a write to a kernel's parameter", at);
    place.host = &machine.parameters[offset];
    break;
  }
  default: {
    const Allocation& found = machine.allocation(address, bytes, at);
    place.space = AddressSpace::Global;
    place.host = found.host + (address - found.address);
    break;
  }
  }
  if (machine.observer)
    machine.observer->access(
        *this, {place.space, access != Access::Write, access != Access::Read, lane, place.address, bytes});
  return place;
}

} // namespace harness::ptx

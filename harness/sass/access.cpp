#include "harness/sass/access.h"

#include <llvm/Support/FormatVariadic.h>

namespace harness::sass {

namespace {

/// Offset in a window's upper 32 bits' stretch.
constexpr std::uint64_t kOffset = 0xffffffff;

[[noreturn]] void misaligned(std::string_view space, std::uint64_t address, std::uint32_t bytes, int lane) {
  fault(llvm::formatv("misaligned {0}-byte access to {1} {2:x}", bytes, space, address).str(), lane);
}

} // namespace

Window globalWindow(Warp& warp, std::uint64_t address, std::uint32_t bytes, int lane) {
  Window& recent = warp.block.recent[warp.line() % warp.block.recent.size()];
  if (!recent.holds(address, bytes)) {
    const Allocation& allocation = warp.machine.allocation(address, bytes, lane);
    recent = {allocation.address, allocation.size, allocation.host, 0};
  }
  return recent;
}

Window sharedWindow(Warp& warp, std::uint64_t address, std::uint32_t bytes, int lane) {
  if (address % bytes) misaligned("shared", address, bytes, lane);
  std::uint64_t start = warp.machine.sharedStart, end = warp.block.shared.size();
  Window window{start, end - start, warp.block.shared.data() + start, 0};
  if (!window.holds(address, bytes))
    fault(llvm::formatv("{0}-byte access to shared {1:x}: outside {2:x}…{3:x}", bytes, address, start, end)
              .str(),
          lane);
  return window;
}

Window localWindow(Warp& warp, std::uint64_t address, std::uint32_t bytes, int lane) {
  if (address % bytes) misaligned("local", address, bytes, lane);
  std::uint64_t size = warp.machine.localSize;
  if (warp.local.empty()) warp.local.assign(size * kLanes, warp.machine.options.poison);
  Window window{0, size, warp.local.data(), size};
  if (!window.holds(address, bytes))
    fault(llvm::formatv("{0}-byte access to local {1:x}: outside the {2} bytes of a thread", bytes, address,
                        size)
              .str(),
          lane);
  return window;
}

Window genericWindow(Warp& warp, std::uint64_t address, std::uint32_t bytes, int lane) {
  Window window;
  switch (spaceOf(address)) {
  case MemorySpace::Global: return globalWindow(warp, address, bytes, lane);
  case MemorySpace::Shared: window = sharedWindow(warp, address & kOffset, bytes, lane); break;
  case MemorySpace::Local: window = localWindow(warp, address & kOffset, bytes, lane); break;
  }
  window.begin += address & ~kOffset;
  return window;
}

MemorySpace spaceOf(std::uint64_t genericAddress) {
  std::uint64_t window = genericAddress & ~kOffset;
  return window == kSharedWindow  ? MemorySpace::Shared
         : window == kLocalWindow ? MemorySpace::Local
                                  : MemorySpace::Global;
}

void notify(Warp& warp, std::optional<MemorySpace> space, AccessKind kind, const std::uint64_t* addresses,
            std::uint32_t bytes, LaneMask mask, const std::uint32_t* const* words) {
  Observer& observer = *warp.machine.observer;
  if (space) return observer.access(warp, {*space, kind, bytes, mask, addresses, words});
  for (MemorySpace one : {MemorySpace::Global, MemorySpace::Shared, MemorySpace::Local}) {
    std::uint64_t inside[kLanes] = {};
    MemoryAccess access{one, kind, bytes, 0, inside, words};
    for (LaneMask left = mask; left; left &= left - 1) {
      auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (spaceOf(addresses[lane]) != one) continue;
      access.mask |= laneBit(lane);
      inside[lane] = one == MemorySpace::Global ? addresses[lane] : addresses[lane] & kOffset;
    }
    if (access.mask) observer.access(warp, access);
  }
}

// ---- binding

void ignoreCacheWords(Binder& b) {
  b.ignore({"CONSTANT", "STRONG", "WEAK", "MMIO", "CTA",  "SM",   "GPU",  "SYS",    "VC",      "EF",
            "EL",       "LU",     "EU",   "NA",   "ENL2", "EFL2", "ELL2", "LTC64B", "LTC128B", "LTC256B"});
}

void takeGlobalAddress(Binder& b) {
  const TextOperand* operand = b.peek();
  bool wide = b.take("E");
  b.op.address = b.address();
  if (!operand || !wide) {
    b.refuse();
    return;
  }
  Address& address = b.op.address;
  bool zeroExtended = false;
  for (const std::string& suffix : operand->baseSuffixes)
    zeroExtended |= suffix == "U32";
  if (address.uniform != kZeroRegister) {
    // ULDC.64 fills what these add, up to sm_80 where no descriptor stands before them; what others do is not
    // known.
    bool pairs = address.base64 && b.encoding().sm < 90 && !operand->text.starts_with("desc[");
    if (!zeroExtended && !pairs && address.base != kZeroRegister) b.refuse();
    address.uniform64 = true;
  } else if (!zeroExtended) {
    address.base64 = true;
  }
  auto isPair = [](unsigned index) { return index == kZeroRegister || (index % 2 == 0 && index < 254); };
  if (address.scale || (address.base64 && !isPair(address.base)) ||
      (address.uniform64 && !isPair(address.uniform)))
    b.refuse();
}

void takeWindowAddress(Binder& b) {
  b.op.address = b.address();
  if (b.op.address.base64 || b.op.address.uniform64) b.refuse();
}

void checkGroup(Binder& b, unsigned index, unsigned words) {
  if (index != kZeroRegister && (index % words || index + words > kZeroRegister)) b.refuse();
}

Source takeGroup(Binder& b, unsigned words) {
  Source first = b.integer();
  if (first.kind != Source::Kind::Register || first.transform != Transform::None) b.refuse();
  checkGroup(b, first.index, words);
  return first;
}

// ---- registers

Group::Group(const Warp& warp, const Source& first, unsigned words) {
  bool isGroup = first.kind == Source::Kind::Register && first.index != kZeroRegister;
  for (unsigned i = 0; i < words; ++i)
    words_[i] = isGroup ? warp.registers[first.index + i].v : warp.fetch(first, scratch_);
}

void writeGroup(Warp& warp, Destination first, const Lanes* values, unsigned words, LaneMask mask) {
  if (first.index == kZeroRegister) return;
  for (unsigned i = 0; i < words; ++i)
    warp.write({static_cast<std::uint8_t>(first.index + i), first.uniform}, values[i].v, mask);
}

} // namespace harness::sass

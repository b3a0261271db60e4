#include "harness/sass/lanes.h"

#include <llvm/Support/FormatVariadic.h>

#include <bit>

namespace harness::sass {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Width of an access.
struct AccessSize {
  std::string_view name;
  u32 bytes;
  bool isSigned;
};
constexpr AccessSize kSizes[] = {{"U8", 1, false}, {"S8", 1, true},    {"U16", 2, false}, {"S16", 2, true},
                                 {"64", 8, false}, {"128", 16, false}, {"32", 4, false}};

/// option[0] = bytes, option[1] = sign extension.
void takeSize(Binder& b) {
  b.op.option[0] = 4;
  for (const AccessSize& size : kSizes) {
    if (!b.take(size.name)) continue;
    b.op.option[0] = size.bytes;
    b.op.option[1] = size.isSigned;
    return;
  }
}

/// Ordering, scope and cache words; they change no value of a program without races.
void ignoreCacheWords(Binder& b) {
  b.ignore({"CONSTANT", "STRONG", "WEAK", "MMIO", "CTA", "SM", "GPU", "SYS", "VC", "EF", "EL", "LU", "EU",
            "NA", "LTC64B", "LTC128B", "LTC256B"});
}

/// A 64-bit address: sm_75 prints the pair as [R4], later ones as [R4.64]; [R4.U32+UR4] adds a zero-extended
/// register to a uniform pair.
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
    // Only the zero-extended form and a missing base are sure to add a uniform pair.
    if (!zeroExtended && address.base != kZeroRegister) b.refuse();
    address.uniform64 = true;
  } else if (!zeroExtended) {
    address.base64 = true;
  }
  auto isPair = [](unsigned index) { return index == kZeroRegister || (index % 2 == 0 && index < 254); };
  if ((address.base64 && !isPair(address.base)) || (address.uniform64 && !isPair(address.uniform)))
    b.refuse();
}

/// An address inside shared or local memory: 32 bits.
void takeWindowAddress(Binder& b) {
  b.op.address = b.address();
  if (b.op.address.base64 || b.op.address.uniform64) b.refuse();
}

u32 extend(u32 value, u32 bytes, bool isSigned) {
  if (!isSigned || bytes >= 4) return value;
  u32 up = 32 - 8 * bytes;
  return static_cast<u32>(static_cast<std::int32_t>(value << up) >> up);
}

/// A stretch of addresses that can be accessed, and where it lies on the host.
struct Window {
  u64 begin = 0, size = 0; ///< addresses
  std::byte* host = nullptr;
  u64 laneStride = 0; ///< host bytes from one lane's copy to the next (local memory)

  bool holds(u64 address, u32 bytes) const {
    return address % bytes == 0 && address - begin < size && size - (address - begin) >= bytes;
  }
  std::byte* at(u64 address, unsigned lane) const { return host + (address - begin) + laneStride * lane; }
};

/// The window that holds a lane's access. Stops the launch if there is none.
using FindWindow = Window (*)(Warp& w, u64 address, u32 bytes, int lane);

Window globalWindow(Warp& w, u64 address, u32 bytes, int lane) {
  const Allocation& allocation = w.machine.allocation(address, bytes, lane);
  return {allocation.address, allocation.size, allocation.host, 0};
}

Window sharedWindow(Warp& w, u64 address, u32 bytes, int lane) {
  if (address % bytes)
    fault(llvm::formatv("misaligned {0}-byte access to shared {1:x}", bytes, address).str(), lane);
  u64 start = w.machine.sharedStart, end = w.block.shared.size();
  Window window{start, end - start, w.block.shared.data() + start, 0};
  if (!window.holds(address, bytes))
    fault(llvm::formatv("{0}-byte access to shared {1:x}: outside {2:x}…{3:x}", bytes, address, start, end)
              .str(),
          lane);
  return window;
}

Window localWindow(Warp& w, u64 address, u32 bytes, int lane) {
  if (address % bytes)
    fault(llvm::formatv("misaligned {0}-byte access to local {1:x}", bytes, address).str(), lane);
  u64 size = w.machine.localSize;
  if (w.local.empty()) w.local.assign(size * kLanes, w.machine.options.poison);
  Window window{0, size, w.local.data(), size};
  if (!window.holds(address, bytes))
    fault(llvm::formatv("{0}-byte access to local {1:x}: outside the {2} bytes of a thread", bytes, address,
                        size)
              .str(),
          lane);
  return window;
}

/// A generic address: global, or in the window of shared or local memory.
Window genericWindow(Warp& w, u64 address, u32 bytes, int lane) {
  u64 offset = address & 0xffffffff;
  Window window;
  if (address - offset == kSharedWindow)
    window = sharedWindow(w, offset, bytes, lane);
  else if (address - offset == kLocalWindow)
    window = localWindow(w, offset, bytes, lane);
  else
    return globalWindow(w, address, bytes, lane);
  window.begin += address - offset;
  return window;
}

/// Addresses of shared and local memory are 32 bits wide.
constexpr u64 addressMask(FindWindow find) {
  return find == sharedWindow || find == localWindow ? 0xffffffff : ~u64{0};
}

/// Calls access(host pointer, lane) for every lane of `mask`. Mostly all lanes hit one window, which is
/// looked up once.
template <FindWindow Find, typename Access>
void accessLanes(Warp& w, const u64 (&addresses)[kLanes], u32 bytes, LaneMask mask, Access access) {
  auto first = static_cast<unsigned>(std::countr_zero(mask));
  Window window = Find(w, addresses[first], bytes, static_cast<int>(first));
  for (LaneMask left = mask; left; left &= left - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (!window.holds(addresses[lane], bytes))
      window = Find(w, addresses[lane], bytes, static_cast<int>(lane));
    access(window.at(addresses[lane], lane), lane);
  }
}

/// True if all lanes access consecutive words of one window, as streaming code does.
bool isConsecutive(const u64 (&addresses)[kLanes], const Window& window) {
  bool consecutive = true;
  for (unsigned i = 0; i < kLanes; ++i)
    consecutive &= addresses[i] == addresses[0] + 4 * i;
  return consecutive && window.laneStride == 0 && window.holds(addresses[kLanes - 1], 4);
}

template <FindWindow Find> void load(Warp& w, const Op& op, LaneMask mask) {
  u64 addresses[kLanes];
  w.addresses(op.address, addresses);
  for (u64& address : addresses)
    address &= addressMask(Find);
  u32 bytes = op.option[0];
  Lanes words[4];
  if (bytes == 4 && mask == kAllLanes) {
    Window window = Find(w, addresses[0], bytes, 0);
    if (isConsecutive(addresses, window)) {
      std::memcpy(words[0].v, window.at(addresses[0], 0), sizeof(Lanes));
      w.write(op.dst, words[0].v, mask);
      return;
    }
  }
  accessLanes<Find>(w, addresses, bytes, mask, [&](const std::byte* at, unsigned lane) {
    u32 value[4] = {};
    std::memcpy(value, at, bytes);
    words[0].v[lane] = extend(value[0], bytes, op.option[1]);
    for (unsigned i = 1; i < 4; ++i)
      words[i].v[lane] = value[i];
  });
  if (op.dst.index == kZeroRegister) return;
  for (unsigned i = 0; i < std::max(1u, bytes / 4); ++i)
    w.write({static_cast<std::uint8_t>(op.dst.index + i), op.dst.uniform}, words[i].v, mask);
}

template <FindWindow Find> void store(Warp& w, const Op& op, LaneMask mask) {
  u64 addresses[kLanes];
  w.addresses(op.address, addresses);
  for (u64& address : addresses)
    address &= addressMask(Find);
  u32 bytes = op.option[0], count = std::max(1u, bytes / 4);
  Lanes scratch[4];
  const u32* words[4] = {};
  for (unsigned i = 0; i < count; ++i) {
    Source part = op.src[0];
    if (part.index != kZeroRegister) part.index = static_cast<std::uint8_t>(part.index + i);
    words[i] = w.fetch(part, scratch[i]);
  }
  if (bytes == 4 && mask == kAllLanes) {
    Window window = Find(w, addresses[0], bytes, 0);
    if (isConsecutive(addresses, window)) {
      std::memcpy(window.at(addresses[0], 0), words[0], sizeof(Lanes));
      return;
    }
  }
  accessLanes<Find>(w, addresses, bytes, mask, [&](std::byte* at, unsigned lane) {
    u32 value[4] = {};
    for (unsigned i = 0; i < count; ++i)
      value[i] = words[i][lane];
    std::memcpy(at, value, bytes);
  });
}

/// A register group of 64 or 128 bits is aligned and lies inside the register file.
void checkGroup(Binder& b, unsigned index) {
  unsigned count = std::max(1u, b.op.option[0] / 4);
  if (index != kZeroRegister && (index % count || index + count > kZeroRegister)) b.refuse();
}

/// What a store stores: registers as they are.
void takeStored(Binder& b) {
  b.op.src[0] = b.integer();
  if (b.op.src[0].kind != Source::Kind::Register || b.op.src[0].transform != Transform::None) b.refuse();
  checkGroup(b, b.op.src[0].index);
}

void bindLoad(Binder& b) {
  takeSize(b);
  ignoreCacheWords(b);
  b.op.dst = b.destination();
  takeGlobalAddress(b);
  checkGroup(b, b.op.dst.index);
}

void bindStore(Binder& b) {
  takeSize(b);
  ignoreCacheWords(b);
  takeGlobalAddress(b);
  takeStored(b);
}

void bindLdg(Binder& b) {
  bindLoad(b);
  b.op.run = load<globalWindow>;
}

void bindStg(Binder& b) {
  bindStore(b);
  b.op.run = store<globalWindow>;
}

void bindLd(Binder& b) {
  bindLoad(b);
  b.op.run = load<genericWindow>;
}

void bindSt(Binder& b) {
  bindStore(b);
  b.op.run = store<genericWindow>;
}

void bindLds(Binder& b) {
  takeSize(b);
  b.ignore({"U"}); // sm_75: how the lanes' accesses are put together
  b.op.dst = b.destination();
  takeWindowAddress(b);
  checkGroup(b, b.op.dst.index);
  b.op.run = load<sharedWindow>;
}

void bindSts(Binder& b) {
  takeSize(b);
  takeWindowAddress(b);
  takeStored(b);
  b.op.run = store<sharedWindow>;
}

void bindLdl(Binder& b) {
  takeSize(b);
  b.ignore({"LU"});
  b.op.dst = b.destination();
  takeWindowAddress(b);
  checkGroup(b, b.op.dst.index);
  b.op.run = load<localWindow>;
}

void bindStl(Binder& b) {
  takeSize(b);
  takeWindowAddress(b);
  takeStored(b);
  b.op.run = store<localWindow>;
}

u64 readConstant(Warp& w, unsigned bank, u32 offset, u32 bytes) {
  if (offset % bytes)
    unsupported(llvm::formatv("reads {0} bytes at c[{1:x}][{2:x}]: not aligned", bytes, bank, offset).str());
  return w.machine.bank(bank).read(bank, offset, bytes);
}

/// LDC, LDCU, ULDC: c[bank][offset] or c[bank][R+offset].
void bindConstantLoad(Binder& b) {
  takeSize(b);
  b.op.dst = b.destination();
  b.op.src[0] = b.integer();
  Source::Kind kind = b.op.src[0].kind;
  if ((kind != Source::Kind::Constant && kind != Source::Kind::ConstantIndexed) ||
      b.op.src[0].transform != Transform::None || b.op.option[0] > 8)
    b.refuse();
  checkGroup(b, b.op.dst.index);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    const Source& source = op.src[0];
    bool indexed = source.kind == Source::Kind::ConstantIndexed && source.index != kZeroRegister;
    Lanes low, high;
    for (LaneMask left = mask; left; left &= left - 1) {
      auto lane = static_cast<unsigned>(std::countr_zero(left));
      u32 offset = source.offset; // negative ones wrap
      if (indexed)
        offset += source.uniformIndex ? w.uniform[source.index] : w.registers[source.index].v[lane];
      u64 value = readConstant(w, source.bank, offset, op.option[0]);
      u32 word = extend(static_cast<u32>(value), op.option[0], op.option[1]);
      if (!indexed || source.uniformIndex) {
        std::fill_n(low.v, kLanes, word);
        std::fill_n(high.v, kLanes, static_cast<u32>(value >> 32));
        break;
      }
      low.v[lane] = word;
      high.v[lane] = static_cast<u32>(value >> 32);
    }
    w.write(op.dst, low.v, mask);
    if (op.option[0] == 8 && op.dst.index != kZeroRegister)
      w.write({static_cast<std::uint8_t>(op.dst.index + 1), op.dst.uniform}, high.v, mask);
  };
}

void bindUniformConstantLoad(Binder& b) {
  b.op.uniform = true;
  bindConstantLoad(b);
}

/// Fences and error barriers: memory is sequentially consistent here.
void bindFence(Binder& b) {
  b.ignore({"SC", "ALL", "CTA", "SM", "GPU", "SYS", "VC"});
  b.op.run = [](Warp&, const Op&, LaneMask) {};
}

constexpr OpcodeRow kRows[] = {
    {"LDG", bindLdg},
    {"LD", bindLd},
    {"STG", bindStg},
    {"ST", bindSt},
    {"LDS", bindLds},
    {"STS", bindSts},
    {"LDL", bindLdl},
    {"STL", bindStl},
    {"LDC", bindConstantLoad},
    {"LDCU", bindUniformConstantLoad},
    {"ULDC", bindUniformConstantLoad},
    {"MEMBAR", bindFence},
    {"ERRBAR", bindFence},
    {"CGAERRBAR", bindFence},
};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::memoryOpcodes() {
  return kRows;
}

} // namespace harness::sass

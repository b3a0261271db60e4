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

/// One access of every lane. `Where` gives a lane's host address and checks it.
template <typename Where> void loadLanes(Warp& w, const Op& op, LaneMask mask, Where where) {
  u64 addresses[kLanes];
  w.addresses(op.address, addresses);
  u32 bytes = op.option[0];
  Lanes words[4] = {};
  for (LaneMask left = mask; left; left &= left - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::byte* at = where(addresses[lane], bytes, static_cast<int>(lane));
    u32 value[4] = {};
    std::memcpy(value, at, bytes);
    for (unsigned i = 0; i < 4; ++i)
      words[i].v[lane] = value[i];
    words[0].v[lane] = extend(value[0], bytes, op.option[1]);
  }
  if (op.dst.index == kZeroRegister) return;
  for (unsigned i = 0; i < std::max(1u, bytes / 4); ++i)
    w.write({static_cast<std::uint8_t>(op.dst.index + i), op.dst.uniform}, words[i].v, mask);
}

template <typename Where> void storeLanes(Warp& w, const Op& op, LaneMask mask, Where where) {
  u64 addresses[kLanes];
  w.addresses(op.address, addresses);
  u32 bytes = op.option[0];
  Lanes scratch[4];
  const u32* words[4];
  for (unsigned i = 0; i < std::max(1u, bytes / 4); ++i) {
    Source part = op.src[0];
    if (part.index != kZeroRegister) part.index = static_cast<std::uint8_t>(part.index + i);
    words[i] = w.fetch(part, scratch[i]);
  }
  for (LaneMask left = mask; left; left &= left - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(left));
    std::byte* at = where(addresses[lane], bytes, static_cast<int>(lane));
    u32 value[4] = {};
    for (unsigned i = 0; i < std::max(1u, bytes / 4); ++i)
      value[i] = words[i][lane];
    std::memcpy(at, value, bytes);
  }
}

std::byte* inShared(Warp& w, u64 address, u32 bytes, int lane) {
  address &= 0xffffffff;
  if (address % bytes)
    fault(llvm::formatv("misaligned {0}-byte access to shared {1:x}", bytes, address).str(), lane);
  if (address < w.machine.sharedStart || address + bytes > w.block.shared.size())
    fault(llvm::formatv("{0}-byte access to shared {1:x}: outside {2:x}…{3:x}", bytes, address,
                        w.machine.sharedStart, w.block.shared.size())
              .str(),
          lane);
  return w.block.shared.data() + address;
}

std::byte* inLocal(Warp& w, u64 address, u32 bytes, int lane) {
  address &= 0xffffffff;
  u32 size = w.machine.localSize;
  if (address % bytes)
    fault(llvm::formatv("misaligned {0}-byte access to local {1:x}", bytes, address).str(), lane);
  if (address + bytes > size)
    fault(llvm::formatv("{0}-byte access to local {1:x}: outside the {2} bytes of a thread", bytes, address,
                        size)
              .str(),
          lane);
  if (w.local.empty()) w.local.assign(std::size_t{size} * kLanes, w.machine.options.poison);
  return w.local.data() + std::size_t{size} * static_cast<unsigned>(lane) + address;
}

auto globalOf(Warp& w) {
  return [&w](u64 address, u32 bytes, int lane) { return w.machine.global(address, bytes, lane); };
}
auto sharedOf(Warp& w) {
  return [&w](u64 address, u32 bytes, int lane) { return inShared(w, address, bytes, lane); };
}
auto localOf(Warp& w) {
  return [&w](u64 address, u32 bytes, int lane) { return inLocal(w, address, bytes, lane); };
}

/// A generic address: global, or in the window of shared or local memory.
auto genericOf(Warp& w) {
  return [&w](u64 address, u32 bytes, int lane) {
    u64 window = address & ~u64{0xffffffff};
    if (window == kSharedWindow) return inShared(w, address, bytes, lane);
    if (window == kLocalWindow) return inLocal(w, address, bytes, lane);
    return w.machine.global(address, bytes, lane);
  };
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
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { loadLanes(w, op, mask, globalOf(w)); };
}

void bindStg(Binder& b) {
  bindStore(b);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { storeLanes(w, op, mask, globalOf(w)); };
}

void bindLd(Binder& b) {
  bindLoad(b);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { loadLanes(w, op, mask, genericOf(w)); };
}

void bindSt(Binder& b) {
  bindStore(b);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { storeLanes(w, op, mask, genericOf(w)); };
}

void bindLds(Binder& b) {
  takeSize(b);
  b.op.dst = b.destination();
  takeWindowAddress(b);
  checkGroup(b, b.op.dst.index);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { loadLanes(w, op, mask, sharedOf(w)); };
}

void bindSts(Binder& b) {
  takeSize(b);
  takeWindowAddress(b);
  takeStored(b);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { storeLanes(w, op, mask, sharedOf(w)); };
}

void bindLdl(Binder& b) {
  takeSize(b);
  b.ignore({"LU"});
  b.op.dst = b.destination();
  takeWindowAddress(b);
  checkGroup(b, b.op.dst.index);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { loadLanes(w, op, mask, localOf(w)); };
}

void bindStl(Binder& b) {
  takeSize(b);
  takeWindowAddress(b);
  takeStored(b);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) { storeLanes(w, op, mask, localOf(w)); };
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
    const ConstantBank& bank = w.machine.bank(source.bank);
    Lanes low, high;
    for (LaneMask left = mask; left; left &= left - 1) {
      auto lane = static_cast<unsigned>(std::countr_zero(left));
      u32 offset = source.offset; // negative ones wrap
      if (source.kind == Source::Kind::ConstantIndexed && source.index != kZeroRegister)
        offset += source.uniformIndex ? w.uniform[source.index] : w.registers[source.index].v[lane];
      if (offset % op.option[0])
        unsupported(llvm::formatv("reads {0} bytes at c[{1:x}][{2:x}]: not aligned", op.option[0],
                                  source.bank, offset)
                        .str());
      u64 value = bank.read(source.bank, offset, op.option[0]);
      low.v[lane] = extend(static_cast<u32>(value), op.option[0], op.option[1]);
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

std::span<const OpcodeRow> memoryOpcodes() {
  return kRows;
}

} // namespace harness::sass

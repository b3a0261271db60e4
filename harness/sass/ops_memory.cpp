#include "harness/sass/access.h"

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

u32 extend(u32 value, u32 bytes, bool isSigned) {
  if (!isSigned || bytes >= 4) return value;
  u32 up = 32 - 8 * bytes;
  return static_cast<u32>(static_cast<std::int32_t>(value << up) >> up);
}

/// Words of a group that an access moves.
constexpr u32 wordsOf(u32 bytes) {
  return std::max(1u, bytes / 4);
}

template <FindWindow Find, u32 Bytes> void load(Warp& w, const Op& op, LaneMask mask) {
  u64 addresses[kLanes];
  laneAddresses<Find>(w, op.address, addresses);
  observe<Find>(w, AccessKind::Read, addresses, Bytes, mask);
  constexpr u32 kWords = wordsOf(Bytes);
  Lanes words[kWords];
  auto read = [&words, isSigned = op.option[1] != 0](const std::byte* at, unsigned lane) {
    u32 value[kWords] = {};
    std::memcpy(value, at, Bytes);
    words[0].v[lane] = extend(value[0], Bytes, isSigned);
    for (unsigned i = 1; i < kWords; ++i)
      words[i].v[lane] = value[i];
  };
  if (const std::byte* row = consecutive<Find, Bytes>(w, addresses, mask)) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      read(row + std::size_t{Bytes} * lane, lane);
  } else {
    accessLanes<Find>(w, addresses, Bytes, mask, read);
  }
  writeGroup(w, op.dst, words, kWords, mask);
}

template <FindWindow Find, u32 Bytes> void store(Warp& w, const Op& op, LaneMask mask) {
  u64 addresses[kLanes];
  laneAddresses<Find>(w, op.address, addresses);
  constexpr u32 kWords = wordsOf(Bytes);
  Group words(w, op.src[0], kWords);
  observe<Find>(w, AccessKind::Write, addresses, Bytes, mask, words.data());
  auto write = [&words](std::byte* at, unsigned lane) {
    u32 value[kWords];
    for (unsigned i = 0; i < kWords; ++i)
      value[i] = words[i][lane];
    std::memcpy(at, value, Bytes);
  };
  if (std::byte* row = consecutive<Find, Bytes>(w, addresses, mask)) {
#pragma GCC ivdep
    for (unsigned lane = 0; lane < kLanes; ++lane)
      write(row + std::size_t{Bytes} * lane, lane);
  } else {
    accessLanes<Find>(w, addresses, Bytes, mask, write);
  }
}

template <FindWindow Find> OpFunction loadOf(u32 bytes) {
  switch (bytes) {
  case 1: return load<Find, 1>;
  case 2: return load<Find, 2>;
  case 4: return load<Find, 4>;
  case 8: return load<Find, 8>;
  default: return load<Find, 16>;
  }
}

template <FindWindow Find> OpFunction storeOf(u32 bytes) {
  switch (bytes) {
  case 1: return store<Find, 1>;
  case 2: return store<Find, 2>;
  case 4: return store<Find, 4>;
  case 8: return store<Find, 8>;
  default: return store<Find, 16>;
  }
}

/// `.256` of sm_100 on: two groups of four registers. option[0] = bytes.
constexpr u32 kTwoGroups = 32;

/// dst is the upper group, src[0] the lower one.
template <FindWindow Find> void loadTwoGroups(Warp& w, const Op& op, LaneMask mask) {
  u64 addresses[kLanes];
  laneAddresses<Find>(w, op.address, addresses);
  observe<Find>(w, AccessKind::Read, addresses, kTwoGroups, mask);
  Lanes words[8];
  accessLanes<Find>(w, addresses, kTwoGroups, mask, [&](const std::byte* at, unsigned lane) {
    u32 value[8];
    std::memcpy(value, at, sizeof value);
    for (unsigned i = 0; i < 8; ++i)
      words[i].v[lane] = value[i];
  });
  writeGroup(w, {op.src[0].index, false}, words, 4, mask);
  writeGroup(w, op.dst, words + 4, 4, mask);
}

template <FindWindow Find> void storeTwoGroups(Warp& w, const Op& op, LaneMask mask) {
  u64 addresses[kLanes];
  laneAddresses<Find>(w, op.address, addresses);
  Group low(w, op.src[0], 4), high(w, op.src[1], 4);
  const u32* words[8] = {low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]};
  observe<Find>(w, AccessKind::Write, addresses, kTwoGroups, mask, words);
  accessLanes<Find>(w, addresses, kTwoGroups, mask, [&](std::byte* at, unsigned lane) {
    u32 value[8];
    for (unsigned i = 0; i < 4; ++i) {
      value[i] = low[i][lane];
      value[i + 4] = high[i][lane];
    }
    std::memcpy(at, value, sizeof value);
  });
}

/// LDG, LD: printed with `.256` is the upper group first.
template <FindWindow Find> void bindLoad(Binder& b) {
  bool twoGroups = b.take("256");
  ignoreCacheWords(b);
  if (twoGroups)
    b.op.option[0] = kTwoGroups;
  else
    takeSize(b);
  // As in LDS.
  if (b.take("U") && (b.encoding().sm >= 80 || b.op.option[0] != 16)) b.refuse();
  b.op.dst = b.destination();
  if (twoGroups) {
    checkGroup(b, b.op.dst.index, 4);
    b.op.src[0] = takeGroup(b, 4);
    // Which of two results stays.
    if (b.op.dst.index == b.op.src[0].index && b.op.dst.index != kZeroRegister) b.refuse();
  } else {
    checkGroup(b, b.op.dst.index, wordsOf(b.op.option[0]));
  }
  takeGlobalAddress(b);
  b.op.run = twoGroups ? loadTwoGroups<Find> : loadOf<Find>(b.op.option[0]);
}

/// STG, ST: printed with `.256` is the lower group first.
template <FindWindow Find> void bindStore(Binder& b) {
  bool twoGroups = b.take("256");
  ignoreCacheWords(b);
  if (twoGroups)
    b.op.option[0] = kTwoGroups;
  else
    takeSize(b);
  takeGlobalAddress(b);
  b.op.src[0] = takeGroup(b, twoGroups ? 4 : wordsOf(b.op.option[0]));
  if (twoGroups) b.op.src[1] = takeGroup(b, 4);
  b.op.run = twoGroups ? storeTwoGroups<Find> : storeOf<Find>(b.op.option[0]);
}

/// LDS, LDL.
template <FindWindow Find> void bindWindowLoad(Binder& b) {
  takeSize(b);
  // U: how sm_75 puts the lanes' accesses together. LU: the last use of what was spilled.
  b.ignore({Find == sharedWindow ? "U" : "LU"});
  b.op.dst = b.destination();
  takeWindowAddress(b);
  checkGroup(b, b.op.dst.index, wordsOf(b.op.option[0]));
  b.op.run = loadOf<Find>(b.op.option[0]);
}

/// STS, STL.
template <FindWindow Find> void bindWindowStore(Binder& b) {
  takeSize(b);
  takeWindowAddress(b);
  b.op.src[0] = takeGroup(b, wordsOf(b.op.option[0]));
  b.op.run = storeOf<Find>(b.op.option[0]);
}

/// QSPC: which memory a generic address lies in. D is the shared memory of the cluster, which is the block's
/// own in a cluster of one.
void bindQspc(Binder& b) {
  b.op.option[0] = b.choice({"G", "S", "L", "D"}, 4);
  if (b.op.option[0] == 4) b.refuse();
  b.op.pdst[0] = b.predicateDestination();
  b.op.dst = b.destination();
  if (b.op.dst.index != kZeroRegister) b.refuse();
  takeGlobalAddress(b);
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    static constexpr MemorySpace kSpaces[] = {MemorySpace::Global, MemorySpace::Shared, MemorySpace::Local,
                                              MemorySpace::Shared};
    u64 addresses[kLanes];
    w.addresses(op.address, addresses);
    LaneMask there = 0;
    for (unsigned i = 0; i < kLanes; ++i)
      there |= LaneMask{spaceOf(addresses[i]) == kSpaces[op.option[0]]} << i;
    w.write(op.pdst[0], there, mask);
  };
}

/// LDC, LDCU, ULDC: c[bank][offset] or c[bank][R+offset].
void bindConstantLoad(Binder& b) {
  takeSize(b);
  b.op.dst = b.destination();
  b.op.src[0] = b.integer();
  Source::Kind kind = b.op.src[0].kind;
  if ((kind != Source::Kind::Constant && kind != Source::Kind::ConstantIndexed) ||
      b.op.src[0].transform != Transform::None || (b.op.option[0] > 8 && !b.op.uniform))
    b.refuse();
  checkGroup(b, b.op.dst.index, wordsOf(b.op.option[0]));
  b.op.run = [](Warp& w, const Op& op, LaneMask mask) {
    const Source& source = op.src[0];
    bool indexed = source.kind == Source::Kind::ConstantIndexed && source.index != kZeroRegister;
    bool perLane = indexed && !source.uniformIndex;
    u32 bytes = op.option[0], count = wordsOf(bytes);
    Lanes words[4];
    for (LaneMask left = mask; left; left &= left - 1) {
      auto lane = static_cast<unsigned>(std::countr_zero(left));
      u32 offset = source.offset; // negative ones wrap
      if (indexed) offset += perLane ? w.registers[source.index].v[lane] : w.uniform[source.index];
      if (offset % bytes)
        unsupported(
            llvm::formatv("reads {0} bytes at c[{1:x}][{2:x}]: not aligned", bytes, source.bank, offset)
                .str());
      const ConstantBank& bank = w.machine.bank(source.bank);
      for (unsigned i = 0; i < count; ++i) {
        u32 size = std::min(bytes, 8u);
        u64 value = bank.read(source.bank, std::int64_t{offset} + 8 * (i / 2), size) >> (i % 2 * 32);
        u32 word = extend(static_cast<u32>(value), bytes, op.option[1]);
        if (perLane)
          words[i].v[lane] = word;
        else
          std::fill_n(words[i].v, kLanes, word);
      }
      if (!perLane) break;
    }
    writeGroup(w, op.dst, words, count, mask);
  };
}

void bindUniformConstantLoad(Binder& b) {
  b.op.uniform = true;
  bindConstantLoad(b);
}

constexpr OpcodeRow kRows[] = {
    {"LDG", bindLoad<globalWindow>},
    {"LD", bindLoad<genericWindow>},
    {"STG", bindStore<globalWindow>},
    {"ST", bindStore<genericWindow>},
    {"LDS", bindWindowLoad<sharedWindow>},
    {"STS", bindWindowStore<sharedWindow>},
    {"LDL", bindWindowLoad<localWindow>},
    {"STL", bindWindowStore<localWindow>},
    {"LDC", bindConstantLoad},
    {"LDCU", bindUniformConstantLoad},
    {"ULDC", bindUniformConstantLoad},
    {"QSPC", bindQspc},
};

} // namespace

std::span<const OpcodeRow> HARNESS_SASS_ISA::memoryOpcodes() {
  return kRows;
}

} // namespace harness::sass

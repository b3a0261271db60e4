#include "harness/sass/shared_races.h"

#include "harness/sass/machine.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>

namespace harness::sass {

void SharedRaces::startBlock(const Block& block) {
  bytes_.assign(block.shared.size(), Byte());
  addresses_.clear();
  for (Clock& clock : clocks_)
    clock.fill(0);
  for (unsigned warp = 0; warp < kWarps; ++warp)
    clocks_[warp][warp] = 1;
}

void SharedRaces::access(const Warp& warp, const MemoryAccess& access) {
  if (access.space != MemorySpace::Shared) return;
  for (LaneMask left = access.mask; left; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    std::uint64_t address = access.addresses[lane];
    if (address > bytes_.size() || bytes_.size() - address < access.bytes) continue; // a fault
    if (access.kind == AccessKind::Atomic) {
      synchronise(warp, address);
      continue;
    }
    if (access.kind == AccessKind::Read) acquire(warp, address);
    for (std::uint32_t i = 0; i < access.bytes; ++i) {
      Byte& byte = bytes_[address + i];
      if (access.kind == AccessKind::Read) {
        read(warp, byte, address + i);
      } else {
        bool known = access.words != nullptr;
        auto value =
            known ? static_cast<std::uint8_t>(access.words[i / 4][lane] >> 8 * (i % 4)) : std::uint8_t{0};
        write(warp, byte, address + i, value, known);
      }
    }
  }
}

void SharedRaces::read(const Warp& warp, Byte& byte, std::uint64_t address) {
  if (!isOrdered(byte.write, warp.index)) report(warp, address, "reads what is written by", byte.write);
  Touch now{clocks_[warp.index][warp.index], static_cast<std::uint8_t>(warp.index), 0, warp.line()};
  if (byte.read.time && byte.read.warp != warp.index) byte.otherRead = byte.read;
  byte.read = now;
}

void SharedRaces::write(const Warp& warp, Byte& byte, std::uint64_t address, std::uint8_t value,
                        bool valueKnown) {
  bool changes = !valueKnown || value != static_cast<std::uint8_t>(warp.block.shared[address]);
  if (changes) {
    if (!isOrdered(byte.write, warp.index))
      report(warp, address, "overwrites what is written by", byte.write);
    for (const Touch* touch : {&byte.read, &byte.otherRead})
      if (!isOrdered(*touch, warp.index)) report(warp, address, "overwrites what is read by", *touch);
  }
  byte.write = {clocks_[warp.index][warp.index], static_cast<std::uint8_t>(warp.index), value, warp.line()};
}

/// A load of what atomics work on (the state of an mbarrier, a flag) takes in what they have published.
void SharedRaces::acquire(const Warp& warp, std::uint64_t address) {
  auto there = addresses_.find(address & ~std::uint64_t{7});
  if (there == addresses_.end()) return;
  Clock& mine = clocks_[warp.index];
  for (unsigned i = 0; i < kWarps; ++i)
    mine[i] = std::max(mine[i], there->second[i]);
}

/// An atomic takes in what earlier ones on the address published, and publishes what its warp has done.
void SharedRaces::synchronise(const Warp& warp, std::uint64_t address) {
  Clock& mine = clocks_[warp.index];
  Clock& there = addresses_[address & ~std::uint64_t{7}];
  for (unsigned i = 0; i < kWarps; ++i)
    mine[i] = there[i] = std::max(mine[i], there[i]);
  ++mine[warp.index];
}

void SharedRaces::arrive(const Warp& warp, unsigned barrier, LaneMask mask) {
  if (mask == warp.live) return;
  report({warp.line(), warp.line()},
         llvm::formatv("{0}: lanes {1:x8} of the {2:x8} of warp {3} that are there come to barrier {4}",
                       warp.machine.describe(warp.line()), mask, warp.live, warp.index, barrier)
             .str());
}

void SharedRaces::release(const Block&, unsigned, LaneMask warps) {
  Clock all{};
  for (unsigned warp = 0; warp < kWarps; ++warp)
    for (unsigned i = 0; (warps >> warp & 1) && i < kWarps; ++i)
      all[i] = std::max(all[i], clocks_[warp][i]);
  for (unsigned warp = 0; warp < kWarps; ++warp) {
    if (!(warps >> warp & 1)) continue;
    clocks_[warp] = all;
    ++clocks_[warp][warp];
  }
}

void SharedRaces::report(const Warp& warp, std::uint64_t address, const char* kind, const Touch& before) {
  report(
      {before.line, warp.line()},
      llvm::formatv(
          "shared memory race at {0:x}: {1} of warp {2} {3} {4} of warp {5}, and nothing puts them in order",
          address, warp.machine.describe(warp.line()), warp.index, kind, warp.machine.describe(before.line),
          unsigned{before.warp})
          .str());
}

void SharedRaces::report(std::pair<std::uint32_t, std::uint32_t> lines, std::string text) {
  constexpr std::size_t kMost = 16;
  if (reports_.size() >= kMost || std::find(reported_.begin(), reported_.end(), lines) != reported_.end())
    return;
  reported_.push_back(lines);
  reports_.push_back(std::move(text));
}

} // namespace harness::sass

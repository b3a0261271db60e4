#include "harness/sass/shared_races.h"

#include "harness/sass/machine.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>

namespace harness::sass {

void SharedRaces::startBlock(const Block& block) {
  words_.assign((block.shared.size() + 3) / 4, Word());
  split_.clear();
  addresses_.clear();
  for (Clock& clock : clocks_)
    clock.fill(0);
  for (unsigned warp = 0; warp < kWarps; ++warp)
    clocks_[warp][warp] = 1;
}

void SharedRaces::access(const Warp& warp, const MemoryAccess& access) {
  if (access.space != MemorySpace::Shared) return;
  const std::vector<std::byte>& shared = warp.block.shared;
  Touch now{clocks_[warp.index][warp.index], warp.index, warp.line()};
  for (LaneMask left = access.mask; left; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    std::uint64_t address = access.addresses[lane];
    if (address > shared.size() || shared.size() - address < access.bytes) continue; // a fault
    if (access.kind == AccessKind::Atomic) {
      synchronise(warp, address);
      now.time = clocks_[warp.index][warp.index];
      continue;
    }
    if (access.kind == AccessKind::Read) acquire(warp, address);
    for (std::uint32_t i = 0, bytes = 0; i < access.bytes; i += bytes) {
      History& history = historyOf(address + i, access.bytes - i, bytes);
      if (access.kind == AccessKind::Read) {
        read(warp, history, address + i, now);
        continue;
      }
      std::optional<std::uint64_t> changed;
      std::uint32_t value = access.words ? access.words[i / 4][lane] >> 8 * (i % 4) : 0;
      for (std::uint32_t byte = bytes; byte-- > 0;)
        if (!access.words || std::byte(value >> 8 * byte & 0xff) != shared[address + i + byte])
          changed = address + i + byte;
      write(warp, history, changed, now);
    }
  }
}

SharedRaces::History& SharedRaces::historyOf(std::uint64_t address, std::uint32_t left,
                                             std::uint32_t& bytes) {
  Word& word = words_[address / 4];
  bool isWhole = address % 4 == 0 && left >= 4;
  bytes = isWhole && !word.split ? 4 : 1;
  if (bytes == 4) return word.whole;
  if (!word.split) {
    split_.emplace_back().fill(word.whole);
    word.split = static_cast<std::uint32_t>(split_.size());
  }
  return split_[word.split - 1][address % 4];
}

void SharedRaces::read(const Warp& warp, History& history, std::uint64_t address, const Touch& now) {
  if (!isOrdered(history.write, warp.index)) report(warp, address, "reads what is written by", history.write);
  if (history.read.time && history.read.warp != warp.index) history.otherRead = history.read;
  history.read = now;
}

void SharedRaces::write(const Warp& warp, History& history, std::optional<std::uint64_t> changed,
                        const Touch& now) {
  if (changed) {
    if (!isOrdered(history.write, warp.index))
      report(warp, *changed, "overwrites what is written by", history.write);
    for (const Touch* touch : {&history.read, &history.otherRead})
      if (!isOrdered(*touch, warp.index)) report(warp, *changed, "overwrites what is read by", *touch);
  }
  history.write = now;
}

/// A load of what atomics work on (the state of an mbarrier, a flag) takes in what they have published.
void SharedRaces::acquire(const Warp& warp, std::uint64_t address) {
  if (addresses_.empty()) return;
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
          before.warp)
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

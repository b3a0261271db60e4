#include "harness/sass/unwritten.h"

#include "harness/sass/executor.h"
#include "harness/sass/machine.h"
#include "harness/sass/observer.h"

#include <llvm/Support/FormatVariadic.h>

#include <array>

namespace harness::sass {

namespace {

constexpr std::size_t kMostDecisions = 4'000'000;
constexpr std::byte kPoisons[2] = {std::byte{0xAA}, std::byte{0x55}};

/// A branch, an access, or a store of one warp: whatever must not depend on poison.
struct Decision {
  enum class Kind : std::uint32_t { Branch, Jump, Address, Value };
  Kind kind = Kind::Branch;
  std::uint32_t line = 0;
  unsigned warp = 0;
  std::array<std::uint32_t, 3> block{};
  LaneMask mask = 0;
  std::array<std::uint64_t, kLanes> values{}; ///< those of lanes outside `mask` are zero

  std::uint64_t hash() const {
    auto add = [](std::uint64_t& hash, std::uint64_t value) {
      hash = (hash ^ value) * 0x9e3779b97f4a7c15, hash ^= hash >> 29;
    };
    // Several chains, so that one multiplication does not wait for the other.
    std::uint64_t chains[4] = {0xcbf29ce484222325, static_cast<std::uint64_t>(kind), line, mask};
    for (unsigned i = 0; i < kLanes; ++i)
      add(chains[i % 4], values[i]);
    for (unsigned i = 1; i < 4; ++i)
      add(chains[0], chains[i]);
    return chains[0];
  }
};

/// Sees every decision of a launch in order.
class Decisions : public Observer {
public:
  void branch(const Warp& warp, LaneMask taken) override {
    Decision decision = at(warp, Decision::Kind::Branch, warp.active);
    for (unsigned i = 0; i < kLanes; ++i)
      decision.values[i] = taken >> i & 1;
    decide(decision);
  }
  void jump(const Warp& warp, LaneMask mask, const std::uint64_t* targets) override {
    decide(at(warp, Decision::Kind::Jump, mask, targets));
  }
  void access(const Warp& warp, const MemoryAccess& access) override {
    decide(at(warp, Decision::Kind::Address, access.mask, access.addresses));
    if (access.space != MemorySpace::Global || !access.words) return;
    for (unsigned word = 0; word < (access.bytes + 3) / 4; ++word) {
      Decision decision = at(warp, Decision::Kind::Value, access.mask);
      std::uint32_t stored = access.bytes >= 4 ? ~0u : (1u << 8 * access.bytes) - 1;
      for (unsigned i = 0; i < kLanes; ++i)
        if (access.mask >> i & 1) decision.values[i] = access.words[word][i] & stored;
      decide(decision);
    }
  }

protected:
  virtual void decide(const Decision& decision) = 0;

private:
  static Decision at(const Warp& warp, Decision::Kind kind, LaneMask mask,
                     const std::uint64_t* values = nullptr) {
    Decision decision{kind, warp.line(), warp.index, warp.block.index, mask, {}};
    for (unsigned i = 0; values && i < kLanes; ++i)
      if (mask >> i & 1) decision.values[i] = values[i];
    return decision;
  }
};

class Recorder : public Decisions {
public:
  std::vector<std::uint64_t> hashes;

private:
  void decide(const Decision& decision) override {
    if (hashes.size() < kMostDecisions) hashes.push_back(decision.hash());
  }
};

[[noreturn]] void stop() {
  throw ExecutionStop{ExecutionEnd::Timeout, "seen enough"};
}

/// Stops the launch at the first decision that is another than the recorded one.
class Comparer : public Decisions {
public:
  explicit Comparer(const std::vector<std::uint64_t>& hashes) : hashes_(hashes) {}
  std::size_t place = 0;
  std::optional<Decision> different;

private:
  void decide(const Decision& decision) override {
    if (place >= hashes_.size()) stop();
    if (decision.hash() != hashes_[place]) {
      different = decision;
      stop();
    }
    ++place;
  }
  const std::vector<std::uint64_t>& hashes_;
};

/// Stops the launch at a decision.
class Finder : public Decisions {
public:
  explicit Finder(std::size_t place) : left_(place) {}
  std::optional<Decision> found;

private:
  void decide(const Decision& decision) override {
    if (left_-- > 0) return;
    found = decision;
    stop();
  }
  std::size_t left_;
};

std::string describe(const Decision& first, const Decision& second, const Program& program) {
  std::string where = program.describe(first.line);
  std::string place = llvm::formatv("warp {0} of block {1},{2},{3}", first.warp, first.block[0],
                                    first.block[1], first.block[2])
                          .str();
  if (first.line != second.line || first.kind != second.kind || first.mask != second.mask)
    return llvm::formatv("{0} is executed by other lanes depending on what nobody has written ({1})", where,
                         place)
        .str();
  unsigned lane = 0;
  while (lane + 1 < kLanes && first.values[lane] == second.values[lane])
    ++lane;
  static constexpr const char* kWhat[] = {"branches", "jumps", "accesses an address", "stores a value"};
  return llvm::formatv(
             "{0} {1} depending on what nobody has written: lane {2} of {3} has {4:x} where that is "
             "filled with 0xaa, {5:x} where with 0x55",
             where, kWhat[static_cast<unsigned>(first.kind)], lane, place, first.values[lane],
             second.values[lane])
      .str();
}

} // namespace

std::optional<std::string> findUnwritten(const Program& program, const Kernel& kernel, const Launch& launch,
                                         const FreshMemory& memory, const ExecutionOptions& options) {
  auto run = [&](std::byte poison, Observer& observer) {
    ExecutionOptions with = options;
    with.poison = poison;
    execute(program, kernel, launch, *memory(poison), with, &observer);
  };
  Recorder recorder;
  run(kPoisons[0], recorder);
  Comparer comparer(recorder.hashes);
  run(kPoisons[1], comparer);
  if (!comparer.different) return std::nullopt;
  Finder finder(comparer.place);
  run(kPoisons[0], finder);
  if (!finder.found) return std::nullopt;
  return describe(*finder.found, *comparer.different, program);
}

} // namespace harness::sass

#pragma once

#include "harness/explain/history.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace harness::explain {

/// The ways that SASS code can take, read off its texts: BRA, EXIT and RET; after anything indirect
/// everything can follow.
class Flow {
public:
  explicit Flow(const Trace& trace) : trace_(trace) {}

  /// The instructions of a PTX line that store to memory.
  std::vector<std::uint32_t> storesOf(std::uint32_t line) const;
  /// By instruction: whether one of `targets` can follow.
  std::vector<bool> reaching(const std::vector<std::uint32_t>& targets) const;
  /// Where an instruction leads: those that may come next.
  std::vector<std::uint32_t> successors(std::uint32_t instruction) const;
  /// It goes one way or another by a predicate.
  bool isDecision(std::uint32_t instruction) const;

private:
  std::optional<std::uint32_t> targetOf(std::uint32_t instruction) const;

  const Trace& trace_;
};

/// The thread's last step after which none of `targets` could be reached any more; nothing if it never could.
std::optional<StepRef> whereLeft(History& sass, ThreadId thread, const std::vector<std::uint32_t>& targets);
/// The last decision before a step that could have led past it.
std::optional<StepRef> whereEntered(History& sass, StepRef reached);

} // namespace harness::explain

#pragma once

#include "harness/explain/history.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace harness::explain {

/// Where PTX computed the bits that SASS has.
struct Match {
  ValueRef ptx;
  bool byLine = false; ///< in the line that the SASS instruction comes from; else found by its bits alone
};

/// Finds what SASS computes in what PTX computes, thread by thread: by the line that ptxas says an
/// instruction comes from, and by values that are too odd to be equal by chance.
class Alignment {
public:
  Alignment(History& sass, History& ptx) : sass_(sass), ptx_(ptx) {}

  /// What PTX has in the place of a value that SASS has written; nothing if it has not those bits.
  std::optional<Match> match(const ValueRef& sassWritten);
  /// The PTX step that a SASS step does its work for: of its line, at the same time. Nothing if the line is
  /// not known, or PTX did not execute it.
  std::optional<StepRef> counterpart(StepRef sass);
  /// Whether the PTX thread executed a line.
  bool executed(ThreadId thread, std::uint32_t line);

private:
  /// How often a thread came by, and where.
  struct Index {
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> byLine; ///< executed PTX steps
    std::unordered_map<std::uint64_t, std::vector<ValueRef>> byBits;
  };
  const Index& index(ThreadId thread);
  /// Executions of the instruction by the SASS thread.
  std::uint32_t executions(ThreadId thread, std::uint32_t instruction);
  /// The steps of the line that may be it, the likeliest first.
  std::vector<StepRef> candidates(StepRef sass);

  History& sass_;
  History& ptx_;
  std::map<ThreadId, Index> indices_;
  std::map<ThreadId, std::vector<std::uint32_t>> executions_;
};

/// Whether two threads can come to the same value by chance: numbers near zero, few bits.
bool isOdd(std::uint64_t bits);

} // namespace harness::explain

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
  std::optional<ValueRef> upper; ///< what is in the upper half, where `ptx` is only in the lower one
  bool byLine = false; ///< in the line that the SASS instruction comes from; else found by its bits alone
};

/// Finds what SASS computes in what PTX computes, thread by thread: by the line that ptxas says an
/// instruction comes from, and by values that are too odd to be equal by chance.
class Alignment {
public:
  Alignment(History& sass, History& ptx) : sass_(sass), ptx_(ptx) {}

  /// What PTX has in the place of a value that SASS has written; nothing if it has not those bits. Only the
  /// halves that `wanted` touches are looked at. What is narrower than they are must fill them: extended by
  /// zeros or its sign, or with another value above it.
  std::optional<Match> match(const ValueRef& sassWritten, Bytes wanted = kWholeWord);
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
    std::unordered_map<std::uint64_t, std::vector<ValueRef>> byHalf; ///< values of 16 bits
  };
  const Index& index(ThreadId thread);
  /// Executions of the instruction by the SASS thread.
  std::uint32_t executions(ThreadId thread, std::uint32_t instruction);
  /// The steps of the line that may be it, the likeliest first.
  std::vector<StepRef> candidates(StepRef sass);
  std::optional<Match> matchByLine(const ValueRef& written, Bytes wanted);
  std::optional<Match> matchByBits(const ValueRef& written, Bytes wanted);
  /// What the instruction copied it from, if that has a match which the copy has too.
  std::optional<Match> matchOfCopied(const ValueRef& written, Bytes wanted, unsigned depth);
  std::optional<Match> match(const ValueRef& written, Bytes wanted, unsigned depth);
  /// A value of 16 bits: of the line's candidates, else any that is too odd to be it by chance.
  std::optional<ValueRef> halfOfLine(StepRef sass, std::uint64_t half);
  std::optional<ValueRef> halfAnywhere(ThreadId thread, std::uint64_t half);

  History& sass_;
  History& ptx_;
  std::map<ThreadId, Index> indices_;
  std::map<ThreadId, std::vector<std::uint32_t>> executions_;
};

/// Whether it is unlikely that a value is the same by chance: not near zero, and of more than two bits.
bool isOdd(std::uint64_t bits);

} // namespace harness::explain

#pragma once

#include "harness/mma/probe_questions.h"

#include <optional>
#include <vector>

namespace harness::mma {

inline constexpr int kC = -1;            ///< C among the terms
inline constexpr int kMostFraction = 40; ///< more bits below the greatest exponent are not looked for

/// +X, −X and a term too small to be seen beside X.
struct Triple {
  int plus, minus, small;
};

/// Powers of two: one whose sums fit the accumulator, and the least that is seen in it.
struct Powers {
  int large, leastSeen;
};

/// In which order terms are added; as in Findings.
struct SumOrder {
  std::vector<std::vector<int>> groups;
  bool ordered = true;
  std::optional<bool> cIsATerm;
  std::optional<int> products;
};

/// Puts C or a term. False if there is no such value.
bool putTerm(const Questions& questions, Question& question, int term, const TermValue& value);

/// Of each, true if the small term outlives the large ones.
std::vector<bool> outlive(Subject& subject, const Questions& questions, const std::vector<Triple>& triples,
                          int large, int small);

SumOrder findOrder(Subject& subject, const Questions& questions, const Powers& powers);

} // namespace harness::mma

#include "harness/mma/probe_order.h"

#include <algorithm>
#include <cmath>

namespace harness::mma {

namespace {

/// Of two terms so far apart the smaller is not seen beside the larger in any plain format.
constexpr int kFarApart = 29;

class OrderFinder {
public:
  OrderFinder(Subject& subject, const Questions& questions, const Powers& powers)
      : subject_(subject), questions_(questions), powers_(powers) {}

  SumOrder find() {
    int small = std::max(powers_.leastSeen, powers_.large - kMostFraction);
    if (powers_.large - small < kFarApart)
      findGroupsByCarries();
    else
      findGroupsByCancelling(small);
    return std::move(found_);
  }

private:
  void findGroupsByCancelling(int small) {
    int n = questions_.terms();
    std::vector<Triple> triples;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int l = 0; l < n; ++l)
          if (i < j && l != i && l != j) triples.push_back({i, j, l});
    for (int i = 0; i < n; ++i)
      for (int l = 0; l < n; ++l)
        if (l != i) triples.push_back({i, kC, l});
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        triples.push_back({i, j, kC});
    std::vector<bool> results = outlive(subject_, questions_, triples, powers_.large, small);
    at_.assign(static_cast<std::size_t>((n + 1) * (n + 1) * (n + 1)), false);
    for (std::size_t i = 0; i < triples.size(); ++i) {
      at(triples[i].plus, triples[i].minus, triples[i].small) = results[i];
      at(triples[i].minus, triples[i].plus, triples[i].small) = results[i];
    }
    groupEquals(n);
    orderGroups();
  }

  std::vector<bool>::reference at(int i, int j, int l) {
    int n = questions_.terms() + 1;
    return at_[static_cast<std::size_t>(((i + 1) * n + j + 1) * n + l + 1)];
  }

  /// True if nothing changes when two terms change places.
  bool isInterchangeable(int i, int j) {
    auto other = [&](int term) { return term == i ? j : term == j ? i : term; };
    int n = questions_.terms();
    for (int x = kC; x < n; ++x)
      for (int y = kC; y < n; ++y) {
        if (x == y) continue;
        for (int small : {i, j})
          if (x != small && y != small && at(x, y, small) != at(other(x), other(y), other(small)))
            return false;
        if (x != i && y != i && at(i, x, y) != at(other(i), other(x), other(y))) return false;
      }
    return true;
  }

  void groupEquals(int n) {
    std::vector<bool> taken(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      if (taken[static_cast<std::size_t>(i)]) continue;
      std::vector<int> group = {i};
      for (int j = i + 1; j < n; ++j)
        if (!taken[static_cast<std::size_t>(j)] && isInterchangeable(i, j)) {
          group.push_back(j);
          taken[static_cast<std::size_t>(j)] = true;
        }
      found_.groups.push_back(std::move(group));
    }
  }

  /// True if a term of `later` outlives two of `earlier`.
  bool isAfter(const std::vector<int>& later, const std::vector<int>& earlier) {
    return earlier.size() > 1 ? at(earlier[0], earlier[1], later[0]) : at(earlier[0], kC, later[0]);
  }

  void orderGroups() {
    std::vector<std::vector<int>>& groups = found_.groups;
    std::stable_sort(groups.begin(), groups.end(),
                     [&](const auto& x, const auto& y) { return isAfter(y, x) && !isAfter(x, y); });
    found_.ordered = true;
    for (std::size_t i = 1; i < groups.size(); ++i)
      found_.ordered &= !isAfter(groups[i - 1], groups[i]);
    found_.products = static_cast<int>(groups.front().size());
    const std::vector<int>& first = groups.front();
    if (first.size() > 1) found_.cIsATerm = !at(first[0], first[1], kC);
  }

  /// Where the range is small: two terms of half a last place of C are a whole one if they are added at once.
  void findGroupsByCarries() {
    if (subject_.accumulator() == Format::F16) return;
    int n = questions_.terms();
    for (int i = 0; i < n; ++i) {
      bool placed = false;
      for (std::vector<int>& group : found_.groups) {
        Question question = questions_.zeros();
        bool asked = questions_.putC(question, 0x1p24) && questions_.put(question, group.front(), {0}) &&
                     questions_.put(question, i, {0});
        if (!asked) return found_.groups.clear();
        placed = toDouble(Format::F32, subject_.ask({question}).front()) != 0x1p24;
        if (placed) {
          group.push_back(i);
          break;
        }
      }
      if (!placed) found_.groups.push_back({i});
    }
    found_.products = static_cast<int>(found_.groups.front().size());
    found_.cIsATerm = true;
  }

  Subject& subject_;
  const Questions& questions_;
  Powers powers_;
  SumOrder found_;
  std::vector<bool> at_; ///< whether the last outlives the first two, see at()
};

} // namespace

bool putTerm(const Questions& questions, Question& question, int term, const TermValue& value) {
  return term == kC ? questions.putC(question, std::ldexp(value.times, value.power))
                    : questions.put(question, term, value);
}

std::vector<bool> outlive(Subject& subject, const Questions& questions, const std::vector<Triple>& triples,
                          int large, int small) {
  std::vector<Question> asked;
  for (const Triple& triple : triples) {
    Question question = questions.zeros();
    putTerm(questions, question, triple.plus, {large});
    putTerm(questions, question, triple.minus, {large, -1});
    putTerm(questions, question, triple.small, {small});
    asked.push_back(std::move(question));
  }
  std::vector<bool> result;
  for (std::uint32_t code : subject.ask(asked))
    result.push_back(toDouble(subject.accumulator(), code) != 0);
  return result;
}

SumOrder findOrder(Subject& subject, const Questions& questions, const Powers& powers) {
  return OrderFinder(subject, questions, powers).find();
}

} // namespace harness::mma

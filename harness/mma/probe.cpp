#include "harness/mma/probe.h"

#include "harness/mma/probe_questions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace harness::mma {

namespace {

constexpr std::string_view kRoundings[] = {"toward zero", "nearest even", "nearest away",
                                           "up",          "down",         "other"};
constexpr int kMostFraction = 40; ///< more is not looked for

/// Remembers all that was asked, to be put to the models afterwards.
class Memory : public Subject {
public:
  explicit Memory(Subject& subject)
      : Subject(subject.inputs(), subject.accumulator(), subject.k()), subject_(subject) {}
  std::vector<std::uint32_t> ask(const std::vector<Question>& questions) override {
    std::vector<std::uint32_t> results = subject_.ask(questions);
    asked_.insert(asked_.end(), questions.begin(), questions.end());
    answers_.insert(answers_.end(), results.begin(), results.end());
    return results;
  }
  double value(const Question& question) { return toDouble(accumulator(), ask({question}).front()); }
  std::uint32_t code(const Question& question) { return ask({question}).front(); }
  bool agreesWith(Subject& other) const { return other.ask(asked_) == answers_; }
  std::size_t size() const { return asked_.size(); }

private:
  Subject& subject_;
  std::vector<Question> asked_;
  std::vector<std::uint32_t> answers_;
};

class Prober {
public:
  explicit Prober(Subject& subject) : subject_(subject), questions_(subject_) {
    half_ = subject.accumulator() == Format::F16;
    // A sum of the large powers must fit the accumulator, and what is small must be seen in it.
    large_ = std::min(questions_.greatestPower(), half_ ? 14 : 40);
    leastSeen_ = std::max(questions_.leastPower(), half_ ? -24 : -126);
  }

  Findings run() {
    findGroups();
    findFraction();
    findResult();
    findNormalisation();
    findSubnormals();
    findFloor();
    findSpecials();
    findFits();
    found_.questions = subject_.size();
    return std::move(found_);
  }

private:
  // ---- which terms are added at once

  /// +X, −X and a term too small to be seen beside X.
  struct Triple {
    int plus, minus, small; ///< terms; kC = C
  };
  static constexpr int kC = -1;

  bool put(Question& question, int term, const TermValue& value) const {
    return term == kC ? questions_.putC(question, std::ldexp(value.times, value.power))
                      : questions_.put(question, term, value);
  }

  /// True if the small term outlives the large ones.
  std::vector<bool> outlive(const std::vector<Triple>& triples, int smallPower) {
    std::vector<Question> asked;
    for (const Triple& triple : triples) {
      Question question = questions_.zeros();
      put(question, triple.plus, {large_});
      put(question, triple.minus, {large_, -1});
      put(question, triple.small, {smallPower});
      asked.push_back(std::move(question));
    }
    std::vector<bool> result;
    for (std::uint32_t code : subject_.ask(asked))
      result.push_back(toDouble(subject_.accumulator(), code) != 0);
    return result;
  }

  void findGroups() {
    int n = questions_.terms();
    int small = std::max(leastSeen_, large_ - kMostFraction);
    if (large_ - small < 29) return findGroupsByCarries();
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

    std::vector<bool> results = outlive(triples, small);
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
    if (half_) return;
    int n = questions_.terms();
    for (int i = 0; i < n; ++i) {
      bool placed = false;
      for (std::vector<int>& group : found_.groups) {
        Question question = questions_.zeros();
        bool asked = questions_.putC(question, 0x1p24) && questions_.put(question, group.front(), {0}) &&
                     questions_.put(question, i, {0});
        if (!asked) return found_.groups.clear();
        placed = subject_.value(question) != 0x1p24;
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

  /// Terms that are added at once.
  std::vector<int> together() const {
    if (!found_.groups.empty()) return found_.groups.front();
    std::vector<int> all;
    for (int i = 0; i < questions_.terms(); ++i)
      all.push_back(i);
    return all;
  }

  // ---- how exact the sum is

  /// The most that is seen of what lies below a term: +X −X 2^(X − f).
  void findFraction() {
    std::vector<int> terms = together();
    if (terms.size() < 3 && found_.cIsATerm.value_or(false)) terms.insert(terms.begin(), kC);
    if (terms.size() >= 3 && large_ - leastSeen_ > 27) {
      for (int f = 1; f <= std::min(kMostFraction, large_ - leastSeen_); ++f)
        if (outlive({{terms[0], terms[1], terms[2]}}, large_ - f)[0]) found_.fraction = f;
      if (found_.fraction == large_ - leastSeen_) found_.fraction.reset(); // perhaps more
      return;
    }
    if (half_ || !found_.cIsATerm.value_or(true)) return;
    // −2^t and a small term: if it is seen at all, the magnitude is less than 2^t.
    int least = questions_.leastPower();
    for (int f = 1; f <= kMostFraction; ++f) {
      Question question = questions_.zeros();
      double c = -std::ldexp(1, least + f);
      if (!questions_.putC(question, c) || !questions_.put(question, terms[0], {least})) return;
      if (subject_.value(question) != c) found_.fraction = f;
    }
  }

  void findResult() {
    std::vector<int> terms = together();
    for (int f = 1; f <= 30; ++f) {
      Question question = questions_.zeros();
      double one = 1;
      if (terms.size() >= 2 && questions_.range() > 30) {
        int power = std::min(large_, 10);
        one = std::ldexp(1, power);
        put(question, terms[0], {power});
        put(question, terms[1], {power - f});
      } else {
        one = std::ldexp(1, f);
        if (!questions_.putC(question, one)) break;
        put(question, terms[0], {0});
      }
      if (subject_.value(question) != one) found_.outFraction = f;
    }
    if (!found_.outFraction || !found_.fraction) return;
    if (*found_.fraction >= *found_.outFraction + 2 && found_.cIsATerm.value_or(false))
      found_.rounding =
          roundingSeen([&](int quarters, bool negative) { return besideC(terms, quarters, negative); });
    else if (terms.size() >= 4)
      found_.rounding = roundingSeen(
          [&](int quarters, bool negative) { return besideProducts(terms, quarters, negative); });
  }

  /// What `quarters` of a last place beside an even number become: last places more of the magnitude.
  std::optional<int> besideC(const std::vector<int>& terms, int quarters, bool negative) {
    Question question = questions_.zeros();
    int sign = negative ? -1 : 1;
    double c = sign * std::ldexp(1, *found_.outFraction + 1); // last place 2
    questions_.putC(question, c);
    if (!put(question, terms[0], quarters == 3 ? TermValue{-1, 3 * sign} : TermValue{0, sign}))
      return std::nullopt;
    return static_cast<int>(std::fabs(subject_.value(question) - c) / 2);
  }

  /// The same beside 2 · 1.5 · 1.5 · X, whose last place is 4 · X · 2^−outFraction.
  std::optional<int> besideProducts(const std::vector<int>& terms, int quarters, bool negative) {
    Question question = questions_.zeros();
    int sign = negative ? -1 : 1, w = *found_.outFraction;
    // 1.5 · 2^h must be an element, and the small terms too.
    int h = std::min(large_ / 2 - 1, half_ ? 4 : 6);
    for (int i = 0; i < 2; ++i)
      if (!questions_.putProduct(question, terms[static_cast<std::size_t>(i)], {h - 1, 3 * sign}, {h - 1, 3}))
        return std::nullopt;
    if (!questions_.put(question, terms[2], {2 * h + 1 - w, sign})) return std::nullopt;
    if (quarters == 3 && !questions_.put(question, terms[3], {2 * h - w, sign})) return std::nullopt;
    double sum = sign * std::ldexp(4.5, 2 * h), place = std::ldexp(4, 2 * h - w);
    return static_cast<int>(std::fabs(subject_.value(question) - sum) / place);
  }

  template <typename Ask> std::optional<SeenRounding> roundingSeen(Ask ask) {
    auto up = ask(3, false), down = ask(3, true), tie = ask(2, false);
    if (!up || !down || !tie) return std::nullopt;
    if (*up == 0 && *down == 0) return SeenRounding::TowardZero;
    if (*up == 1 && *down == 1) return *tie == 0 ? SeenRounding::NearestEven : SeenRounding::NearestAway;
    if (*up == 1 && *down == 0) return SeenRounding::Up;
    return *up == 0 && *down == 1 ? SeenRounding::Down : SeenRounding::Other;
  }

  // ---- when bits are lost

  void findNormalisation() {
    std::vector<int> terms = together();
    if (!found_.fraction) return;
    int small = large_ - *found_.fraction;
    // X + X − X − X: between them the sum is twice as large.
    if (found_.cIsATerm.value_or(false)) terms.push_back(kC);
    if (terms.size() >= 5 && small >= leastSeen_) {
      Question question = questions_.zeros();
      bool asked = put(question, terms[0], {large_}) && put(question, terms[1], {large_}) &&
                   put(question, terms[2], {large_, -1}) && put(question, terms.back(), {large_, -1}) &&
                   put(question, terms[3], {small});
      if (asked) found_.normalisedOnce = subject_.value(question) == std::ldexp(1, small);
    }
    // 1.5 · 1.5 is above 2, and the sum of exponents 0.
    int h = large_ / 2 - 1;
    Question question = questions_.zeros();
    small = 2 * h - *found_.fraction;
    if (terms.size() >= 3 && small >= leastSeen_ &&
        questions_.putProduct(question, terms[0], {h - 1, 3}, {h - 1, 3}) &&
        questions_.putProduct(question, terms[1], {h - 1, -3}, {h - 1, 3}) &&
        questions_.put(question, terms[2], {small}))
      found_.productsAsTheyAre = subject_.value(question) != 0;
  }

  void findSubnormals() {
    const FloatLayout& layout = layoutOf(subject_.inputs().a);
    int least = 1 - layout.bias - layout.mantissaBits;
    Question question = questions_.zeros();
    if (questions_.putProduct(question, 0, {least}, {std::max(0, -24 - least)}) ||
        questions_.putProduct(question, 0, {least}, {1}))
      found_.subnormalInputs = subject_.value(question) != 0;
    question = questions_.zeros();
    int leastOfC = half_ ? -24 : -149;
    questions_.putC(question, std::ldexp(1, leastOfC));
    // The result of FP8 has fewer bits.
    if (half_ || found_.outFraction.value_or(23) == 23) found_.subnormalC = subject_.value(question) != 0;
    question = questions_.zeros();
    int power = half_ ? -18 : -134;
    if (questions_.leastPower() <= power && questions_.put(question, 0, {power}))
      found_.subnormalResults = subject_.value(question) != 0;
  }

  /// A sum that is the least result, or just above half of it (f16), only if a term of 2^−g counts; nothing
  /// if there is no such sum.
  std::optional<bool> isSeenAtFloor(const std::vector<int>& terms, int leastResult, int g) {
    Question question = questions_.zeros();
    if (half_) {
      if (!questions_.put(question, terms[0], {leastResult - 1}) || !questions_.put(question, terms[1], {-g}))
        return std::nullopt;
      return subject_.code(question) == 1;
    }
    int at = -leastResult; // 2^-at is still to be made of terms
    for (std::size_t i = 0; i + 1 < terms.size(); ++i) {
      int bits = std::min(g - at, questions_.significandBits());
      if (!questions_.put(question, terms[i], {-at - bits, (1 << bits) - 1})) return std::nullopt;
      at += bits;
      if (at < g) continue;
      if (!questions_.put(question, terms[i + 1], {-g})) return std::nullopt;
      return subject_.code(question) != 0;
    }
    return std::nullopt;
  }

  void findFloor() {
    std::vector<int> terms = together();
    if (!found_.fraction || !found_.outFraction || terms.size() < 2) return;
    int leastResult = (half_ ? -14 : -126) - *found_.outFraction;
    for (int g = 1 - leastResult; g <= kMostFraction - leastResult; ++g) {
      auto seen = isSeenAtFloor(terms, leastResult, g);
      if (!seen) return;
      if (*seen) continue;
      int floor = *found_.fraction - (g - 1);
      if (floor >= leastResult) found_.floor = floor; // below, it is the exponent of the terms
      return;
    }
  }

  void findSpecials() {
    Question question = questions_.zeros();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    questions_.putC(question, kInfinity);
    questions_.put(question, 0, {0, -1});
    found_.infinityStays = subject_.value(question) == kInfinity;
    question = questions_.zeros();
    questions_.putC(question, std::numeric_limits<double>::quiet_NaN());
    found_.nan = subject_.code(question);
    question = questions_.zeros();
    questions_.putC(question, -0.0);
    found_.zero = subject_.code(question);
    std::vector<int> terms = together();
    int beyond = half_ ? 17 : 130;
    question = questions_.zeros();
    if (questions_.greatestPower() >= beyond && terms.size() >= 2 &&
        questions_.put(question, terms[0], {beyond}) && questions_.put(question, terms[1], {beyond, -1}))
      found_.cancelsBeyondRange = subject_.value(question) == 0;
  }

  // ---- which models answer so

  void askAtRandom() {
    std::mt19937_64 random(1);
    std::vector<Question> asked;
    int middle = (questions_.leastPower() + questions_.greatestPower()) / 2;
    int spread = std::min(questions_.range() / 2, 20);
    for (int i = 0; i < 2000; ++i) {
      Question question = questions_.zeros();
      for (int term = 0; term < questions_.terms(); ++term) {
        TermValue value = {middle + static_cast<int>(random() % static_cast<unsigned>(2 * spread + 1)) -
                               spread,
                           random() & 1 ? 3 : 1};
        if (random() & 1) value.times = -value.times;
        questions_.put(question, term, value);
      }
      double c = std::ldexp(static_cast<double>(random() % 2048) - 1024,
                            middle + static_cast<int>(random() % 20) - 15);
      if (random() & 1) questions_.putC(question, std::fabs(c) < 60000 || !half_ ? c : 0);
      asked.push_back(std::move(question));
    }
    subject_.ask(asked);
  }

  void findFits() {
    askAtRandom();
    for (const Model& model : models()) {
      if (!model.takes(subject_.inputs()) || model.accumulator != subject_.accumulator()) continue;
      auto shape = std::find_if(model.shapes.begin(), model.shapes.end(),
                                [&](const Shape& one) { return one.k == subject_.k(); });
      if (shape == model.shapes.end()) continue;
      ModelSubject candidate(Multiplier(model, subject_.inputs(), *shape));
      if (subject_.agreesWith(candidate)) found_.fits.push_back(model.name());
    }
  }

  Memory subject_;
  Questions questions_;
  Findings found_{};
  bool half_;
  int large_, leastSeen_;
  std::vector<bool> at_;
};

} // namespace

std::string_view toString(SeenRounding rounding) {
  return kRoundings[static_cast<std::size_t>(rounding)];
}

std::vector<std::uint32_t> ModelSubject::ask(const std::vector<Question>& questions) {
  std::vector<std::uint32_t> results;
  std::size_t aBytes = elementBytes(inputs().a), bBytes = elementBytes(inputs().b);
  std::size_t depth = static_cast<std::size_t>(k());
  std::vector<std::uint8_t> a(depth * aBytes), b(depth * bBytes);
  auto pack = [](const std::vector<std::uint32_t>& codes, std::size_t bytes, std::vector<std::uint8_t>& to) {
    for (std::size_t i = 0; i < codes.size(); ++i)
      for (std::size_t byte = 0; byte < bytes; ++byte)
        to[i * bytes + byte] = static_cast<std::uint8_t>(codes[i] >> (8 * byte));
  };
  for (const Question& question : questions) {
    pack(question.a, aBytes, a);
    pack(question.b, bBytes, b);
    std::uint32_t d = 0;
    multiplier_.multiply({1, 1, k()}, {&d, a.data(), b.data(), &question.c, 1, depth, 1, 1,
                                       question.aScales.data(), question.bScales.data()});
    results.push_back(d);
  }
  return results;
}

Findings probe(Subject& subject) {
  if (!isNarrowFloat(subject.inputs().a) || subject.k() > 64)
    throw UnknownModel("a probe is of f16, bf16, tf32, FP8, FP6 or FP4");
  return Prober(subject).run();
}

} // namespace harness::mma

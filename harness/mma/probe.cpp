#include "harness/mma/probe.h"

#include "harness/mma/probe_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace harness::mma {

namespace {

constexpr std::string_view kRoundings[] = {"toward zero", "nearest even", "nearest away",
                                           "up",          "down",         "other"};

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
  bool put(Question& question, int term, const TermValue& value) const {
    return putTerm(questions_, question, term, value);
  }

  void findGroups() {
    SumOrder order = findOrder(subject_, questions_, {large_, leastSeen_});
    found_.groups = std::move(order.groups);
    found_.ordered = order.ordered;
    found_.cIsATerm = order.cIsATerm;
    found_.products = order.products;
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
        if (outlive(subject_, questions_, {{terms[0], terms[1], terms[2]}}, large_, large_ - f)[0])
          found_.fraction = f;
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

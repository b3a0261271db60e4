#include "harness/report/register_flow.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>

namespace harness {

namespace {

/// What is known of a register of one side: Open, Closed, or its partner on the other.
using Partner = std::uint16_t;
constexpr Partner kOpen = 0xffff;   ///< nothing: it takes the first that comes
constexpr Partner kClosed = 0xfffe; ///< it holds a value that no register of the other side is known to hold

/// Beyond this many steps the last word is not waited for: a path or two may have been left out.
constexpr std::size_t kMaxSteps = std::size_t{1} << 26;

using Partners = std::array<Partner, kRegisterIds>;

/// Under what predicate something holds: twice its RegisterId, and one more if it is inverted; 0 = always.
using Condition = std::uint16_t;

Condition conditionOf(const InstructionShape& shape) {
  return shape.guard ? static_cast<Condition>(2 * *shape.guard + shape.guardInverted) : Condition{0};
}

/// The registers of both sides at one place.
class Correspondence {
public:
  Correspondence() {
    left_.fill(kOpen);
    right_.fill(kOpen);
  }

  /// True if that changed anything. What paths do not agree in is closed.
  bool merge(const Correspondence& other) {
    bool changed = mergeSide(left_, other.left_);
    changed |= mergeSide(right_, other.right_);
    for (std::size_t id = 0; id < conditions_.size(); ++id) {
      if (!other.conditions_[id] || other.conditions_[id] == conditions_[id]) continue;
      if (conditions_[id]) left_[id] = kClosed;
      conditions_[id] = other.conditions_[id];
      changed = true;
    }
    return changed;
  }

  Values read(RegisterId left, RegisterId right, Condition reader) {
    Partner &partner = left_[left], &back = right_[right];
    if (partner == right && back == left)
      return conditions_[left] && conditions_[left] != reader ? Values::Unclear : Values::Equal;
    if (partner == kOpen && back == kOpen) {
      partner = right;
      back = left;
      return Values::Equal;
    }
    bool elsewhere = partner < kClosed && partner != right, other = back < kClosed && back != left;
    return elsewhere && other ? Values::Different : Values::Unclear;
  }

  void writeBoth(RegisterId left, RegisterId right, Condition writer) {
    bool agree = left_[left] == right && right_[right] == left;
    bool open = left_[left] == kOpen && right_[right] == kOpen;
    abandon(left_, left, right_);
    abandon(right_, right, left_);
    left_[left] = right;
    right_[right] = left;
    if (!writer || open)
      conditions_[left] = 0;
    else if (!agree)
      conditions_[left] = writer;
    forget(left);
  }

  void writeLeft(RegisterId id) {
    abandon(left_, id, right_);
    left_[id] = kOpen;
    conditions_[id] = 0;
    forget(id);
  }
  void writeRight(RegisterId id) {
    abandon(right_, id, left_);
    right_[id] = kOpen;
  }

private:
  static bool mergeSide(Partners& into, const Partners& from) {
    bool changed = false;
    for (std::size_t id = 0; id < into.size(); ++id) {
      if (from[id] == kOpen || from[id] == into[id]) continue;
      Partner merged = into[id] == kOpen ? from[id] : kClosed;
      changed |= merged != into[id];
      into[id] = merged;
    }
    return changed;
  }

  /// The partner of a register that is overwritten keeps a value that has no home on this side any more.
  static void abandon(Partners& side, RegisterId id, Partners& other) {
    if (side[id] < kClosed && other[side[id]] == id) other[side[id]] = kClosed;
  }

  /// What held under a predicate that is overwritten.
  void forget(RegisterId predicate) {
    if (predicate < registerId(NamedFile::Predicate, 0)) return;
    for (std::size_t id = 0; id < conditions_.size(); ++id)
      if (conditions_[id] && conditions_[id] / 2 == predicate) {
        left_[id] = kClosed;
        conditions_[id] = 0;
      }
  }

  Partners left_, right_;
  std::array<Condition, kRegisterIds> conditions_{}; ///< of left_
};

class Flow {
public:
  Flow(const std::vector<InstructionShape>& left, const std::vector<InstructionShape>& right,
       const std::vector<FlowStep>& steps)
      : left_(left), right_(right), steps_(steps), begins_(steps.size() + 1), before_(steps.size()),
        answers_(steps.size(), Values::Equal) {
    std::vector<std::size_t> leftAt(left.size()), rightAt(right.size());
    for (std::size_t s = 0; s < steps.size(); ++s) {
      if (steps[s].left) leftAt[*steps[s].left] = s;
      if (steps[s].right) rightAt[*steps[s].right] = s;
    }
    for (std::size_t s = 0; s < steps.size(); ++s) {
      successors_.push_back(successorsOf(steps[s], leftAt, rightAt, s));
      for (std::size_t next : successors_[s])
        if (next != s + 1) begins_[next] = begins_[s + 1] = true;
      if (successors_[s].empty()) begins_[s + 1] = true;
    }
    if (!steps.empty()) begins_[0] = true;
  }

  std::vector<Values> run() {
    for (std::size_t s = 0; s < steps_.size(); ++s)
      if (begins_[s] && !before_[s]) { // the entry, or what nothing is known to lead to
        before_[s] = std::make_unique<Correspondence>();
        settle(s);
      }
    for (std::size_t s = 0; s < steps_.size(); ++s)
      if (begins_[s]) walk(s);
    return std::move(answers_);
  }

private:
  const InstructionShape* leftOf(const FlowStep& step) const {
    return step.left ? &left_[*step.left] : nullptr;
  }
  const InstructionShape* rightOf(const FlowStep& step) const {
    return step.right ? &right_[*step.right] : nullptr;
  }

  std::vector<std::size_t> successorsOf(const FlowStep& step, const std::vector<std::size_t>& leftAt,
                                        const std::vector<std::size_t>& rightAt, std::size_t at) const {
    std::set<std::size_t> next;
    bool goesOn = false;
    for (auto [shape, places] : {std::pair{leftOf(step), &leftAt}, {rightOf(step), &rightAt}}) {
      if (!shape) continue;
      if (shape->target && shape->operation == "BRA") next.insert((*places)[*shape->target]);
      goesOn |= shape->goesOn;
    }
    bool alone = !step.left || !step.right; // the other side goes on
    if ((goesOn || alone) && at + 1 < steps_.size()) next.insert(at + 1);
    return {next.begin(), next.end()};
  }

  /// Goes round until nothing changes.
  void settle(std::size_t start) {
    std::set<std::size_t> open{start};
    while (!open.empty() && work_ < kMaxSteps) {
      std::size_t at = *open.begin();
      open.erase(open.begin());
      auto [end, state] = walk(at);
      for (std::size_t next : successors_[end]) {
        if (!before_[next]) {
          before_[next] = std::make_unique<Correspondence>(state);
          open.insert(next);
        } else if (before_[next]->merge(state)) {
          open.insert(next);
        }
      }
    }
  }

  /// From the first to the last step of a straight piece.
  std::pair<std::size_t, Correspondence> walk(std::size_t at) {
    Correspondence state = before_[at] ? *before_[at] : Correspondence();
    for (;; ++at) {
      ++work_;
      take(at, state);
      if (at + 1 >= steps_.size() || begins_[at + 1]) return {at, std::move(state)};
    }
  }

  void take(std::size_t at, Correspondence& state) {
    const FlowStep& step = steps_[at];
    const InstructionShape *left = leftOf(step), *right = rightOf(step);
    if (left && right && left->isCall && right->isCall) state = Correspondence();
    if (!step.same) {
      if (left)
        for (RegisterId id : left->writes)
          state.writeLeft(id);
      if (right)
        for (RegisterId id : right->writes)
          state.writeRight(id);
      return;
    }
    Values values = Values::Equal;
    std::size_t reads = std::min(left->reads.size(), right->reads.size());
    for (std::size_t k = 0; k < reads; ++k) {
      Values one = state.read(left->reads[k], right->reads[k], conditionOf(*left));
      if (one == Values::Different || values == Values::Equal) values = one;
    }
    for (std::size_t k = 0; k < std::min(left->writes.size(), right->writes.size()); ++k)
      state.writeBoth(left->writes[k], right->writes[k], conditionOf(*left));
    answers_[at] = values;
  }

  const std::vector<InstructionShape>&left_, &right_;
  const std::vector<FlowStep>& steps_;
  std::vector<bool> begins_; ///< a straight piece
  std::vector<std::unique_ptr<Correspondence>> before_;
  std::vector<std::vector<std::size_t>> successors_;
  std::vector<Values> answers_;
  std::size_t work_ = 0;
};

} // namespace

std::vector<Values> followRegisters(const std::vector<InstructionShape>& left,
                                    const std::vector<InstructionShape>& right,
                                    const std::vector<FlowStep>& steps) {
  return Flow(left, right, steps).run();
}

} // namespace harness

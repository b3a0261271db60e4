#include "harness/explain/parting.h"

#include "harness/explain/predicates.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace harness::explain {

namespace {

constexpr std::size_t kMostVisited = 20'000;

class Walk {
public:
  Walk(History& sass, History& ptx, Alignment& alignment) : sass_(sass), ptx_(ptx), alignment_(alignment) {}

  /// `isRoot` tells which of the values that the root reads are followed.
  Region run(StepRef root, const std::function<bool(const ValueRef&)>& isRoot) {
    Region region;
    pending_.push_back(root);
    visited_.insert(root);
    while (!pending_.empty()) {
      if (region.steps.size() == kMostVisited) {
        region.complete = false;
        break;
      }
      StepRef step = pending_.back();
      pending_.pop_back();
      region.steps.push_back(step == root ? look(step, isRoot)
                                          : look(step, [](const ValueRef&) { return true; }));
    }
    std::sort(region.steps.begin(), region.steps.end(), [&](const RegionStep& a, const RegionStep& b) {
      return sass_.step(a.step).order < sass_.step(b.step).order;
    });
    region.deciders.assign(deciders_.begin(), deciders_.end());
    return region;
  }

private:
  RegionStep look(StepRef step, const std::function<bool(const ValueRef&)>& isFollowed) {
    RegionStep result{step, {}, false};
    std::size_t count = sass_.reads(step).size();
    for (std::uint32_t i = 0; i < count; ++i) {
      ValueRef read{step, false, i};
      if (!isFollowed(read)) continue;
      addInput(result, read, sass_.originOf(read));
      for (StepRef passed : sass_.passedWrites(read))
        deciders_.insert(passed);
    }
    std::size_t written = sass_.writes(step).size();
    for (std::uint32_t w = 0; w < written; ++w)
      for (const Origin& origin : sass_.memoryOrigins({step, true, w}))
        addInput(result, {step, true, w}, origin);
    result.first = std::none_of(result.inputs.begin(), result.inputs.end(),
                                [](const Input& input) { return input.status == Input::Status::Different; });
    return result;
  }

  void addInput(RegionStep& result, const ValueRef& read, const Origin& origin) {
    Input input{read, Input::Status::Given, std::nullopt, origin};
    if (origin.kind == Origin::Kind::Step) classify(input);
    if (input.status == Input::Status::Different && visited_.insert(origin.value.at).second)
      pending_.push_back(origin.value.at);
    result.inputs.push_back(input);
  }

  void classify(Input& input) {
    const ValueRef& value = input.origin.value;
    if (!value.written) { // the operand of a store: what was stored is what that step read
      input.match = matchOfRead(value);
      input.status = input.match ? Input::Status::Same : Input::Status::Different;
      return;
    }
    if (value.index >= sass_.writes(value.at).size()) { // an atomic that gives nothing back
      input.status = Input::Status::Undecided;
      return;
    }
    if (isGiven(value.at)) return;
    if (sass_.value(value).width == 1) return classifyPredicate(input);
    input.match = alignment_.match(value);
    input.status = input.match ? Input::Status::Same : Input::Status::Different;
  }

  /// A bit says nothing by itself, and SASS often has the opposite of PTX's predicate.
  void classifyPredicate(Input& input) {
    StepRef writer = input.origin.value.at;
    if (!isTraced(writer)) {
      input.status = Input::Status::Different;
      return;
    }
    std::optional<bool> same = agrees(sass_, ptx_, alignment_, input.origin.value);
    if (!same) {
      deciders_.insert(writer);
      input.status = Input::Status::Undecided;
      return;
    }
    input.status = *same ? Input::Status::Same : Input::Status::Different;
  }

  std::optional<Match> matchOfRead(const ValueRef& read) {
    Origin origin = sass_.originOf(read);
    if (origin.kind != Origin::Kind::Step || !origin.value.written) return std::nullopt;
    return alignment_.match(origin.value);
  }

  /// It reads nothing but constants: a move of a number, of a parameter or of a special register.
  bool isGiven(StepRef step) {
    if (sass_.access(step) || sass_.instruction(step).opaque) return false;
    std::span<const TraceValue> reads = sass_.reads(step);
    return std::all_of(reads.begin(), reads.end(),
                       [](const TraceValue& value) { return value.location == TraceValue::kNowhere; });
  }

  /// PTX has all that a predicate is made of.
  bool isTraced(StepRef step) {
    std::size_t count = sass_.reads(step).size();
    for (std::uint32_t i = 0; i < count; ++i) {
      Origin origin = sass_.originOf({step, false, i});
      if (origin.kind != Origin::Kind::Step || !origin.value.written || isGiven(origin.value.at)) continue;
      const TraceValue& value = sass_.value(origin.value);
      if (value.width == 1) continue;
      if (!alignment_.match(origin.value)) return false;
    }
    return true;
  }

  History& sass_;
  History& ptx_;
  Alignment& alignment_;
  std::vector<StepRef> pending_;
  std::set<StepRef> visited_, deciders_;
};

} // namespace

const RegionStep* Region::first() const {
  auto found = std::find_if(steps.rbegin(), steps.rend(), [](const RegionStep& step) { return step.first; });
  return found == steps.rend() ? nullptr : &*found;
}

Region findRegion(History& sass, History& ptx, Alignment& alignment, StepRef root,
                  std::optional<ValueRef> wrong) {
  if (!wrong) return findRegion(sass, ptx, alignment, root, TraceRole::Data);
  return Walk(sass, ptx, alignment).run(root, [&](const ValueRef& read) { return read == *wrong; });
}

Region findRegion(History& sass, History& ptx, Alignment& alignment, StepRef root, TraceRole role) {
  return Walk(sass, ptx, alignment).run(root, [&](const ValueRef& read) {
    return sass.value(read).role == role;
  });
}

std::vector<StepRef> ptxSlice(History& ptx, StepRef root, std::optional<ValueRef> value,
                              const std::vector<StepRef>& frontier, std::size_t limit) {
  std::set<StepRef> seen = {root};
  std::vector<StepRef> pending = {root}, slice;
  while (!pending.empty()) {
    // The latest first: what is cut off is then the oldest.
    auto latest = std::max_element(pending.begin(), pending.end(), [&](StepRef a, StepRef b) {
      return ptx.step(a).order < ptx.step(b).order;
    });
    StepRef step = *latest;
    pending.erase(latest);
    slice.push_back(step);
    if (slice.size() == limit) break;
    if (std::find(frontier.begin(), frontier.end(), step) != frontier.end()) continue;
    auto follow = [&](const Origin& origin) {
      if (origin.kind == Origin::Kind::Step && seen.insert(origin.value.at).second)
        pending.push_back(origin.value.at);
    };
    std::size_t reads = ptx.reads(step).size(), writes = ptx.writes(step).size();
    for (std::uint32_t i = 0; i < reads; ++i) {
      ValueRef read{step, false, i};
      bool data = ptx.value(read).role == TraceRole::Data;
      if (step == root && value ? read == *value : data || ptx.value(read).role == TraceRole::Guard)
        follow(ptx.originOf(read));
    }
    for (std::uint32_t w = 0; w < writes; ++w)
      for (const Origin& origin : ptx.memoryOrigins({step, true, w}))
        follow(origin);
  }
  std::reverse(slice.begin(), slice.end());
  return slice;
}

} // namespace harness::explain

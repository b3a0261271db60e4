#include "harness/explain/parting.h"

#include "harness/explain/predicates.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace harness::explain {

namespace {

constexpr std::size_t kMostVisited = 20'000;
constexpr unsigned kMostCombined = 8; ///< predicates, one in the other

/// Where a walk begins: the values followed, and which of their bytes.
struct Start {
  StepRef step;
  std::function<bool(const ValueRef&)> isFollowed;
  Bytes bytes = kWholeWord;
};

class Walk {
public:
  Walk(History& sass, History& ptx, Alignment& alignment) : sass_(sass), ptx_(ptx), alignment_(alignment) {}

  Region run(const Start& start) {
    Region region;
    std::map<StepRef, RegionStep> steps;
    const TraceAccess* access = sass_.access(start.step);
    if (access && access->kind == TraceAccess::Kind::Write) carriers_.insert(start.step);
    steps[start.step] = lookAtStart(start);
    for (std::size_t looks = 1; !pending_.empty(); ++looks) {
      if (looks == kMostVisited) {
        region.complete = false;
        break;
      }
      StepRef step = pending_.back();
      pending_.pop_back();
      isPending_.erase(step);
      steps[step] = look(step);
    }
    for (auto& [ref, step] : steps)
      region.steps.push_back(std::move(step));
    std::sort(region.steps.begin(), region.steps.end(), [&](const RegionStep& a, const RegionStep& b) {
      return sass_.step(a.step).order < sass_.step(b.step).order;
    });
    region.deciders.assign(deciders_.begin(), deciders_.end());
    return region;
  }

private:
  RegionStep lookAtStart(const Start& start) {
    RegionStep result{start.step, {}, false};
    auto count = static_cast<std::uint32_t>(sass_.reads(start.step).size());
    for (std::uint32_t i = 0; i < count; ++i)
      if (start.isFollowed({start.step, false, i})) addRead(result, {start.step, false, i}, start.bytes);
    addMemory(result);
    return decided(std::move(result));
  }

  RegionStep look(StepRef step) {
    RegionStep result{step, {}, false};
    auto count = static_cast<std::uint32_t>(sass_.reads(step).size());
    for (std::uint32_t i = 0; i < count; ++i) {
      ValueRef read{step, false, i};
      if (Bytes bytes = wantedOfRead(read)) addRead(result, read, bytes);
    }
    addMemory(result);
    return decided(std::move(result));
  }

  static RegionStep decided(RegionStep result) {
    result.first = std::none_of(result.inputs.begin(), result.inputs.end(),
                                [](const Input& input) { return input.status == Input::Status::Different; });
    return result;
  }

  /// The bytes of what a step reads that the bytes wanted of its results are made from.
  Bytes wantedOfRead(const ValueRef& read) {
    const TraceValue& value = sass_.value(read);
    if (value.role != TraceRole::Data || value.width == 1) return kWholeWord;
    const TraceAccess* access = sass_.access(read.at);
    if (access && access->kind == TraceAccess::Kind::Write) return wanted(read);
    std::span<const TraceValue> written = sass_.writes(read.at);
    bool single = written.size() == 1 && written[0].width == 32 && value.width == 32;
    if (!single) return kWholeWord;
    return bytesRead(sass_.instruction(read.at).text, sass_.trace(read.at.thread).name(value),
                     wanted({read.at, true, 0}));
  }

  Bytes wanted(const ValueRef& value) const {
    auto found = wanted_.find(value);
    return found == wanted_.end() ? kNoBytes : found->second;
  }

  void addRead(RegionStep& result, const ValueRef& read, Bytes bytes) {
    Origin origin = sass_.originOf(read);
    origin.bytes = bytes;
    addInput(result, read, origin);
    for (StepRef passed : sass_.passedWrites(read))
      deciders_.insert(passed);
  }

  void addMemory(RegionStep& result) {
    auto written = static_cast<std::uint32_t>(sass_.writes(result.step).size());
    for (std::uint32_t w = 0; w < written; ++w) {
      ValueRef value{result.step, true, w};
      if (Bytes bytes = wanted(value))
        for (const Origin& origin : sass_.memoryOrigins(value, bytes))
          addInput(result, value, origin);
    }
  }

  void addInput(RegionStep& result, const ValueRef& read, const Origin& origin) {
    Input input{read, Input::Status::Given, std::nullopt, origin};
    if (origin.kind == Origin::Kind::Step) classify(input);
    if (input.status == Input::Status::Different) {
      follow(origin.value, origin.bytes);
      if (carriers_.contains(read.at) && copiedBy(sass_.instruction(origin.value.at).text))
        carriers_.insert(origin.value.at);
    }
    result.inputs.push_back(input);
  }

  void follow(const ValueRef& value, Bytes bytes) {
    auto [entry, isNew] = wanted_.try_emplace(value, kNoBytes);
    Bytes all = entry->second | bytes;
    if (!isNew && all == entry->second) return;
    entry->second = all;
    if (isPending_.insert(value.at).second) pending_.push_back(value.at);
  }

  void classify(Input& input) {
    const ValueRef& value = input.origin.value;
    Bytes bytes = input.origin.bytes;
    if (!value.written) { // the operand of a store: what was stored is what that step read
      input.match = matchOfRead(value, bytes);
      input.status = input.match ? Input::Status::Same : Input::Status::Different;
      return;
    }
    if (value.index >= sass_.writes(value.at).size()) { // an atomic that gives nothing back
      input.status = Input::Status::Undecided;
      return;
    }
    if (isGiven(value.at)) {
      if (isWrongConstant(input)) input.status = Input::Status::Different;
      return;
    }
    if (sass_.value(value).width == 1) {
      input.status = statusOfPredicate(value, 0);
      return;
    }
    input.match = alignment_.match(value, bytes);
    bool same = input.match && (input.read.written || !isExtendedWrongly(input));
    input.status = same ? Input::Status::Same : Input::Status::Different;
  }

  /// It is handed on as it is to where the byte is wrong.
  bool isWrongConstant(const Input& input) {
    const TraceValue& value = sass_.value(input.read);
    return carriers_.contains(input.read.at) && value.role == TraceRole::Data && value.width > 1 &&
           sass_.passedWrites(input.read).empty();
  }

  /// PTX has it in 16 bits, and what reads all 32 of it takes them for another number than PTX does.
  bool isExtendedWrongly(const Input& input) {
    const TraceValue& theirs = ptx_.value(input.match->ptx);
    bool wide = (input.origin.bytes & kHighHalf) != 0 && theirs.width == 16 && !input.match->upper;
    return wide && isWronglyExtended(sass_, ptx_, alignment_, input.read);
  }

  /// A bit says nothing by itself, and SASS often has the opposite of PTX's predicate.
  Input::Status statusOfPredicate(const ValueRef& predicate, unsigned depth) {
    StepRef writer = predicate.at;
    if (!isTraced(writer)) return Input::Status::Different;
    std::optional<bool> same = agrees(sass_, ptx_, alignment_, predicate);
    if (same == false) return Input::Status::Different;
    auto other = combinedWith(sass_, predicate);
    if (other && depth < kMostCombined) {
      Origin origin = sass_.originOf(*other);
      bool written = origin.kind == Origin::Kind::Step && origin.value.written && !isGiven(origin.value.at);
      auto status = written ? statusOfPredicate(origin.value, depth + 1) : Input::Status::Given;
      if (status == Input::Status::Different) return status;
      if (status == Input::Status::Undecided) same.reset();
    }
    if (same) return Input::Status::Same;
    deciders_.insert(writer);
    return Input::Status::Undecided;
  }

  std::optional<Match> matchOfRead(const ValueRef& read, Bytes bytes) {
    Origin origin = sass_.originOf(read);
    if (origin.kind != Origin::Kind::Step || !origin.value.written) return std::nullopt;
    return alignment_.match(origin.value, bytes);
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
  std::set<StepRef> isPending_, deciders_;
  std::map<ValueRef, Bytes> wanted_; ///< of the values that PTX does not have
  std::set<StepRef> carriers_;       ///< they hand on what is stored in the end
};

} // namespace

const RegionStep* Region::first() const {
  auto found = std::find_if(steps.rbegin(), steps.rend(), [](const RegionStep& step) { return step.first; });
  return found == steps.rend() ? nullptr : &*found;
}

Region findRegion(History& sass, History& ptx, Alignment& alignment, StepRef root,
                  std::optional<ValueRef> wrong, Bytes bytes) {
  if (!wrong) return findRegion(sass, ptx, alignment, root, TraceRole::Data);
  return Walk(sass, ptx, alignment).run({root, [&](const ValueRef& read) { return read == *wrong; }, bytes});
}

Region findRegion(History& sass, History& ptx, Alignment& alignment, StepRef root, TraceRole role) {
  return Walk(sass, ptx, alignment).run({root, [&](const ValueRef& read) {
                                           return sass.value(read).role == role;
                                         }});
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

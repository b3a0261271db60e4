#include "harness/explain/history.h"

#include <algorithm>

namespace harness::explain {

History::Entry& History::entry(ThreadId thread) {
  std::unique_ptr<Entry>& slot = entries_[thread];
  if (slot) return *slot;
  slot = std::make_unique<Entry>(source_.trace(thread, until_));
  const Trace& trace = slot->trace;
  for (std::uint32_t i = 0; i < trace.steps().size(); ++i) {
    const TraceStep& step = trace.steps()[i];
    for (const TraceValue& value : trace.writes(step)) {
      std::vector<std::uint32_t>& steps = slot->writers[value.location];
      if (steps.empty() || steps.back() != i) steps.push_back(i);
    }
    const TraceAccess* access = trace.access(step);
    if (access && access->kind != TraceAccess::Kind::Read) slot->stores.push_back(i);
  }
  return *slot;
}

const TraceValue& History::value(const ValueRef& ref) {
  return (ref.written ? writes(ref.at) : reads(ref.at))[ref.index];
}

bool History::isGuarded(StepRef ref) {
  std::span<const TraceValue> read = reads(ref);
  return std::any_of(read.begin(), read.end(),
                     [](const TraceValue& value) { return value.role == TraceRole::Guard; });
}

std::optional<StepRef> History::stepAt(ThreadId thread, std::uint64_t order) {
  const std::vector<TraceStep>& steps = trace(thread).steps();
  auto found =
      std::lower_bound(steps.begin(), steps.end(), order,
                       [](const TraceStep& step, std::uint64_t wanted) { return step.order < wanted; });
  if (found == steps.end() || found->order != order) return std::nullopt;
  return StepRef{thread, static_cast<std::uint32_t>(found - steps.begin())};
}

Origin History::originOf(const ValueRef& read) {
  const TraceValue& value = this->value(read);
  if (value.location == TraceValue::kNowhere) return {Origin::Kind::Constant, {}};
  ThreadId thread = read.at.thread;
  if (value.thread != TraceValue::kOwn) thread.thread = value.thread;
  std::uint64_t order = step(read.at).order;
  Entry& there = entry(thread);
  auto writers = there.writers.find(value.location);
  if (writers != there.writers.end()) {
    const std::vector<TraceStep>& steps = there.trace.steps();
    auto place =
        std::lower_bound(writers->second.begin(), writers->second.end(), order,
                         [&](std::uint32_t i, std::uint64_t before) { return steps[i].order < before; });
    while (place != writers->second.begin()) {
      std::uint32_t i = *--place;
      if (!steps[i].executed) continue;
      std::span<const TraceValue> written = there.trace.writes(steps[i]);
      for (std::uint32_t w = 0; w < written.size(); ++w)
        if (written[w].location == value.location) return {Origin::Kind::Step, {{thread, i}, true, w}};
    }
  }
  return {there.trace.forgotten() ? Origin::Kind::Lost : Origin::Kind::Unwritten, {}};
}

std::vector<StepRef> History::passedWrites(const ValueRef& read) {
  const TraceValue& value = this->value(read);
  if (value.location == TraceValue::kNowhere || value.thread != TraceValue::kOwn) return {};
  ThreadId thread = read.at.thread;
  Entry& there = entry(thread);
  auto writers = there.writers.find(value.location);
  if (writers == there.writers.end()) return {};
  std::vector<StepRef> passed;
  auto place = std::lower_bound(writers->second.begin(), writers->second.end(), read.at.step);
  while (place != writers->second.begin() && !there.trace.steps()[*--place].executed)
    passed.push_back({thread, *place});
  return passed;
}

std::optional<StepRef> History::ownStore(ThreadId thread, std::uint32_t before, TraceSpace space,
                                         std::uint64_t address) {
  Entry& there = entry(thread);
  auto place = std::lower_bound(there.stores.begin(), there.stores.end(), before);
  while (place != there.stores.begin()) {
    std::uint32_t i = *--place;
    const TraceAccess& access = *there.trace.access(there.trace.steps()[i]);
    if (access.space == space && access.covers(address)) return StepRef{thread, i};
  }
  return std::nullopt;
}

std::optional<ValueRef> History::storedValue(StepRef store, std::uint64_t address) {
  const TraceAccess* access = this->access(store);
  if (!access || !access->covers(address)) return std::nullopt;
  std::uint64_t offset = address - access->address;
  std::span<const TraceValue> values = reads(store);
  for (std::uint32_t i = 0; i < values.size(); ++i)
    if (values[i].memoryOffset != TraceValue::kNoMemory &&
        offset - values[i].memoryOffset < values[i].memoryBytes)
      return ValueRef{store, false, i};
  return std::nullopt;
}

Origin History::byteOrigin(StepRef load, TraceSpace space, std::uint64_t address) {
  std::optional<StepRef> store;
  if (space == TraceSpace::Global || space == TraceSpace::Shared) {
    auto last = source_.lastStore(space, load.thread.block, address, step(load).order);
    if (!last) return {Origin::Kind::Initial, {}};
    store = stepAt(last->thread, last->order);
  } else {
    store = ownStore(load.thread, load.step, space, address);
    if (!store) return {trace(load.thread).forgotten() ? Origin::Kind::Lost : Origin::Kind::Initial, {}};
  }
  if (!store) return {Origin::Kind::Lost, {}};
  std::optional<ValueRef> value = storedValue(*store, address);
  // An atomic, or a copy from elsewhere: the step itself is all there is to say.
  return {Origin::Kind::Step, value ? *value : ValueRef{*store, true, 0}};
}

Bytes History::storedByte(const ValueRef& stored, std::uint64_t address) {
  std::uint64_t offset = address - access(stored.at)->address - value(stored).memoryOffset;
  return offset < 8 ? static_cast<Bytes>(1u << offset) : kNoBytes;
}

std::vector<Origin> History::memoryOrigins(const ValueRef& written, Bytes wanted) {
  const TraceValue& value = this->value(written);
  const TraceAccess* access = this->access(written.at);
  std::vector<Origin> origins;
  if (!access || value.memoryOffset == TraceValue::kNoMemory) return origins;
  for (std::uint32_t byte = 0; byte < value.memoryBytes; ++byte) {
    // What is above the last byte is its extension.
    bool last = byte + 1 == value.memoryBytes;
    if (byte < 8 && !(last ? wanted >> byte : wanted >> byte & 1)) continue;
    std::uint64_t address = access->address + value.memoryOffset + byte;
    // Looking for a store runs the launch again; one that has been found mostly wrote the next byte too.
    bool again = !origins.empty() && origins.back().kind == Origin::Kind::Step &&
                 !origins.back().value.written &&
                 storedValue(origins.back().value.at, address) == origins.back().value;
    Origin origin = again ? origins.back() : byteOrigin(written.at, access->space, address);
    bool isStored = origin.kind == Origin::Kind::Step && !origin.value.written;
    origin.bytes = isStored ? storedByte(origin.value, address) : kAllBytes;
    if (origins.empty() || origin.kind != origins.back().kind || origin.value != origins.back().value)
      origins.push_back(origin);
    else
      origins.back().bytes |= origin.bytes;
  }
  return origins;
}

} // namespace harness::explain

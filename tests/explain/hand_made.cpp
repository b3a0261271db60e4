#include "tests/explain/hand_made.h"

namespace harness::explain::test {

namespace {

std::uint8_t widthOf(const std::string& name) {
  if (name.starts_with("P") || name.starts_with("%p")) return 1;
  if (name.starts_with("%rs")) return 16;
  return name.starts_with("%rd") ? 64 : 32;
}

} // namespace

HandMade& HandMade::thread(ThreadId id) {
  thread_ = id;
  return *this;
}

std::uint32_t HandMade::number(const std::string& place, std::uint32_t line, const std::string& text) {
  auto [entry, isNew] = numbers_.try_emplace(place + text, static_cast<std::uint32_t>(instructions_.size()));
  if (isNew) instructions_.push_back({text, place, line, false});
  return entry->second;
}

HandMade& HandMade::instruction(const std::string& place, std::uint32_t line, const std::string& text) {
  number(place, line, text);
  return *this;
}

HandMade& HandMade::step(const std::string& place, std::uint32_t line, const std::string& text,
                         std::vector<Held> reads, std::vector<Held> writes) {
  steps_.push_back({thread_, number(place, line, text), std::move(reads), std::move(writes), std::nullopt,
                    true, std::nullopt});
  return *this;
}

HandMade& HandMade::guard(const Held& predicate, bool holds) {
  steps_.back().guard = predicate;
  steps_.back().executed = holds;
  return *this;
}

HandMade& HandMade::access(TraceSpace space, TraceAccess::Kind kind, std::uint64_t address,
                           std::uint32_t bytes) {
  steps_.back().access = TraceAccess{space, kind, bytes, address};
  return *this;
}

TraceValue HandMade::valueOf(Trace& trace, const Held& held, TraceRole role) {
  auto [entry, isNew] = locations_.try_emplace(held.name, static_cast<std::uint32_t>(locations_.size()));
  TraceValue value;
  value.location = entry->second;
  value.bits = held.bits;
  value.name = trace.nameNumber(held.name);
  value.thread = held.thread;
  value.width = widthOf(held.name);
  value.role = role;
  return value;
}

const Trace& HandMade::trace(ThreadId thread, std::uint64_t until) {
  std::unique_ptr<Trace>& slot = traces_[thread];
  if (slot) return *slot;
  slot = std::make_unique<Trace>();
  slot->instructions = instructions_;
  for (std::size_t order = 1; order <= steps_.size() && order <= until; ++order) {
    const Step& step = steps_[order - 1];
    if (step.thread != thread) continue;
    slot->begin(order, step.instruction, step.executed);
    if (step.guard) slot->addRead(valueOf(*slot, *step.guard, TraceRole::Guard));
    auto place = [&](TraceValue& value) {
      value.memoryOffset = 0;
      value.memoryBytes = static_cast<std::uint8_t>(step.access->bytes);
    };
    bool stores = step.access && step.access->kind == TraceAccess::Kind::Write;
    bool loads = step.access && step.access->kind == TraceAccess::Kind::Read;
    for (std::size_t i = 0; step.executed && i < step.reads.size(); ++i) {
      bool data = !step.access || (stores && i + 1 == step.reads.size());
      TraceValue value = valueOf(*slot, step.reads[i], data ? TraceRole::Data : TraceRole::Address);
      if (stores && data) place(value);
      slot->addRead(value);
    }
    for (std::size_t i = 0; i < step.writes.size(); ++i) {
      TraceValue value = valueOf(*slot, step.writes[i], TraceRole::Data);
      if (loads && i == 0) place(value);
      slot->addWrite(value);
    }
    if (step.access && step.executed) slot->setAccess(*step.access);
  }
  return *slot;
}

std::optional<TraceStore> HandMade::lastStore(TraceSpace space, std::uint64_t block, std::uint64_t address,
                                              std::uint64_t before) {
  for (std::size_t order = std::min<std::uint64_t>(steps_.size(), before - 1); order > 0; --order) {
    const Step& step = steps_[order - 1];
    if (!step.executed || !step.access || step.access->kind == TraceAccess::Kind::Read) continue;
    if (step.access->space != space || !step.access->covers(address)) continue;
    if (space == TraceSpace::Shared && step.thread.block != block) continue;
    return TraceStore{step.thread, order, step.access->kind == TraceAccess::Kind::Atomic};
  }
  return std::nullopt;
}

std::vector<std::string> partings(const std::vector<ShownStep>& steps) {
  std::vector<std::string> found;
  for (const ShownStep& step : steps)
    if (step.parting) found.push_back(step.text);
  return found;
}

} // namespace harness::explain::test

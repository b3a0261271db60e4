#include "harness/simt/trace.h"

#include <algorithm>

namespace harness {

std::string_view toString(TraceSpace space) {
  static constexpr std::string_view kNames[] = {"global", "shared", "local", "param", "constant"};
  return kNames[static_cast<std::size_t>(space)];
}

std::span<const TraceValue> Trace::reads(const TraceStep& step) const {
  return std::span(values_).subspan(step.firstValue, step.reads);
}

std::span<const TraceValue> Trace::writes(const TraceStep& step) const {
  return std::span(values_).subspan(step.firstValue + step.reads, step.writes);
}

const TraceAccess* Trace::access(const TraceStep& step) const {
  return step.access < 0 ? nullptr : &accesses_[static_cast<std::size_t>(step.access)];
}

std::uint32_t Trace::nameNumber(std::string_view name) {
  auto [entry, isNew] = nameNumbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(names.size()));
  if (isNew) names.emplace_back(name);
  return entry->second;
}

void Trace::begin(std::uint64_t order, std::uint32_t instruction, bool executed) {
  if (steps_.size() == kMostSteps || values_.size() > kMostValues) forgetOldest();
  if (instruction >= occurrences_.size()) occurrences_.resize(instruction + 1);
  TraceStep step;
  step.order = order;
  step.instruction = instruction;
  step.occurrence = occurrences_[instruction]++;
  step.firstValue = static_cast<std::uint32_t>(values_.size());
  step.executed = executed;
  steps_.push_back(step);
}

void Trace::addRead(const TraceValue& value) {
  values_.push_back(value);
  ++steps_.back().reads;
}

void Trace::addWrite(const TraceValue& value) {
  values_.push_back(value);
  ++steps_.back().writes;
}

void Trace::setAccess(const TraceAccess& access) {
  steps_.back().access = static_cast<std::int32_t>(accesses_.size());
  accesses_.push_back(access);
}

std::span<TraceValue> Trace::lastReads() {
  return std::span(values_).subspan(steps_.back().firstValue, steps_.back().reads);
}

void Trace::forgetOldest() {
  std::size_t half = steps_.size() / 2;
  std::uint32_t firstValue = steps_[half].firstValue;
  std::int32_t firstAccess = static_cast<std::int32_t>(accesses_.size());
  for (std::size_t i = steps_.size(); i-- > half;)
    if (steps_[i].access >= 0) firstAccess = steps_[i].access;
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(half));
  values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(firstValue));
  accesses_.erase(accesses_.begin(), accesses_.begin() + firstAccess);
  for (TraceStep& step : steps_) {
    step.firstValue -= firstValue;
    if (step.access >= 0) step.access -= firstAccess;
  }
  forgotten_ += half;
}

} // namespace harness

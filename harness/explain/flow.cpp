#include "harness/explain/flow.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSwitch.h>

#include <algorithm>

namespace harness::explain {

namespace {

enum class Way : std::uint8_t { On, Branch, End, Anywhere };

struct Parsed {
  bool guarded = false;
  llvm::StringRef opcode, operands;
};

Parsed parse(llvm::StringRef text) {
  Parsed parsed;
  parsed.guarded = text.starts_with("@");
  if (parsed.guarded) text = text.split(' ').second;
  auto [mnemonic, operands] = text.split(' ');
  parsed.opcode = mnemonic.split('.').first;
  parsed.operands = operands;
  return parsed;
}

Way wayOf(llvm::StringRef opcode) {
  return llvm::StringSwitch<Way>(opcode)
      .Case("BRA", Way::Branch)
      .Cases("EXIT", "RET", "KILL", Way::End)
      .Cases("BRX", "BRXU", "JMX", "JMXU", "JMP", Way::Anywhere)
      .Default(Way::On);
}

/// BRA's target is its last operand; what stands before it decides too.
bool hasCondition(const Parsed& parsed) {
  return parsed.guarded || parsed.operands.contains(',');
}

} // namespace

std::vector<std::uint32_t> Flow::storesOf(std::uint32_t line) const {
  std::vector<std::uint32_t> stores;
  for (std::uint32_t i = 0; i < trace_.instructions.size(); ++i) {
    if (line == 0 || trace_.instructions[i].line != line) continue;
    llvm::StringRef opcode = parse(trace_.instructions[i].text).opcode;
    if (opcode.starts_with("ST") || opcode.starts_with("RED") || opcode.starts_with("ATOM"))
      stores.push_back(i);
  }
  return stores;
}

std::optional<std::uint32_t> Flow::targetOf(std::uint32_t instruction) const {
  llvm::StringRef target = parse(trace_.instructions[instruction].text).operands.rsplit(' ').second;
  if (target.empty()) target = parse(trace_.instructions[instruction].text).operands;
  std::uint64_t offset = 0, own = 0;
  if (target.getAsInteger(0, offset) ||
      llvm::StringRef(trace_.instructions[instruction].place).getAsInteger(0, own))
    return std::nullopt;
  // Places and targets both count from the start of the section, in bytes.
  std::int64_t at =
      std::int64_t{instruction} + (static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(own)) / 16;
  if (at < 0 || at >= static_cast<std::int64_t>(trace_.instructions.size())) return std::nullopt;
  return static_cast<std::uint32_t>(at);
}

std::vector<std::uint32_t> Flow::successors(std::uint32_t instruction) const {
  Parsed parsed = parse(trace_.instructions[instruction].text);
  std::vector<std::uint32_t> next;
  Way way = wayOf(parsed.opcode);
  bool on = way == Way::On || hasCondition(parsed);
  if (on && instruction + 1 < trace_.instructions.size()) next.push_back(instruction + 1);
  if (way == Way::Branch)
    if (auto target = targetOf(instruction)) next.push_back(*target);
  return next;
}

bool Flow::isDecision(std::uint32_t instruction) const {
  Parsed parsed = parse(trace_.instructions[instruction].text);
  return wayOf(parsed.opcode) != Way::On && hasCondition(parsed);
}

std::vector<bool> Flow::reaching(const std::vector<std::uint32_t>& targets) const {
  std::size_t count = trace_.instructions.size();
  std::vector<std::vector<std::uint32_t>> before(count);
  std::vector<bool> reaches(count);
  std::vector<std::uint32_t> pending = targets;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (wayOf(parse(trace_.instructions[i].text).opcode) == Way::Anywhere) pending.push_back(i);
    for (std::uint32_t next : successors(i))
      before[next].push_back(i);
  }
  for (std::uint32_t target : pending)
    reaches[target] = true;
  while (!pending.empty()) {
    std::uint32_t at = pending.back();
    pending.pop_back();
    for (std::uint32_t from : before[at]) {
      if (reaches[from]) continue;
      reaches[from] = true;
      pending.push_back(from);
    }
  }
  return reaches;
}

std::optional<StepRef> whereLeft(History& sass, ThreadId thread, const std::vector<std::uint32_t>& targets) {
  const Trace& trace = sass.trace(thread);
  std::vector<bool> reaches = Flow(trace).reaching(targets);
  for (std::size_t i = trace.steps().size(); i-- > 0;)
    if (reaches[trace.steps()[i].instruction]) return StepRef{thread, static_cast<std::uint32_t>(i)};
  return std::nullopt;
}

std::optional<StepRef> whereEntered(History& sass, StepRef reached) {
  const Trace& trace = sass.trace(reached.thread);
  Flow flow(trace);
  std::vector<bool> reaches = flow.reaching({sass.step(reached).instruction});
  for (std::uint32_t i = reached.step; i-- > 0;) {
    std::uint32_t instruction = trace.steps()[i].instruction;
    if (!flow.isDecision(instruction)) continue;
    std::vector<std::uint32_t> next = flow.successors(instruction);
    bool ends = next.size() < 2;
    bool past = std::any_of(next.begin(), next.end(), [&](std::uint32_t at) { return !reaches[at]; });
    if (ends || past) return StepRef{reached.thread, i};
  }
  return std::nullopt;
}

} // namespace harness::explain

#pragma once

#include "harness/explain/explanation.h"
#include "harness/simt/trace.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace harness::explain::test {

/// A register and what it holds: "R4", 0x250e. Names that begin with P are predicates, those of PTX are as
/// wide as their names say (%rs, %rd, %p, else 32 bits).
struct Held {
  std::string name;
  std::uint64_t bits = 0;
  std::uint32_t thread = TraceValue::kOwn;
};

/// An execution written down by hand. All threads run the same instructions, which are told apart by place.
class HandMade : public TraceSource {
public:
  /// Steps that are added belong to this thread.
  HandMade& thread(ThreadId id);
  HandMade& step(const std::string& place, std::uint32_t line, const std::string& text,
                 std::vector<Held> reads, std::vector<Held> writes);
  /// The guard of the last step.
  HandMade& guard(const Held& predicate, bool holds);
  /// What the last step did to memory. Of a store the last value that it reads, of a load the first that it
  /// writes.
  HandMade& access(TraceSpace space, TraceAccess::Kind kind, std::uint64_t address, std::uint32_t bytes);
  /// An instruction of the program that no thread may come to.
  HandMade& instruction(const std::string& place, std::uint32_t line, const std::string& text);

  const Trace& trace(ThreadId thread, std::uint64_t until = kEnd) override;
  std::optional<TraceStore> lastStore(TraceSpace space, std::uint64_t block, std::uint64_t address,
                                      std::uint64_t before = kEnd) override;

private:
  struct Step {
    ThreadId thread;
    std::uint32_t instruction = 0;
    std::vector<Held> reads, writes;
    std::optional<Held> guard;
    bool executed = true;
    std::optional<TraceAccess> access;
  };
  std::uint32_t number(const std::string& place, std::uint32_t line, const std::string& text);
  TraceValue valueOf(Trace& trace, const Held& held, TraceRole role);

  ThreadId thread_;
  std::vector<TraceInstruction> instructions_;
  std::map<std::string, std::uint32_t> numbers_, locations_;
  std::vector<Step> steps_;
  std::map<ThreadId, std::unique_ptr<Trace>> traces_;
};

/// Where it says that the sides part, of one side.
std::vector<std::string> partings(const std::vector<ShownStep>& steps);

} // namespace harness::explain::test

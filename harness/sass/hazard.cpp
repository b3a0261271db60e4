#include "harness/sass/hazard.h"

#include "harness/sass/control_word.h"
#include "harness/sass/register_access.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace harness::sass {

namespace {

constexpr std::uint8_t kMaxAge = 63;       ///< DEPBAR's largest count
constexpr std::size_t kMaxPending = 1024;  ///< at one place
constexpr std::size_t kMaxWork = 50000000; ///< instructions followed, and what is pending at them

/// Whose results come in the order of the instructions: to wait for one is to wait for those before it. ptxas
/// 12.8 and 12.9 rely on it: of several S2UR the last may have the only scoreboard.
constexpr std::string_view kInOrder = "S2UR";

struct Instruction {
  RegisterAccess access;
  bool inOrder = false;
  ControlWord control;
  std::optional<TextOperand> guard;
  std::vector<std::size_t> successors;
  bool never = false;              ///< its guard is false
  std::optional<unsigned> counted; ///< DEPBAR.LE: the scoreboard …
  std::uint8_t allowed = 0;        ///< … and how many may go on
  unsigned drained = 0;            ///< DEPBAR …, {1, 2}: a mask
};

/// What an instruction still has to do.
enum class Duty : std::uint8_t { Write, Read };

/// An instruction that is not done.
struct Pending {
  std::uint32_t instruction = 0;
  Duty duty = Duty::Write;
  std::uint8_t scoreboard = kNoScoreboard;
  std::uint8_t age = 0; ///< instructions after it on its scoreboard; the fewest of all paths

  auto key() const { return std::tuple(instruction, duty, scoreboard); }
};

/// All that is not done at one place, ordered by key.
using State = std::vector<Pending>;

/// Adds to `into` what is pending on another path; true if that changed it.
bool merge(State& into, const State& from) {
  State all;
  all.reserve(into.size() + from.size());
  bool changed = false;
  auto a = into.begin();
  auto b = from.begin();
  while (a != into.end() || b != from.end()) {
    if (b == from.end() || (a != into.end() && a->key() < b->key())) {
      all.push_back(*a++);
    } else if (a == into.end() || b->key() < a->key()) {
      all.push_back(*b++);
      changed = true;
    } else {
      changed |= b->age < a->age;
      all.push_back(*a);
      all.back().age = std::min(a->age, b->age);
      ++a, ++b;
    }
  }
  if (changed) into = std::move(all);
  return changed;
}

class Checker {
public:
  Checker(std::string_view section, const Listing& listing) : section_(section), listing_(listing) {
    for (std::size_t i = 0; i < listing.instructions.size(); ++i)
      instructions_.push_back(read(i));
  }

  std::vector<Hazard> run() {
    std::vector<State> before(instructions_.size());
    std::set<std::size_t> open;
    for (std::size_t i = 0; i < instructions_.size(); ++i)
      open.insert(i);
    for (std::size_t work = 0; !open.empty();) {
      std::size_t at = *open.begin();
      open.erase(open.begin());
      State state = before[at];
      step(at, state);
      work += 1 + state.size();
      if (state.size() > kMaxPending || work > kMaxWork) return {};
      for (std::size_t next : instructions_[at].successors)
        if (merge(before[next], state)) open.insert(next);
    }
    std::vector<Hazard> hazards;
    for (auto& [places, hazard] : found_)
      hazards.push_back(std::move(hazard));
    return hazards;
  }

private:
  Instruction read(std::size_t index) const {
    const ListedInstruction& listed = listing_.instructions[index];
    Instruction instruction;
    instruction.control = ControlWord::decode(listed.high);
    auto text = listed.illegal ? std::nullopt : parseInstruction(listed.text);
    if (!text) return instruction;
    instruction.access = accessOf(*text);
    instruction.inOrder = text->opcode == kInOrder;
    const auto& guard = instruction.guard = text->guard;
    instruction.never = guard && guard->index == kTruePredicate && guard->inverted;
    if (text->opcode == "DEPBAR") readDepbar(*text, instruction);
    readSuccessors(index, *text, instruction);
    return instruction;
  }

  /// "DEPBAR.LE SB0, 0x1, {2,3}" and "DEPBAR {2,3}".
  static void readDepbar(const TextInstruction& text, Instruction& instruction) {
    for (const TextOperand& operand : text.operands) {
      llvm::StringRef name(operand.text);
      unsigned scoreboard = 0;
      if (name.consume_front("SB") && !name.getAsInteger(10, scoreboard) && scoreboard < kScoreboards)
        instruction.counted = scoreboard;
      else if (operand.kind == OperandKind::Number)
        instruction.allowed = static_cast<std::uint8_t>(std::clamp<std::int64_t>(operand.number, 0, kMaxAge));
      else if (operand.text.starts_with("{"))
        for (char digit : operand.text)
          if (digit >= '0' && digit < '0' + static_cast<int>(kScoreboards))
            instruction.drained |= 1u << (digit - '0');
    }
  }

  void readSuccessors(std::size_t index, const TextInstruction& text, Instruction& instruction) const {
    static const std::set<std::string_view> kEnds = {"EXIT", "RET",  "BRX",  "BRXU", "JMP",
                                                     "JMX",  "JMXU", "KILL", "BPT",  "RTT"};
    bool guarded = text.guard && !(text.guard->index == kTruePredicate && !text.guard->inverted);
    bool branch = text.opcode == "BRA", call = text.opcode == "CALL";
    if (branch || call) {
      const TextOperand* target = text.operands.empty() ? nullptr : &text.operands.back();
      bool absolute = std::find(text.modifiers.begin(), text.modifiers.end(), "ABS") != text.modifiers.end();
      if (!instruction.never && !absolute && target && target->kind == OperandKind::Number &&
          target->number >= 0 && target->number % 16 == 0 &&
          static_cast<std::uint64_t>(target->number) / 16 < listing_.instructions.size())
        instruction.successors.push_back(static_cast<std::size_t>(target->number) / 16);
    }
    // After a call nobody knows what is pending.
    bool ends = kEnds.contains(text.opcode) || call || (branch && text.operands.size() == 1);
    if ((!ends || guarded) && index + 1 < listing_.instructions.size())
      instruction.successors.push_back(index + 1);
  }

  /// Takes the state before an instruction to the one after it.
  void step(std::size_t at, State& state) {
    const Instruction& instruction = instructions_[at];
    const ControlWord& control = instruction.control;
    for (unsigned scoreboard = 0; scoreboard < kScoreboards; ++scoreboard)
      if ((control.waitMask | instruction.drained) >> scoreboard & 1) wait(state, scoreboard, 0);
    if (instruction.counted) wait(state, *instruction.counted, instruction.allowed);
    if (!instruction.never) check(at, state);
    announce(at, state);
  }

  /// Who is done once at most `allowed` instructions are left on a scoreboard. What has written its results
  /// has read its sources.
  void wait(State& state, unsigned scoreboard, unsigned allowed) const {
    std::set<std::uint32_t> written;
    auto done = [=](const Pending& pending) {
      return pending.scoreboard == scoreboard && pending.age >= allowed;
    };
    for (const Pending& pending : state)
      if (done(pending) && pending.duty == Duty::Write) written.insert(pending.instruction);
    std::uint32_t last = 0; // of those that are done in order
    for (std::uint32_t instruction : written)
      if (instructions_[instruction].inOrder) last = instruction;
    auto overtaken = [&](const Pending& pending) {
      return pending.scoreboard == kNoScoreboard && pending.instruction < last &&
             instructions_[pending.instruction].inOrder;
    };
    std::erase_if(state, [&](const Pending& pending) {
      return done(pending) || overtaken(pending) ||
             (pending.duty == Duty::Read && written.contains(pending.instruction));
    });
  }

  void check(std::size_t at, const State& state) {
    const RegisterAccess& access = instructions_[at].access;
    for (const Pending& pending : state) {
      const Instruction& earlier = instructions_[pending.instruction];
      if (excludeEachOther(earlier, instructions_[at])) continue;
      const RegisterAccess& other = earlier.access;
      if (pending.duty == Duty::Write) {
        compare(at, pending, other.writes, access.reads);
        compare(at, pending, other.writes, access.writes);
      } else if (!(other.queued && access.queued)) {
        compare(at, pending, other.reads, access.writes);
      }
    }
  }

  /// @P0 and @!P0: no lane executes both.
  static bool excludeEachOther(const Instruction& a, const Instruction& b) {
    return a.guard && b.guard && a.guard->kind == b.guard->kind && a.guard->index == b.guard->index &&
           a.guard->inverted != b.guard->inverted;
  }

  /// Of sources only general registers count: the others, and guards, are read when an instruction issues.
  void compare(std::size_t at, const Pending& pending, const std::vector<RegisterRange>& first,
               const std::vector<RegisterRange>& second) {
    for (const RegisterRange& a : first)
      for (const RegisterRange& b : second)
        if (a.overlaps(b) && (pending.duty == Duty::Write || a.file == RegisterFile::General))
          report(at, pending, a, b);
  }

  void report(std::size_t at, const Pending& pending, const RegisterRange& a, const RegisterRange& b) {
    Hazard hazard;
    hazard.kind = pending.duty == Duty::Read            ? Hazard::Kind::Source
                  : pending.scoreboard == kNoScoreboard ? Hazard::Kind::Unannounced
                                                        : Hazard::Kind::Result;
    hazard.section = section_;
    hazard.first = pending.instruction * std::uint64_t{16};
    hazard.second = at * std::uint64_t{16};
    hazard.firstText = listing_.instructions[pending.instruction].text;
    hazard.secondText = listing_.instructions[at].text;
    unsigned from = std::max(a.first, b.first), to = std::min(a.first + a.count, b.first + b.count);
    hazard.registers = RegisterRange{a.file, from, to - from}.str();
    hazard.scoreboard = pending.scoreboard;
    found_.emplace(std::pair(hazard.first, hazard.second), std::move(hazard));
  }

  /// Adds what the instruction itself leaves to be waited for.
  void announce(std::size_t at, State& state) const {
    const Instruction& instruction = instructions_[at];
    const ControlWord& control = instruction.control;
    State added;
    auto add = [&](Duty duty, unsigned scoreboard) {
      added.push_back({static_cast<std::uint32_t>(at), duty, static_cast<std::uint8_t>(scoreboard), 0});
    };
    // It counts again: what it left the last time round is older, and the newer one covers it.
    std::erase_if(state, [=](const Pending& pending) { return pending.instruction == at; });
    for (Pending& pending : state)
      for (unsigned scoreboard : {control.writeBarrier, control.readBarrier})
        if (scoreboard < kScoreboards && pending.scoreboard == scoreboard && pending.age < kMaxAge)
          ++pending.age;
    if (control.writeBarrier < kScoreboards)
      add(Duty::Write, control.writeBarrier);
    else if (instruction.access.latency == Latency::Strict && control.stall != 0 && !instruction.never)
      add(Duty::Write, kNoScoreboard);
    if (control.readBarrier < kScoreboards) add(Duty::Read, control.readBarrier);
    if (!added.empty()) merge(state, added);
  }

  std::string section_;
  const Listing& listing_;
  std::vector<Instruction> instructions_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Hazard> found_;
};

} // namespace

std::string Hazard::describe() const {
  const char* when = kind == Kind::Source ? "is overwritten" : "is touched";
  std::string cause = kind == Kind::Unannounced
                          ? "although no scoreboard announces it"
                          : "before scoreboard " + std::to_string(scoreboard) + " was waited for";
  return llvm::formatv("{0} of '{1}' ({2} {3:x-4}) {4} by '{5}' ({6:x-4}) {7}", registers, firstText, section,
                       first, when, secondText, second, cause)
      .str();
}

std::vector<Hazard> findHazards(std::string_view section, const Listing& listing) {
  return Checker(section, listing).run();
}

} // namespace harness::sass

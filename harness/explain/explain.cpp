#include "harness/explain/explain.h"

#include "harness/explain/alignment.h"
#include "harness/explain/history.h"
#include "harness/explain/meaning.h"
#include "harness/explain/parting.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <set>

namespace harness::explain {

namespace {

constexpr std::size_t kMostSteps = 200; ///< of one side in an explanation

std::string hexByte(std::uint8_t byte) {
  return llvm::formatv("{0:x2}", byte).str();
}

std::string threadName(const ThreadId& id, const Launch& launch) {
  const auto &grid = launch.grid, &block = launch.block;
  return llvm::formatv("thread ({0},{1},{2}) of block ({3},{4},{5})", id.thread % block[0],
                       id.thread / block[0] % block[1], id.thread / (std::uint64_t{block[0]} * block[1]),
                       id.block % grid[0], id.block / grid[0] % grid[1],
                       id.block / (std::uint64_t{grid[0]} * grid[1]))
      .str();
}

/// Makes steps showable.
class Display {
public:
  Display(History& history, Alignment* alignment, History* ptx)
      : history_(history), alignment_(alignment), ptx_(ptx) {}

  ShownStep show(StepRef ref) {
    const TraceInstruction& instruction = history_.instruction(ref);
    const TraceStep& step = history_.step(ref);
    ShownStep shown;
    shown.place = instruction.place;
    shown.line = instruction.line;
    shown.text = instruction.text;
    shown.executed = step.executed;
    std::size_t reads = history_.reads(ref).size(), writes = step.executed ? history_.writes(ref).size() : 0;
    for (std::uint32_t i = 0; i < reads; ++i)
      if (isShown({ref, false, i})) add(shown.reads, instruction.text, {ref, false, i});
    for (std::uint32_t w = 0; w < writes; ++w)
      add(shown.writes, instruction.text, {ref, true, w});
    if (const TraceAccess* access = step.executed ? history_.access(ref) : nullptr)
      shown.memory = describe(*access, ref);
    return shown;
  }

  std::string nameOf(const Match& match) {
    return history_.trace(match.ptx.at.thread).name(history_.value(match.ptx));
  }

private:
  /// Addresses stand with the access, and a guard says itself whether it held.
  bool isShown(const ValueRef& ref) {
    const TraceValue& value = history_.value(ref);
    if (value.role == TraceRole::Address) return false;
    return value.role != TraceRole::Guard || !history_.step(ref.at).executed;
  }

  void add(std::vector<ShownValue>& list, const std::string& text, const ValueRef& ref) {
    const TraceValue& value = history_.value(ref);
    ShownValue shown;
    shown.name = history_.trace(ref.at.thread).name(value);
    shown.bits = value.bits;
    shown.width = value.width;
    if (value.width > 1) shown.meaning = floatMeaning(text, ref.written, value.bits, value.width);
    if (value.thread != TraceValue::kOwn) shown.thread = "of thread " + std::to_string(value.thread);
    if (alignment_ && value.width > 1) shown.same = sameIn(ref);
    // A register that is read twice is shown once.
    bool known = std::any_of(list.begin(), list.end(), [&](const ShownValue& one) {
      return one.name == shown.name && one.thread == shown.thread && one.bits == shown.bits;
    });
    if (!known) list.push_back(std::move(shown));
  }

  std::string sameIn(const ValueRef& ref) {
    ValueRef written = ref;
    if (!ref.written) {
      Origin origin = history_.originOf(ref);
      if (origin.kind != Origin::Kind::Step || !origin.value.written) return "";
      written = origin.value;
    }
    auto match = alignment_->match(written);
    if (!match) return "";
    return ptx_->trace(match->ptx.at.thread).name(ptx_->value(match->ptx)) + " of " +
           ptx_->instruction(match->ptx.at).place;
  }

  std::string describe(const TraceAccess& access, StepRef ref) {
    static constexpr const char* kWhat[] = {"loads", "stores", "changes"};
    std::string text = llvm::formatv("{0} {1} byte{2}", kWhat[static_cast<std::size_t>(access.kind)],
                                     access.bytes, access.bytes == 1 ? "" : "s")
                           .str();
    if (access.kind == TraceAccess::Kind::Write && access.bytes <= 8) {
      std::string value = stored(access, ref);
      if (!value.empty()) text = "stores " + value;
    }
    return text + llvm::formatv(" {0} {1} {2:x}", access.kind == TraceAccess::Kind::Read ? "from" : "to",
                                toString(access.space), access.address)
                      .str();
  }

  /// What a store of few bytes stores, as a number.
  std::string stored(const TraceAccess& access, StepRef ref) {
    std::uint64_t bits = 0;
    for (std::uint32_t byte = 0; byte < access.bytes; ++byte) {
      auto value = history_.storedValue(ref, access.address + byte);
      if (!value) return "";
      const TraceValue& source = history_.value(*value);
      bits |= (source.bits >> 8 * (byte - source.memoryOffset) & 0xff) << 8 * byte;
    }
    return llvm::formatv("0x{0}", llvm::utohexstr(bits, true, 2 * access.bytes)).str();
  }

  History& history_;
  Alignment* alignment_;
  History* ptx_;
};

/// Instructions that decide where a thread goes on.
bool isControl(const TraceInstruction& instruction) {
  llvm::StringRef text(instruction.text);
  if (text.starts_with("@")) text = text.split(' ').second;
  llvm::StringRef opcode = text.take_until([](char c) { return c == '.' || c == ' '; });
  return opcode == "BRA" || opcode == "BRX" || opcode == "EXIT" || opcode == "RET" || opcode == "JMP" ||
         opcode == "BRXU" || opcode == "JMX";
}

class Explainer {
public:
  Explainer(TraceSource& sass, TraceSource& ptx, const WrongByte& byte, const Launch& launch, bool lines)
      : byte_(byte), launch_(launch), sassStore_(sass.lastStore(TraceSpace::Global, 0, byte.address)),
        ptxStore_(ptx.lastStore(TraceSpace::Global, 0, byte.address)), sass_(sass, horizon(sassStore_)),
        ptx_(ptx, horizon(ptxStore_)), alignment_(sass_, ptx_) {
    result_.buffer = byte.buffer;
    result_.offset = byte.offset;
    result_.expected = byte.expected;
    result_.sass = byte.sass;
    result_.ptx = byte.ptx;
    result_.alignment = lines ? "SASS and PTX are set side by side by the line table of ptxas -lineinfo"
                              : "SASS and PTX are set side by side by their values: there is no line table";
  }

  Explanation run() {
    if (byte_.ptx != byte_.expected)
      explainPtx();
    else if (sameThread())
      explainValue();
    else
      explainWay();
    return std::move(result_);
  }

private:
  bool sameThread() const { return sassStore_ && ptxStore_ && sassStore_->thread == ptxStore_->thread; }

  /// With stores by the same thread, what comes after them is of no interest; else everything is.
  std::uint64_t horizon(const std::optional<TraceStore>& store) const {
    return sameThread() ? store->order : TraceSource::kEnd;
  }

  std::string who(const ThreadId& thread) const { return threadName(thread, launch_); }

  /// PTX computes the wrong byte too, or another wrong one.
  void explainPtx() {
    result_.kind = Explanation::Kind::Ptx;
    std::string same = byte_.ptx == byte_.sass ? "the same as SASS" : "SASS has " + hexByte(byte_.sass);
    result_.conclusion =
        llvm::formatv(
            "PTX gives {0} where {1} is expected ({2}): it is wrong before ptxas sees it, by the front "
            "end or by the source itself.",
            hexByte(byte_.ptx), hexByte(byte_.expected), same)
            .str();
    if (!ptxStore_) {
      result_.conclusion += " PTX never writes the byte.";
      return;
    }
    result_.thread = who(ptxStore_->thread);
    if (auto store = ptx_.stepAt(ptxStore_->thread, ptxStore_->order))
      showPtx(*store, ptx_.storedValue(*store, byte_.address), {}, {});
  }

  // ---- the same thread stores another value

  void explainValue() {
    result_.thread = who(sassStore_->thread);
    auto sassStep = sass_.stepAt(sassStore_->thread, sassStore_->order);
    auto ptxStep = ptx_.stepAt(ptxStore_->thread, ptxStore_->order);
    if (!sassStep || !ptxStep) return open("the store is not in the trace");
    auto wrong = sass_.storedValue(*sassStep, byte_.address);
    auto right = ptx_.storedValue(*ptxStep, byte_.address);
    Region region = findRegion(sass_, alignment_, *sassStep, wrong);
    result_.kind = Explanation::Kind::Value;
    concludeRegion(region, *ptxStep, right);
  }

  /// Shows a region whose last step is the wrong store or the wrong decision.
  void concludeRegion(const Region& region, StepRef ptxRoot, std::optional<ValueRef> ptxValue) {
    const RegionStep* first = region.first();
    if (!first) {
      open(region.complete ? "every value that SASS uses on the way is one that PTX does not have"
                           : "there are too many steps on the way");
      first = &region.steps.front();
    }
    std::vector<StepRef> frontier;
    for (const RegionStep& step : region.steps)
      for (const Input& input : step.inputs)
        if (input.match) frontier.push_back(input.match->ptx.at);
    showSass(region, *first);
    auto counterpart = alignment_.counterpart(first->step);
    showPtx(ptxRoot, ptxValue, frontier, counterpart ? std::vector{*counterpart} : std::vector<StepRef>{});
    if (result_.kind == Explanation::Kind::Open) return;
    std::size_t between = region.steps.size();
    const TraceInstruction& instruction = sass_.instruction(first->step);
    std::string at = "'" + instruction.text + "' at " + instruction.place;
    std::string from = describeInputs(*first);
    result_.conclusion = "They part at SASS " + at + (from.empty() ? "" : ": from " + from) + " it makes " +
                         describeResult(first->step) + ".";
    if (counterpart)
      result_.conclusion += " PTX: '" + ptx_.instruction(*counterpart).text + "' (" +
                            ptx_.instruction(*counterpart).place + ") " + describePtx(*counterpart) + ".";
    if (between > 2)
      result_.conclusion +=
          llvm::formatv(
              " {0} instructions lie from there to the store whose values PTX does not have: the fault is "
              "in one of them.",
              between - 1)
              .str();
  }

  std::string describeInputs(const RegionStep& step) {
    std::string text;
    std::set<std::string> seen;
    for (const Input& input : step.inputs) {
      if (input.read.written) continue;
      const TraceValue& value = sass_.value(input.read);
      if (value.role != TraceRole::Data) continue;
      std::string one =
          sass_.trace(input.read.at.thread).name(value) + " = 0x" + llvm::utohexstr(value.bits, true);
      if (input.match)
        one += " (" + ptx_.trace(input.match->ptx.at.thread).name(ptx_.value(input.match->ptx)) + ")";
      if (seen.insert(one).second) text += (text.empty() ? "" : ", ") + one;
    }
    return text;
  }

  std::string describeResult(StepRef step) {
    ShownStep shown = Display(sass_, nullptr, nullptr).show(step);
    std::string text;
    for (const ShownValue& value : shown.writes)
      text += (text.empty() ? "" : ", ") + value.name + " = " +
              (value.width == 1 ? (value.bits ? "true" : "false") : "0x" + llvm::utohexstr(value.bits, true));
    return text.empty() ? shown.memory.empty() ? "another decision" : "a store: " + shown.memory : text;
  }

  std::string describePtx(StepRef step) {
    ShownStep shown = Display(ptx_, nullptr, nullptr).show(step);
    std::string text;
    for (const ShownValue& value : shown.writes)
      text += (text.empty() ? "computes " : ", ") + value.name + " = " +
              (value.width == 1 ? (value.bits ? "true" : "false") : "0x" + llvm::utohexstr(value.bits, true));
    return text.empty() ? shown.memory : text;
  }

  void showSass(const Region& region, const RegionStep& first) {
    Display display(sass_, &alignment_, &ptx_);
    std::set<StepRef> shown;
    for (std::size_t i = region.steps.size(); i-- > 0;) {
      if (result_.sassSteps.size() == kMostSteps) break;
      StepRef ref = region.steps[i].step;
      shown.insert(ref);
      result_.sassSteps.push_back(display.show(ref));
      result_.sassSteps.back().parting = ref == first.step;
    }
    // Where the inputs of the first come from.
    for (const Input& input : first.inputs) {
      if (input.origin.kind != Origin::Kind::Step || !shown.insert(input.origin.value.at).second) continue;
      result_.sassSteps.push_back(display.show(input.origin.value.at));
    }
    for (StepRef decider : region.deciders)
      if (shown.insert(decider).second) {
        result_.sassSteps.push_back(display.show(decider));
        result_.sassSteps.back().note = "decides";
      }
  }

  void showPtx(StepRef root, std::optional<ValueRef> value, const std::vector<StepRef>& frontier,
               const std::vector<StepRef>& parting) {
    Display display(ptx_, nullptr, nullptr);
    std::vector<StepRef> slice = ptxSlice(ptx_, root, value, frontier, kMostSteps);
    for (std::size_t i = slice.size(); i-- > 0;) {
      result_.ptxSteps.push_back(display.show(slice[i]));
      result_.ptxSteps.back().parting = std::find(parting.begin(), parting.end(), slice[i]) != parting.end();
    }
  }

  // ---- one of them does not write the byte, or another thread does

  void explainWay();

  void open(const std::string& why) {
    result_.kind = Explanation::Kind::Open;
    result_.conclusion = "Where SASS and PTX part was not found: " + why + ".";
  }

  WrongByte byte_;
  const Launch& launch_;
  std::optional<TraceStore> sassStore_, ptxStore_;
  History sass_, ptx_;
  Alignment alignment_;
  Explanation result_;
};

void Explainer::explainWay() {
  open("control flow");
}

} // namespace

Explanation explainByte(TraceSource& sass, TraceSource& ptx, const WrongByte& byte, const Launch& launch,
                        bool lines) {
  return Explainer(sass, ptx, byte, launch, lines).run();
}

} // namespace harness::explain

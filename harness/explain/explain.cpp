#include "harness/explain/explain.h"

#include "harness/explain/alignment.h"
#include "harness/explain/flow.h"
#include "harness/explain/history.h"
#include "harness/explain/meaning.h"
#include "harness/explain/parting.h"
#include "harness/explain/rounds.h"

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

/// "%rs1", or "{%rs1, %rs2}" of what is packed.
std::string nameOf(const Match& match, History& ptx) {
  auto name = [&](const ValueRef& value) { return ptx.trace(value.at.thread).name(ptx.value(value)); };
  return match.upper ? "{" + name(match.ptx) + ", " + name(*match.upper) + "}" : name(match.ptx);
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

private:
  /// Addresses stand with the access, and a guard says itself whether it held.
  bool isShown(const ValueRef& ref) {
    const TraceValue& value = history_.value(ref);
    if (value.role == TraceRole::Address || history_.trace(ref.at.thread).name(value).empty()) return false;
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
    if (!match) match = alignment_->match(written, bytesShown(ref));
    return match ? nameOf(*match, *ptx_) + " of " + ptx_->instruction(match->ptx.at).place : "";
  }

  /// What the instruction reads of a register at all; the low half of what it writes.
  Bytes bytesShown(const ValueRef& ref) {
    if (ref.written) return kLowHalf;
    const std::string& name = history_.trace(ref.at.thread).name(history_.value(ref));
    return bytesRead(history_.instruction(ref.at).text, name, kWholeWord);
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
    std::string digits = llvm::utohexstr(bits, true);
    return "0x" +
           std::string(2 * access.bytes - std::min<std::size_t>(digits.size(), 2 * access.bytes), '0') +
           digits;
  }

  History& history_;
  Alignment* alignment_;
  History* ptx_;
};

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
    sayHowAligned(lines);
  }

  /// Of a launch that has no wrong byte.
  Explainer(TraceSource& sass, TraceSource& ptx, const Launch& launch, bool lines)
      : launch_(launch), sass_(sass, TraceSource::kEnd), ptx_(ptx, TraceSource::kEnd),
        alignment_(sass_, ptx_) {
    sayHowAligned(lines);
  }

  Explanation run() {
    if (!byte_.ptx)
      explainSassAlone();
    else if (*byte_.ptx != byte_.expected)
      explainPtx();
    else if (sameThread())
      explainValue();
    else
      explainWay();
    return std::move(result_);
  }

  Explanation run(const TraceStop& fault);

private:
  void sayHowAligned(bool lines) {
    result_.alignment = lines ? "SASS and PTX are set side by side by the line table of ptxas -lineinfo"
                              : "SASS and PTX are set side by side by their values: there is no line table";
  }

  bool sameThread() const { return sassStore_ && ptxStore_ && sassStore_->thread == ptxStore_->thread; }

  /// With stores by the same thread, what comes after them is of no interest; else everything is.
  std::uint64_t horizon(const std::optional<TraceStore>& store) const {
    return sameThread() ? store->order : TraceSource::kEnd;
  }

  std::string who(const ThreadId& thread) const { return threadName(thread, launch_); }

  /// PTX computes the wrong byte too, or another wrong one.
  void explainPtx() {
    result_.kind = Explanation::Kind::Ptx;
    std::string same = *byte_.ptx == byte_.sass ? "the same as SASS" : "SASS has " + hexByte(byte_.sass);
    result_.conclusion =
        llvm::formatv(
            "PTX gives {0} where {1} is expected ({2}): it is wrong before ptxas sees it: by the front "
            "end, or the source or its reference is.",
            hexByte(*byte_.ptx), hexByte(byte_.expected), same)
            .str();
    if (!ptxStore_) {
      result_.conclusion += " PTX never writes the byte.";
      return;
    }
    result_.thread = who(ptxStore_->thread);
    if (auto store = ptx_.stepAt(ptxStore_->thread, ptxStore_->order))
      showPtx(*store, ptx_.storedValue(*store, byte_.address), {}, {});
  }

  void explainSassAlone() {
    result_.alignment.clear();
    if (!sassStore_) return open("SASS never stores to the byte");
    result_.thread = who(sassStore_->thread);
    auto store = sass_.stepAt(sassStore_->thread, sassStore_->order);
    if (!store) return open("the store is not in the trace");
    Region region = findWrong(*store);
    open("this is how SASS came to it");
    showSass(region, region.steps.front());
  }

  /// From the wrong byte of a store.
  Region findWrong(StepRef store) {
    auto wrong = sass_.storedValue(store, byte_.address);
    Bytes bytes = wrong ? sass_.storedByte(*wrong, byte_.address) : kWholeWord;
    return findRegion(sass_, ptx_, alignment_, store, wrong, bytes);
  }

  // ---- the same thread stores another value

  void explainValue() {
    result_.thread = who(sassStore_->thread);
    auto sassStep = sass_.stepAt(sassStore_->thread, sassStore_->order);
    auto ptxStep = ptx_.stepAt(ptxStore_->thread, ptxStore_->order);
    if (!sassStep || !ptxStep) return open("the store is not in the trace");
    auto right = ptx_.storedValue(*ptxStep, byte_.address);
    Region region = findWrong(*sassStep);
    auto rounds = right ? findRounds(sass_, ptx_, region, *right) : std::nullopt;
    if (rounds) return explainRounds(*rounds, *sassStep, *ptxStep, *right);
    result_.kind = Explanation::Kind::Value;
    concludeRegion(region, *ptxStep, right);
  }

  /// SASS goes round a loop less or more often.
  void explainRounds(const Rounds& rounds, StepRef sassStep, StepRef ptxStep, const ValueRef& right);

  /// Shows a region whose last step is the wrong store or the wrong decision.
  void concludeRegion(const Region& region, std::optional<StepRef> ptxRoot,
                      std::optional<ValueRef> ptxValue) {
    const RegionStep* first = region.first();
    if (!first) {
      open(region.complete ? "every value that SASS uses on the way is one that PTX does not have"
                           : "there are too many steps on the way");
      first = &region.steps.front();
    }
    std::vector<StepRef> frontier;
    for (const RegionStep& step : region.steps)
      for (const Input& input : step.inputs)
        if (input.match && input.match->ptx.written) frontier.push_back(input.match->ptx.at);
    showSass(region, *first);
    auto counterpart = inPlaceOf(*first, ptxValue);
    if (ptxRoot)
      showPtx(*ptxRoot, ptxValue, frontier, counterpart ? std::vector{*counterpart} : std::vector<StepRef>{});
    if (result_.kind == Explanation::Kind::Open) return;
    if (sass_.instruction(first->step).opaque)
      return open("the trail ends at '" + sass_.instruction(first->step).text + "' (" +
                  sass_.instruction(first->step).place + "), whose result depends on what other threads do");
    auto between = static_cast<std::size_t>(&region.steps.back() - first) + 1;
    const TraceInstruction& instruction = sass_.instruction(first->step);
    std::string at = "'" + instruction.text + "' at " + instruction.place;
    std::string from = describeInputs(*first);
    result_.conclusion = "They part at SASS " + at + (from.empty() ? ": it " : ": from " + from + " it ") +
                         describeResult(first->step) + ".";
    if (counterpart)
      result_.conclusion += " PTX: '" + ptx_.instruction(*counterpart).text + "' (" +
                            ptx_.instruction(*counterpart).place + ") " + describePtx(*counterpart) + ".";
    if (between > 2)
      result_.conclusion += llvm::formatv(" {0} instructions lie from there to the last one shown whose "
                                          "values PTX does not have: the fault is in one of them, or in "
                                          "what decides how often they run.",
                                          between - 1)
                                .str();
  }

  /// What PTX does where SASS parts from it: of a constant, what made the right value.
  std::optional<StepRef> inPlaceOf(const RegionStep& first, std::optional<ValueRef> right) {
    if (first.inputs.empty() && right) {
      Origin origin = ptx_.originOf(*right);
      if (origin.kind == Origin::Kind::Step) return origin.value.at;
    }
    return alignment_.counterpart(first.step);
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
      if (input.match) one += " (" + nameOf(*input.match, ptx_) + ")";
      if (input.origin.kind == Origin::Kind::Unwritten) one += " (never written)";
      if (input.status == Input::Status::Given && input.origin.kind == Origin::Kind::Step)
        one += " (a constant)";
      if (seen.insert(one).second) text += (text.empty() ? "" : ", ") + one;
    }
    return text;
  }

  std::string describeResult(StepRef step) {
    ShownStep shown = Display(sass_, nullptr, nullptr).show(step);
    std::string text;
    for (const ShownValue& value : shown.writes)
      text += (text.empty() ? "makes " : ", ") + value.name + " = " +
              (value.width == 1 ? (value.bits ? "true" : "false") : "0x" + llvm::utohexstr(value.bits, true));
    if (!text.empty()) return text;
    return shown.memory.empty() ? "decides otherwise" : shown.memory;
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
    std::size_t count = region.steps.size(),
                firstPlace = static_cast<std::size_t>(&first - region.steps.data());
    for (std::size_t i = count; i-- > 0;) {
      if (count - i > kMostSteps && i > firstPlace + 2) continue;
      StepRef ref = region.steps[i].step;
      shown.insert(ref);
      result_.sassSteps.push_back(display.show(ref));
      result_.sassSteps.back().parting = i == firstPlace && result_.kind != Explanation::Kind::Open;
      if (i < firstPlace) break;
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
    for (StepRef one : parting)
      if (std::find(slice.begin(), slice.end(), one) == slice.end()) slice.insert(slice.begin(), one);
    for (std::size_t i = slice.size(); i-- > 0;) {
      result_.ptxSteps.push_back(display.show(slice[i]));
      result_.ptxSteps.back().parting = std::find(parting.begin(), parting.end(), slice[i]) != parting.end();
    }
  }

  // ---- one of them does not write the byte, or another thread does

  void explainWay();
  std::optional<StepRef> sassInPlaceOf(StepRef ptxStore);
  std::optional<StepRef> sassTooMuch();

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

void Explainer::explainRounds(const Rounds& rounds, StepRef sassStep, StepRef ptxStep,
                              const ValueRef& right) {
  result_.kind = Explanation::Kind::Control;
  auto decision = findStrangeDecision(sass_, ptx_, alignment_, rounds, sassStep);
  Display display(sass_, &alignment_, &ptx_);
  result_.sassSteps.push_back(display.show(sassStep));
  if (decision) showSass(*decision, *decision->first());
  showPtx(ptxStep, right, {}, rounds.ptxDecision ? std::vector{*rounds.ptxDecision} : std::vector<StepRef>{});

  const std::string& line = ptx_.instruction(rounds.last).text;
  std::string times = rounds.ptx == 1 ? "once" : std::to_string(rounds.ptx) + " times";
  std::string ends = rounds.sass ? "ends after " + std::to_string(*rounds.sass) : "goes on after that";
  result_.conclusion = llvm::formatv("In PTX the thread comes to '{0}' ({1}) {2}; the loop of SASS {3}.",
                                     line, ptx_.instruction(rounds.last).place, times, ends)
                           .str();
  if (decision) {
    const TraceInstruction& branch = sass_.instruction(decision->steps.back().step);
    StepRef parts = decision->first()->step;
    result_.conclusion +=
        llvm::formatv(" The first decision in it that rests on what PTX does not have is '{0}' at {1}: '{2}' "
                      "at {3}, from {4}, {5}.",
                      branch.text, branch.place, sass_.instruction(parts).text,
                      sass_.instruction(parts).place, describeInputs(*decision->first()),
                      describeResult(parts))
            .str();
  }
  if (rounds.ptxDecision)
    result_.conclusion +=
        llvm::formatv(" PTX there {0} '{1}' ({2}).",
                      ptx_.step(*rounds.ptxDecision).executed ? "takes" : "does not take",
                      ptx_.instruction(*rounds.ptxDecision).text, ptx_.instruction(*rounds.ptxDecision).place)
            .str();
}

void Explainer::explainWay() {
  if (!sassStore_ && !ptxStore_) return open("neither side was seen to store to the byte");
  ThreadId thread = ptxStore_ ? ptxStore_->thread : sassStore_->thread;
  result_.thread = who(thread);
  std::string what = !sassStore_  ? "SASS never stores to the byte, PTX does"
                     : !ptxStore_ ? "SASS stores to the byte, PTX never does"
                                  : "in SASS " + who(sassStore_->thread) +
                                        " stores to the byte last, in PTX " + who(ptxStore_->thread);
  std::optional<StepRef> ptxStep;
  if (ptxStore_) ptxStep = ptx_.stepAt(ptxStore_->thread, ptxStore_->order);
  std::optional<StepRef> root = ptxStep ? sassInPlaceOf(*ptxStep) : sassTooMuch();
  if (!root) return open(what + ", and where their ways part cannot be told without the line table");
  bool stores = sass_.access(*root) && sass_.step(*root).executed;
  result_.kind = stores ? Explanation::Kind::Address : Explanation::Kind::Control;
  Region region = findRegion(sass_, ptx_, alignment_, *root, stores ? TraceRole::Address : TraceRole::Guard);
  auto counterpart = alignment_.counterpart(*root);
  StepRef ptxRoot = counterpart ? *counterpart : ptxStep ? *ptxStep : StepRef{};
  concludeRegion(region, counterpart || ptxStep ? std::optional(ptxRoot) : std::nullopt, std::nullopt);
  const TraceInstruction& instruction = sass_.instruction(*root);
  std::string how = stores                       ? "goes to another address"
                    : sass_.step(*root).executed ? "goes its way"
                                                 : "is passed";
  result_.conclusion = llvm::formatv("Of the two, {0}: '{1}' at {2} {3}. {4}", what, instruction.text,
                                     instruction.place, how, result_.conclusion)
                           .str();
}

Explanation Explainer::run(const TraceStop& fault) {
  result_.thread = who(fault.thread);
  auto root = sass_.stepAt(fault.thread, fault.order);
  if (!root) {
    open("the fault is not in the trace");
    return std::move(result_);
  }
  result_.kind = Explanation::Kind::Address;
  Region region = findRegion(sass_, ptx_, alignment_, *root, TraceRole::Address);
  concludeRegion(region, alignment_.counterpart(*root), std::nullopt);
  return std::move(result_);
}

/// What SASS does in place of a store of PTX: one of the same line, to another address or with a guard that
/// does not hold, or the decision that leads past it.
std::optional<StepRef> Explainer::sassInPlaceOf(StepRef ptxStore) {
  ThreadId thread = ptxStore.thread;
  const Trace& trace = sass_.trace(thread);
  std::vector<std::uint32_t> stores = Flow(trace).storesOf(ptx_.instruction(ptxStore).line);
  if (stores.empty()) return std::nullopt;
  for (std::size_t i = trace.steps().size(); i-- > 0;)
    if (std::find(stores.begin(), stores.end(), trace.steps()[i].instruction) != stores.end())
      return StepRef{thread, static_cast<std::uint32_t>(i)};
  return whereLeft(sass_, thread, stores);
}

/// What makes SASS store where PTX does not: an address, a guard, or a decision that leads there.
std::optional<StepRef> Explainer::sassTooMuch() {
  auto store = sass_.stepAt(sassStore_->thread, sassStore_->order);
  if (!store) return std::nullopt;
  std::uint32_t line = sass_.instruction(*store).line;
  if (line == 0) return std::nullopt;
  if (alignment_.executed(store->thread, line)) return store;
  return sass_.isGuarded(*store) ? store : whereEntered(sass_, *store);
}

/// A side that was not executed.
class NoSource : public TraceSource {
public:
  const Trace& trace(ThreadId, std::uint64_t) override { return empty_; }
  std::optional<TraceStore> lastStore(TraceSpace, std::uint64_t, std::uint64_t, std::uint64_t) override {
    return std::nullopt;
  }

private:
  Trace empty_;
};

} // namespace

Explanation explainWithoutPtx(TraceSource& sass, const WrongByte& byte, const Launch& launch,
                              const std::string& why) {
  NoSource ptx;
  WrongByte alone = byte;
  alone.ptx.reset();
  Explanation explanation = Explainer(sass, ptx, alone, launch, false).run();
  explanation.conclusion += " There is no other side to compare with: " + why + ".";
  return explanation;
}

Explanation explainFault(TraceSource& sass, TraceSource& ptx, const TraceStop& fault, const Launch& launch,
                         bool lines) {
  return Explainer(sass, ptx, launch, lines).run(fault);
}

Explanation explainByte(TraceSource& sass, TraceSource& ptx, const WrongByte& byte, const Launch& launch,
                        bool lines) {
  return Explainer(sass, ptx, byte, launch, lines).run();
}

} // namespace harness::explain

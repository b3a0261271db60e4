#include "harness/matrix/shape_judge.h"

#include "harness/base/text.h"
#include "harness/matrix/finding.h"

#include <llvm/Support/FormatVariadic.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace harness {

namespace {

using Json = nlohmann::ordered_json;

/// Pass for an execution that ran to its end: its outputs decide.
Verdict verdictOf(std::string_view executionEnd) {
  if (executionEnd == toString(ExecutionEnd::Completed)) return Verdict::Pass;
  if (executionEnd == toString(ExecutionEnd::Fault)) return Verdict::Fault;
  if (executionEnd == toString(ExecutionEnd::Timeout)) return Verdict::Timeout;
  return Verdict::Unsupported;
}

/// The outputs of a shape out of their concatenation; empty if the sizes do not agree.
std::vector<std::string_view> splitOutputs(const CaseShape& shape, std::string_view all) {
  std::vector<std::string_view> outputs;
  for (const BufferSpec& buffer : shape.buffers) {
    if (!buffer.output) continue;
    if (all.size() < buffer.byteSize()) return {};
    outputs.push_back(all.substr(0, buffer.byteSize()));
    all.remove_prefix(buffer.byteSize());
  }
  return outputs;
}

/// "tf", "random (seed 1)"
std::string describe(const Variant& variant) {
  std::string text(toString(variant.schedule));
  return variant.seed ? text + " (seed " + std::to_string(variant.seed) + ")" : text;
}

class ShapeJudge {
public:
  ShapeJudge(const CaseShape& shape, const ExpectedAnswer& expected, const VariantRuns& runs,
             const std::function<std::string(const std::string&)>& outputs)
      : shape_(shape), expected_(expected), runs_(runs), outputs_(outputs) {}

  VerdictRecord judge() {
    for (const ExecutionRecord* run : runs_)
      if (run) record_.executionKeys.push_back(run->key);
    for (std::size_t v = 0; v < kVariantCount && record_.verdict == Verdict::Pass; ++v)
      if (kVariants[v].purpose == Variant::Purpose::Answer) judgeRun(v);
    judgeEnds();
    if (record_.verdict == Verdict::Pass)
      judgeRight();
    else
      judgeWrong();
    judgeSteadiness();
    addReports("observations", &ExecutionRecord::observations);
    addReports("undefined", &ExecutionRecord::undefined);
    return std::move(record_);
  }

private:
  /// All ends of the answers: the worst counts, and says what it is.
  void judgeEnds() {
    for (std::size_t v = 0; v < kVariantCount; ++v) {
      if (kVariants[v].purpose != Variant::Purpose::Answer) continue;
      Verdict end = verdictOf(runs_[v]->end);
      if (worst(end, record_.verdict) == record_.verdict) continue;
      record_ = withMessage(end, runs_[v]->message);
    }
  }

  VerdictRecord withMessage(Verdict verdict, const std::string& message) const {
    VerdictRecord record;
    record.verdict = verdict;
    record.details = messageDetails(message);
    record.executionKeys = record_.executionKeys;
    return record;
  }

  /// Writes into the record what one execution says by itself.
  void judgeRun(std::size_t v) {
    const ExecutionRecord& run = *runs_[v];
    Verdict end = verdictOf(run.end);
    if (end != Verdict::Pass) {
      record_ = withMessage(end, run.message);
      return;
    }
    record_.bytes = 0;
    for (const BufferSpec& buffer : shape_.buffers)
      if (buffer.output) record_.bytes += buffer.byteSize();
    if (!run.changedInput.empty()) {
      record_.verdict = Verdict::Mismatch;
      record_.firstBad = "input '" + run.changedInput + "' was changed";
      record_.details = messageDetails(record_.firstBad);
      return;
    }
    std::size_t poison = kVariants[v].poison;
    if (run.outputHash == expected_.outputHash[poison]) return;
    describeComparisons(compare(v), kPoison[poison], record_);
  }

  std::vector<BufferComparison> compare(std::size_t v) const {
    std::size_t poison = kVariants[v].poison;
    std::string now = outputs_(runs_[v]->outputHash), other = otherAnswer(v);
    return compareOutputs(shape_, splitOutputs(shape_, expected_.outputs[poison]), splitOutputs(shape_, now),
                          splitOutputs(shape_, other));
  }

  /// The outputs of the answer with the other poison, for an answer that both have.
  std::string otherAnswer(std::size_t v) const {
    if (kVariants[v].purpose != Variant::Purpose::Answer) return "";
    for (std::size_t other = 0; other < kVariantCount; ++other)
      if (other != v && kVariants[other].purpose == Variant::Purpose::Answer &&
          verdictOf(runs_[other]->end) == Verdict::Pass)
        return outputs_(runs_[other]->outputHash);
    return "";
  }

  bool isWrong(std::size_t v) const {
    ShapeJudge alone(shape_, expected_, runs_, outputs_);
    alone.judgeRun(v);
    return alone.record_.verdict != Verdict::Pass;
  }

  /// A right answer: is it right in every order, and whatever approximate results are?
  void judgeRight() {
    std::vector<std::string> orders;
    std::size_t first = kVariantCount, perturbed = kVariantCount;
    for (std::size_t v = 0; v < kVariantCount; ++v) {
      bool isOrder = kVariants[v].purpose == Variant::Purpose::Order;
      if (!runs_[v] || (!isOrder && kVariants[v].purpose != Variant::Purpose::Approximation)) continue;
      // Nothing says that a loop ends in every order, and an order may lead where we do not know what the
      // machine does: neither is a wrong answer.
      Verdict end = verdictOf(runs_[v]->end);
      if ((isOrder && (end == Verdict::Timeout || end == Verdict::Unsupported)) || !isWrong(v)) continue;
      if (isOrder) orders.push_back(describe(kVariants[v]));
      std::size_t& place = isOrder ? first : perturbed;
      place = std::min(place, v);
    }
    if (!orders.empty()) {
      judgeRun(first);
      conclude(Verdict::ScheduleDependent, "right in the order ft, wrong in " + join(orders, ", "));
    } else if (perturbed != kVariantCount) {
      judgeRun(perturbed);
      conclude(Verdict::Approximate, "right, but wrong when approximate results move by an ulp (seed " +
                                         std::to_string(kVariants[perturbed].seed) + ")");
    }
  }

  /// A wrong answer: does it hang on approximate results?
  void judgeWrong() {
    bool perturbed = false, anyRight = false;
    for (std::size_t v = 0; v < kVariantCount; ++v) {
      if (!runs_[v] || kVariants[v].purpose != Variant::Purpose::Approximation) continue;
      perturbed = true;
      anyRight |= !isWrong(v);
    }
    if (!perturbed) return;
    if (anyRight || (record_.verdict == Verdict::Mismatch && !someByteStaysWrong()))
      conclude(Verdict::Approximate, "changes when approximate results move by an ulp");
  }

  /// Whether a byte that the first wrong answer has wrong comes out the same however approximate results
  /// move. True where that cannot be told.
  bool someByteStaysWrong() const {
    std::size_t answer = 0; // kVariants begins with the answer of the poison that is perturbed
    if (verdictOf(runs_[answer]->end) != Verdict::Pass) return true;
    std::string now = outputs_(runs_[answer]->outputHash);
    const std::string& wanted = expected_.outputs[kVariants[answer].poison];
    if (now == wanted || now.size() != wanted.size()) return true;
    std::vector<bool> stays(now.size());
    for (std::size_t i = 0; i < now.size(); ++i)
      stays[i] = now[i] != wanted[i];
    for (std::size_t v = 0; v < kVariantCount; ++v) {
      if (!runs_[v] || kVariants[v].purpose != Variant::Purpose::Approximation) continue;
      if (verdictOf(runs_[v]->end) != Verdict::Pass) continue;
      std::string moved = outputs_(runs_[v]->outputHash);
      for (std::size_t i = 0; i < now.size() && i < moved.size(); ++i)
        stays[i] = stays[i] && moved[i] == now[i];
    }
    return std::find(stays.begin(), stays.end(), true) != stays.end();
  }

  /// Executions that were repeated: do they vary?
  void judgeSteadiness() {
    for (std::size_t v = 0; v < kVariantCount; ++v) {
      const ExecutionRecord* run = runs_[v];
      if (!run || run->device.empty()) continue;
      Json device = Json::parse(run->device, nullptr, /*allow_exceptions=*/false);
      if (device.is_object())
        addDetail(record_, "device", device.value("name", "") + ", driver " + device.value("driver", ""));
      if (run->outcomes.empty()) continue;
      Json outcomes = Json::parse(run->outcomes, nullptr, /*allow_exceptions=*/false);
      if (!outcomes.is_array()) continue;
      std::uint64_t right = 0;
      for (Json& outcome : outcomes) {
        bool isRight = outcome.value("outputs", "") == expected_.outputHash[kVariants[v].poison] &&
                       !outcome.contains("changed_input");
        outcome["right"] = isRight;
        if (isRight) right += outcome.value("count", std::uint64_t{0});
      }
      conclude(Verdict::Flaky, llvm::formatv("{0} of {1} executions were right, {2} different results", right,
                                             run->repeats, outcomes.size())
                                   .str());
      addDetail(record_, "repeats", run->repeats);
      addDetail(record_, "outcomes", std::move(outcomes));
      return;
    }
  }

  void conclude(Verdict verdict, const std::string& why) {
    record_.verdict = verdict;
    std::string before = detailsOf(record_).value("message", "");
    addDetail(record_, "message", before.empty() ? why : why + ": " + before);
  }

  /// The lines that the executions have in one of their fields, each once.
  void addReports(const char* key, std::string ExecutionRecord::* field) {
    Json all = Json::array();
    for (const ExecutionRecord* run : runs_) {
      if (!run || (run->*field).empty()) continue;
      Json lines = Json::parse(run->*field, nullptr, /*allow_exceptions=*/false);
      if (!lines.is_array()) continue;
      for (Json& line : lines)
        if (std::find(all.begin(), all.end(), line) == all.end()) all.push_back(std::move(line));
    }
    if (!all.empty()) addDetail(record_, key, std::move(all));
  }

  const CaseShape& shape_;
  const ExpectedAnswer& expected_;
  const VariantRuns& runs_;
  const std::function<std::string(const std::string&)>& outputs_;
  VerdictRecord record_;
};

} // namespace

VerdictRecord judgeRuns(const CaseShape& shape, const ExpectedAnswer& expected, const VariantRuns& runs,
                        const std::function<std::string(const std::string&)>& outputs) {
  return ShapeJudge(shape, expected, runs, outputs).judge();
}

} // namespace harness

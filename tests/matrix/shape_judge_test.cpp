#include "harness/base/hash.h"
#include "harness/matrix/shape_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <deque>
#include <map>

namespace harness {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

/// A shape with one output of four bytes that must become "good".
class ShapeJudgeTest : public testing::Test {
protected:
  ShapeJudgeTest() {
    shape_.buffers.resize(1);
    shape_.buffers[0].name = "out";
    shape_.buffers[0].count = 4;
    shape_.buffers[0].output = true;
    for (std::size_t p = 0; p < kPoisons; ++p) {
      expected_.outputs[p] = "good";
      expected_.outputHash[p] = sha256("good");
    }
    everywhere(Variant::Purpose::Answer, "good");
  }

  ExecutionRecord& run(std::size_t variant, const std::string& output) {
    ExecutionRecord& record = records_.emplace_back();
    record.key = "key " + std::to_string(variant);
    record.end = toString(ExecutionEnd::Completed);
    record.outputHash = sha256(output);
    outputs_[record.outputHash] = output;
    runs_[variant] = &record;
    return record;
  }
  void everywhere(Variant::Purpose purpose, const std::string& output) {
    for (std::size_t v = 0; v < kVariantCount; ++v)
      if (kVariants[v].purpose == purpose) run(v, output);
  }
  /// The place of the n-th variant of that purpose.
  static std::size_t variant(Variant::Purpose purpose, std::size_t n = 0) {
    std::size_t v = 0;
    for (;; ++v)
      if (kVariants[v].purpose == purpose && n-- == 0) return v;
  }
  VerdictRecord judge() {
    return judgeRuns(shape_, expected_, runs_, [this](const std::string& hash) { return outputs_.at(hash); });
  }
  static std::string message(const VerdictRecord& record) {
    return Json::parse(record.details).value("message", "");
  }

  CaseShape shape_;
  ExpectedAnswer expected_;
  VariantRuns runs_ = {};
  std::deque<ExecutionRecord> records_;
  std::map<std::string, std::string> outputs_;
};

constexpr auto kAnswer = Variant::Purpose::Answer;
constexpr auto kOrder = Variant::Purpose::Order;
constexpr auto kApproximation = Variant::Purpose::Approximation;

TEST_F(ShapeJudgeTest, AtLeastEightPerturbationsAndThreeOrders) {
  EXPECT_GE(std::count_if(std::begin(kVariants), std::end(kVariants),
                          [](const Variant& v) { return v.purpose == kApproximation && v.seed != 0; }),
            8);
  EXPECT_EQ(std::count_if(std::begin(kVariants), std::end(kVariants),
                          [](const Variant& v) { return v.purpose == kOrder; }),
            3);
}

TEST_F(ShapeJudgeTest, RightEverywhere) {
  everywhere(kOrder, "good");
  everywhere(kApproximation, "good");
  VerdictRecord record = judge();
  EXPECT_EQ(record.verdict, Verdict::Pass);
  EXPECT_EQ(record.bytes, 4u);
  EXPECT_EQ(record.details, "");
  EXPECT_EQ(record.executionKeys.size(), kVariantCount - 1) << "nothing to look for in a right answer";
}

TEST_F(ShapeJudgeTest, WrongInAnotherOrder) {
  everywhere(kOrder, "good");
  run(variant(kOrder, 1), "gooe");
  VerdictRecord record = judge();
  EXPECT_EQ(record.verdict, Verdict::ScheduleDependent);
  EXPECT_EQ(record.bad, 1u);
  EXPECT_THAT(message(record), HasSubstr("wrong in lowest-pc"));
}

TEST_F(ShapeJudgeTest, AFaultInAnotherOrder) {
  ExecutionRecord& fault = run(variant(kOrder), "");
  fault.end = toString(ExecutionEnd::Fault);
  fault.message = "a trap";
  VerdictRecord record = judge();
  EXPECT_EQ(record.verdict, Verdict::ScheduleDependent);
  EXPECT_THAT(message(record), HasSubstr("wrong in tf: a trap"));
}

TEST_F(ShapeJudgeTest, AnotherOrderMayGoOnForEver) {
  run(variant(kOrder, 1), "").end = toString(ExecutionEnd::Timeout);
  EXPECT_EQ(judge().verdict, Verdict::Pass);
}

TEST_F(ShapeJudgeTest, AnotherOrderMayLeadWhereNothingIsKnown) {
  run(variant(kOrder, 1), "").end = toString(ExecutionEnd::Unsupported);
  EXPECT_EQ(judge().verdict, Verdict::Pass);
}

TEST_F(ShapeJudgeTest, WrongByFallThroughFirstIsAMismatchWhateverOtherOrdersGive) {
  everywhere(kAnswer, "bood");
  everywhere(kOrder, "good");
  EXPECT_EQ(judge().verdict, Verdict::Mismatch);
}

TEST_F(ShapeJudgeTest, RightButForAnUlp) {
  everywhere(kApproximation, "good");
  run(variant(kApproximation, 3), "goof");
  VerdictRecord record = judge();
  EXPECT_EQ(record.verdict, Verdict::Approximate);
  EXPECT_THAT(message(record), HasSubstr("seed 4"));
}

TEST_F(ShapeJudgeTest, WrongOnlyByAnUlp) {
  everywhere(kAnswer, "goof");
  everywhere(kApproximation, "goof");
  run(variant(kApproximation, 5), "good");
  EXPECT_EQ(judge().verdict, Verdict::Approximate);
}

TEST_F(ShapeJudgeTest, AByteThatStaysWrongIsAMismatchThoughOthersChange) {
  everywhere(kAnswer, "bo0d");
  for (std::size_t n = 0; n < 8; ++n)
    run(variant(kApproximation, n), n % 2 ? "bo1d" : "bo2d");
  EXPECT_EQ(judge().verdict, Verdict::Mismatch);
  run(variant(kApproximation, 7), "go1d");
  EXPECT_EQ(judge().verdict, Verdict::Approximate) << "no byte is wrong in the same way every time";
}

TEST_F(ShapeJudgeTest, AMismatchThatDoesNotMoveIsOne) {
  everywhere(kAnswer, "goof");
  everywhere(kApproximation, "goof");
  EXPECT_EQ(judge().verdict, Verdict::Mismatch);
}

TEST_F(ShapeJudgeTest, TheWorstEndOfAnAnswerCounts) {
  run(variant(kAnswer, 0), "good").end = toString(ExecutionEnd::Timeout);
  ExecutionRecord& fault = run(variant(kAnswer, 1), "good");
  fault.end = toString(ExecutionEnd::Fault);
  fault.message = "out of bounds";
  VerdictRecord record = judge();
  EXPECT_EQ(record.verdict, Verdict::Fault);
  EXPECT_EQ(message(record), "out of bounds");
}

TEST_F(ShapeJudgeTest, ObservationsAreReportedAndChangeNoVerdict) {
  run(variant(kAnswer, 1), "good").observations = R"(["a race"])";
  VerdictRecord record = judge();
  EXPECT_EQ(record.verdict, Verdict::Pass);
  EXPECT_EQ(Json::parse(record.details)["observations"], Json({"a race"}));
}

} // namespace
} // namespace harness

#include "harness/parity/verdict.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(Verdict, NamesAreReadBack) {
  for (int i = 0; i <= static_cast<int>(Verdict::Pass); ++i) {
    auto verdict = static_cast<Verdict>(i);
    EXPECT_EQ(parseVerdict(toString(verdict)), verdict) << toString(verdict);
  }
  for (int i = 0; i <= static_cast<int>(Blame::None); ++i) {
    auto blame = static_cast<Blame>(i);
    EXPECT_EQ(parseBlame(toString(blame)), blame) << toString(blame);
  }
  for (int i = 0; i <= static_cast<int>(Outcome::Undecided); ++i) {
    auto outcome = static_cast<Outcome>(i);
    EXPECT_EQ(parseOutcome(toString(outcome)), outcome) << toString(outcome);
  }
  EXPECT_EQ(toString(Verdict::ScheduleDependent), "schedule-dependent");
  EXPECT_EQ(toString(Blame::HardwareOrExecutor), "hardware-or-executor");
  EXPECT_FALSE(parseVerdict("Pass"));
}

TEST(Verdict, WorstIsTheFirstInOrder) {
  EXPECT_EQ(worst(Verdict::Pass, Verdict::Unsupported), Verdict::Unsupported);
  EXPECT_EQ(worst(Verdict::Fault, Verdict::Mismatch), Verdict::Fault);
  EXPECT_EQ(worst(Verdict::Skipped, Verdict::InfraError), Verdict::InfraError);
}

TEST(Verdict, JudgeAgainstAnUnstatedExpectation) {
  EXPECT_EQ(judge(Verdict::Pass, std::nullopt), Outcome::Ok);
  for (Verdict bad : {Verdict::Fault, Verdict::Mismatch, Verdict::Flaky, Verdict::Approximate,
                      Verdict::Timeout, Verdict::Ice, Verdict::IllegalEncoding, Verdict::CompileError})
    EXPECT_EQ(judge(bad, std::nullopt), Outcome::Regressed) << toString(bad);
  for (Verdict open : {Verdict::Unsupported, Verdict::Skipped, Verdict::InfraError})
    EXPECT_EQ(judge(open, std::nullopt), Outcome::Undecided) << toString(open);
}

TEST(Verdict, JudgeAgainstAKnownFault) {
  EXPECT_EQ(judge(Verdict::Mismatch, Verdict::Mismatch), Outcome::Expected);
  EXPECT_EQ(judge(Verdict::Pass, Verdict::Mismatch), Outcome::Fixed);
  EXPECT_EQ(judge(Verdict::Fault, Verdict::Mismatch), Outcome::Regressed);
  EXPECT_EQ(judge(Verdict::Unsupported, Verdict::Mismatch), Outcome::Undecided);
}

} // namespace
} // namespace harness

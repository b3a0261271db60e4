#include "harness/parity/verdict.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

template <typename Enum> std::vector<Enum> upTo(Enum last) {
  std::vector<Enum> all;
  for (int i = 0; i <= static_cast<int>(last); ++i)
    all.push_back(static_cast<Enum>(i));
  return all;
}

TEST(Verdict, NamesRoundTrip) {
  for (Verdict verdict : upTo(Verdict::Pass))
    EXPECT_EQ(parseVerdict(toString(verdict)), verdict);
  for (Blame blame : upTo(Blame::None))
    EXPECT_EQ(parseBlame(toString(blame)), blame);
  for (Outcome outcome : upTo(Outcome::Undecided))
    EXPECT_EQ(parseOutcome(toString(outcome)), outcome);
}

TEST(Verdict, NamesAreThoseOfTheDesign) {
  EXPECT_EQ(toString(Verdict::ScheduleDependent), "schedule-dependent");
  EXPECT_EQ(toString(Verdict::IllegalEncoding), "illegal-encoding");
  EXPECT_EQ(toString(Verdict::Ice), "ice");
  EXPECT_EQ(toString(Blame::HardwareOrExecutor), "hardware-or-executor");
  EXPECT_EQ(toString(Outcome::Undecided), "undecided");
}

TEST(Verdict, UnknownNamesAreRefused) {
  EXPECT_EQ(parseVerdict("Pass"), std::nullopt);
  EXPECT_EQ(parseVerdict(""), std::nullopt);
  EXPECT_EQ(parseBlame("nvcc"), std::nullopt);
  EXPECT_EQ(parseOutcome("good"), std::nullopt);
}

TEST(Verdict, WorstIsTheEarlierOfTheOrder) {
  EXPECT_EQ(worst(Verdict::Pass, Verdict::Skipped), Verdict::Skipped);
  EXPECT_EQ(worst(Verdict::Unsupported, Verdict::Mismatch), Verdict::Mismatch);
  EXPECT_EQ(worst(Verdict::Mismatch, Verdict::Fault), Verdict::Fault);
  EXPECT_EQ(worst(Verdict::Pass, Verdict::Pass), Verdict::Pass);
}

TEST(Verdict, WhenAPassIsExpected) {
  for (Verdict verdict : upTo(Verdict::Pass)) {
    Outcome wanted = Outcome::Regressed;
    if (verdict == Verdict::Pass) wanted = Outcome::Ok;
    if (verdict == Verdict::Unsupported || verdict == Verdict::Skipped || verdict == Verdict::InfraError)
      wanted = Outcome::Undecided;
    EXPECT_EQ(judge(verdict, std::nullopt), wanted) << toString(verdict);
    EXPECT_EQ(judge(verdict, Verdict::Pass), wanted) << toString(verdict);
  }
}

TEST(Verdict, WhenAFaultIsKnown) {
  EXPECT_EQ(judge(Verdict::Mismatch, Verdict::Mismatch), Outcome::Expected);
  EXPECT_EQ(judge(Verdict::Pass, Verdict::Mismatch), Outcome::Fixed);
  EXPECT_EQ(judge(Verdict::Unsupported, Verdict::Mismatch), Outcome::Undecided);
  EXPECT_EQ(judge(Verdict::InfraError, Verdict::Mismatch), Outcome::Undecided);
  // Another fault than the known one is news.
  EXPECT_EQ(judge(Verdict::Fault, Verdict::Mismatch), Outcome::Regressed);
  EXPECT_EQ(judge(Verdict::CompileError, Verdict::Mismatch), Outcome::Regressed);
  EXPECT_EQ(judge(Verdict::Skipped, Verdict::Skipped), Outcome::Expected);
}

} // namespace
} // namespace harness

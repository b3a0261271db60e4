#include "harness/matrix/cell_finding.h"
#include "harness/matrix/executor.h"
#include "harness/matrix/finding.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

VerdictRecord verdict(std::string_view executor, Verdict what, bool decides = true) {
  VerdictRecord record;
  record.executor = executor;
  record.verdict = what;
  record.decides = decides;
  record.details = messageDetails("because of " + record.executor);
  return record;
}

CellFinding find(std::vector<VerdictRecord> verdicts) {
  CellRecord cell;
  cell.builds.resize(1);
  cell.verdicts = {std::move(verdicts)};
  return findingOf(cell);
}

TEST(CellFinding, HowThePtxStandsByItself) {
  auto ptx = [](std::vector<VerdictRecord> more) {
    more.push_back(verdict(kSassExecutor, Verdict::Mismatch));
    return find(std::move(more)).ptx;
  };
  VerdictRecord right = verdict(kPtxExecutor, Verdict::Pass),
                wrong = verdict(kPtxExecutor, Verdict::Mismatch);
  EXPECT_EQ(ptx({right, right}), Standing::Good);
  EXPECT_EQ(ptx({right, wrong}), Standing::Bad);
  EXPECT_EQ(ptx({verdict(kPtxExecutor, Verdict::Fault)}), Standing::Bad);
  EXPECT_EQ(ptx({}), Standing::Undecided) << "it was not executed";
  EXPECT_EQ(ptx({right, verdict(kPtxExecutor, Verdict::Unsupported, false)}), Standing::Undecided);
  EXPECT_EQ(ptx({verdict(kPtxExecutor, Verdict::Mismatch, false)}), Standing::Undecided) << "undefined";
  EXPECT_EQ(ptx({verdict(kPtxExecutor, Verdict::Approximate)}), Standing::Undecided);
}

TEST(CellFinding, TheReasonIsThatOfWhatIsUndecided) {
  EXPECT_EQ(find({verdict(kSassExecutor, Verdict::InfraError), verdict(kPtxExecutor, Verdict::Pass)}).reason,
            "because of sass");
  EXPECT_EQ(find({verdict("compiler", Verdict::CompileError)}).reason, "because of compiler");
  EXPECT_EQ(find({verdict(kSassExecutor, Verdict::Fault)}).reason, "");
}

} // namespace
} // namespace harness

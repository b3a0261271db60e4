#include "harness/report/details.h"

#include "sample_rows.h"
#include <gtest/gtest.h>

namespace harness {
namespace {

std::string finding(const std::vector<QueryRow>& rows) {
  std::vector<const QueryRow*> pointers;
  for (const QueryRow& row : rows)
    pointers.push_back(&row);
  return describeFinding(pointers);
}

TEST(Details, OfAMismatch) {
  DetailSummary summary = summariseDetails(
      R"({"message":"m","buffers":[{"record":4,"histogram":[0,3,0,1],"pattern":"unwritten"},{"pattern":"second"}]})");
  EXPECT_EQ(summary.message, "m");
  EXPECT_EQ(summary.pattern, "unwritten");
  EXPECT_EQ(summary.where, "all at offset 1, 3 of the 4-byte record");
}

TEST(Details, WhyThisOneIsToBlameAndWhoJudged) {
  DetailSummary summary = summariseDetails(R"({"blame":{"because":"right with another"},"oracle":"ptx"})");
  EXPECT_EQ(summary.because, "right with another");
  EXPECT_EQ(summary.oracle, "judged by its PTX");
  EXPECT_EQ(summariseDetails(R"({"blame":["x"],"oracle":3})").because, "");
}

TEST(Details, ManyOffsetsAreNoPlace) {
  EXPECT_EQ(summariseDetails(R"({"buffers":[{"record":8,"histogram":[1,1,1,1,1,0,0,0]}]})").where, "");
}

TEST(Details, AllOffsetsAreNoPlace) {
  EXPECT_EQ(summariseDetails(R"({"buffers":[{"record":4,"histogram":[2,1,1,3]}]})").where, "");
  EXPECT_EQ(summariseDetails(R"({"buffers":[{"record":4,"histogram":[2,1,0,3]}]})").where,
            "all at offset 0, 1, 3 of the 4-byte record");
}

TEST(Details, OfAnotherShapeStayEmpty) {
  for (const char* text :
       {"", "x", "[]", "3", R"({"buffers":3})", R"({"buffers":[3,{"record":-1,"histogram":[1]}]})",
        R"({"buffers":[{"record":2,"histogram":["a",{}],"pattern":[]}],"message":null})"}) {
    DetailSummary summary = summariseDetails(text);
    EXPECT_EQ(summary.message + summary.pattern + summary.where, "") << text;
  }
  summariseDetails(std::string(200'000, '[')); // must not exhaust the stack
  std::string nested = R"({"message":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  EXPECT_EQ(summariseDetails(nested).message, "");
}

TEST(Finding, OfOneCell) {
  QueryRow row = sampleRow("a", "13.0.88", "sm_90", "O3");
  EXPECT_EQ(finding({row}), "272 bytes equal");
  row.builds = 2;
  EXPECT_EQ(finding({row}), "272 bytes equal, nondeterministic: 2 different builds");
  row.builds = 1;
  makeMismatch(row);
  EXPECT_EQ(finding({row}),
            "8 of 272 bytes wrong, first out+0x22: 0x0e -> 0x00, all at offset 0 of the 34-byte record, "
            "got == ref & 0xff00");
  row.verdict = Verdict::Unsupported;
  row.bad = 0;
  row.firstBad.clear();
  row.executors = {{"ptx", "", Verdict::Pass, 272, 0, "", ""},
                   {"sass", "", Verdict::Unsupported, 0, 0, "", R"({"message":"no such opcode: X"})"}};
  EXPECT_EQ(finding({row}), "no such opcode: X");
}

TEST(Finding, SaysWhyThisOneIsToBlameAndWhoJudged) {
  QueryRow row = sampleRow("a", "13.0.88", "sm_90", "O3");
  row.executors[0].details = R"({"oracle":"ptx"})";
  EXPECT_EQ(finding({row}), "272 bytes equal, judged by its PTX");
  makeMismatch(row);
  row.executors[0].details = R"({"blame":{"because":"right with another"}})";
  EXPECT_EQ(finding({row}), "8 of 272 bytes wrong, first out+0x22: 0x0e -> 0x00, right with another");
}

TEST(Finding, OfCellsThatDifferInDetail) {
  QueryRow a = sampleRow("a", "13.0.88", "sm_90", "O3"), b = a;
  makeMismatch(a);
  makeMismatch(b);
  b.bad = 5;
  b.firstBad = "out+0x0: 0x01 -> 0x00";
  EXPECT_EQ(finding({a, b}),
            "5…8 of 272 bytes wrong, first out+0x22: 0x0e -> 0x00 (and 1 other), all at offset 0 of the "
            "34-byte record, got == ref & 0xff00");
}

} // namespace
} // namespace harness

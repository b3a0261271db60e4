#include "harness/base/error.h"
#include "harness/matrix/plan.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace harness {
namespace {

const std::vector<std::string> kCases = {"dequant", "halfstore", "halfstore-u16"};

MatrixFile matrix() {
  return {"m.json",
          {{{"halfstore*"}, {"13.0.88", "13.1.80", "12.9.86+13.0.88"}, {"sm_75", "sm_90a"}, {"O0", "O3"}}},
          std::nullopt,
          {"sass"}};
}

std::string errorOf(const PlanFilter& filter, const MatrixFile& file = matrix()) {
  try {
    planCells(file, kCases, filter, {});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    return error.what();
  }
  return "";
}

TEST(Plan, IsTheProductInOrder) {
  std::vector<CellName> cells = planCells(matrix(), kCases, {}, {});
  ASSERT_EQ(cells.size(), 2u * 3 * 2 * 2);
  EXPECT_EQ(cells.front().str(), "halfstore@13.0.88/sm_75/O0");
  EXPECT_EQ(cells[1].str(), "halfstore@13.0.88/sm_75/O3");
  EXPECT_EQ(cells.back().str(), "halfstore-u16@12.9.86+13.0.88/sm_90a/O3");
}

TEST(Plan, CellsOfSeveralProductsStandThereOnce) {
  MatrixFile file = matrix();
  file.products.push_back({{"*"}, {"13.1.80"}, {"sm_75"}, {"O3", "G"}});
  std::vector<CellName> cells = planCells(file, kCases, {}, {});
  std::set<std::string> names;
  for (const CellName& cell : cells)
    names.insert(cell.str());
  EXPECT_EQ(cells.size(), 24u + 4) << "G of the two that are planned, O3 and G of dequant";
  EXPECT_EQ(names.size(), cells.size());
  EXPECT_TRUE(names.contains("halfstore@13.1.80/sm_75/G"));
  EXPECT_TRUE(names.contains("dequant@13.1.80/sm_75/O3"));
  PlanFilter filter{{"dequant"}, {}, {}, {}};
  EXPECT_EQ(planCells(file, kCases, filter, {}).size(), 2u)
      << "that nothing of the first is left is no error";
}

TEST(Plan, WhatSharesPtxFallsIntoOneShard) {
  MatrixFile file = matrix();
  file.products.push_back({{"halfstore*"}, {"13.1.80"}, {"sm_75"}, {"G"}});
  std::map<std::string, unsigned> shardOf;
  for (unsigned i = 1; i <= 3; ++i)
    for (const CellName& cell : planCells(file, kCases, {}, {i, 3})) {
      std::string group = cell.caseId + cell.toolchain + cell.arch;
      EXPECT_EQ(shardOf.try_emplace(group, i).first->second, i) << cell.str();
    }
}

TEST(Plan, ExpansionIsWhatIsNotPlannedYet) {
  MatrixFile file = matrix();
  std::vector<CellName> planned = planCells(file, kCases, {}, {});
  EXPECT_TRUE(planExpansion(file, {"halfstore"}, {}, planned).empty()) << "it has none";
  file.expand = CellProduct{{"halfstore*"}, {"13.1.80"}, {"sm_75", "sm_80"}, {"O3", "G"}};
  std::vector<CellName> cells = planExpansion(file, {"halfstore"}, {}, planned);
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_EQ(cells[0].str(), "halfstore@13.1.80/sm_75/G");
  EXPECT_EQ(cells[1].str(), "halfstore@13.1.80/sm_80/O3");
  EXPECT_EQ(cells[2].str(), "halfstore@13.1.80/sm_80/G");
  PlanFilter filter{{}, {}, {"O3"}, {}};
  EXPECT_EQ(planExpansion(file, {"halfstore"}, filter, planned).size(), 1u);
  EXPECT_TRUE(planExpansion(file, {}, {}, planned).empty());
}

TEST(Plan, Filters) {
  PlanFilter filter{{"halfstore"}, {"sm_9*"}, {"O3"}, VersionRange::parse("13.0")};
  std::vector<CellName> cells = planCells(matrix(), kCases, filter, {});
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0].str(), "halfstore@13.0.88/sm_90a/O3");
}

TEST(Plan, SaysWhatLeavesNothing) {
  EXPECT_EQ(errorOf({{"dequant"}, {}, {}, {}}),
            "no case of m.json matches 'dequant'; it has halfstore, halfstore-u16");
  EXPECT_EQ(errorOf({{}, {"sm_120"}, {}, {}}), "no arch of m.json matches 'sm_120'; it has sm_75, sm_90a");
  EXPECT_EQ(errorOf({{}, {}, {"G"}, {}}), "no opt of m.json matches 'G'; it has O0, O3");
  EXPECT_EQ(errorOf({{}, {"sm_75", "sm_91"}, {}, {}}),
            "no arch of m.json matches 'sm_91'; it has sm_75, sm_90a");
  EXPECT_NE(errorOf({{}, {}, {}, VersionRange::parse("<12")}).find("no toolchain matches"),
            std::string::npos);
  MatrixFile wrong = matrix();
  wrong.products.front().cases = {"halfstor"};
  EXPECT_EQ(errorOf({}, wrong), "m.json: no case matches 'halfstor'; did you mean 'halfstore'?");
}

TEST(Plan, WhatOnlyTheExpansionHasMayBeAskedFor) {
  MatrixFile file = matrix();
  file.expand = CellProduct{{"halfstore*"}, {"13.1.80"}, {"sm_80"}, {"G"}};
  EXPECT_EQ(planCells(file, kCases, {{}, {"sm_75", "sm_80"}, {"O3", "G"}, {}}, {}).size(), 2u * 3);
}

TEST(Plan, ManyNamesAreNotAllListed) {
  std::vector<std::string> cases;
  for (char c = 'a'; c <= 'z'; ++c)
    cases.push_back(std::string("case-of-") + c + c + c);
  MatrixFile file = matrix();
  file.products.front().cases = {"*"};
  auto errorOfCase = [&](const std::string& glob) {
    try {
      planCells(file, cases, {{glob}, {}, {}, {}}, {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(errorOfCase("case-of-qq"),
            "no case of m.json matches 'case-of-qq' (did you mean 'case-of-qqq'?)");
  EXPECT_TRUE(errorOfCase("unheard").ends_with(", case-of-xxx and 2 more")) << errorOfCase("unheard");
}

TEST(Plan, ShardsAreDisjointAndWhole) {
  std::set<std::string> seen;
  std::size_t total = 0;
  for (unsigned i = 1; i <= 5; ++i) {
    for (const CellName& cell : planCells(matrix(), kCases, {}, {i, 5}))
      seen.insert(cell.str());
    total += planCells(matrix(), kCases, {}, {i, 5}).size();
  }
  EXPECT_EQ(seen.size(), 24u);
  EXPECT_EQ(total, 24u);
}

TEST(Shard, Notation) {
  EXPECT_EQ(Shard::parse("2/4").index, 2u);
  EXPECT_EQ(Shard::parse("2/4").count, 4u);
  for (const char* text : {"", "1", "0/4", "5/4", "a/b", "1/", "-1/2", "1/2/3"})
    EXPECT_THROW(Shard::parse(text), Error) << text;
}

} // namespace
} // namespace harness

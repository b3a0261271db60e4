#include "harness/base/error.h"
#include "harness/base/hash.h"
#include "harness/report/receipt.h"

#include "tests/store/sample.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <map>

namespace harness {
namespace {

using Json = nlohmann::json;

/// Cells executed on both, as the judge records them.
class ReceiptTest : public testing::Test {
protected:
  struct Execution {
    std::string output = "right", schedule = "ft", end = "completed";
    std::uint64_t seed = 0, approximations = 0;
    unsigned poison = 0xAA;
    std::string outcomes = {};
  };

  std::string hashOf(const std::string& output) {
    outputs_[sha256(output)] = output;
    return sha256(output);
  }

  std::string record(const std::string& executor, const Execution& execution) {
    ExecutionRecord record;
    record.key = "key " + std::to_string(keys_++);
    record.executor = executor;
    record.schedule = execution.schedule;
    record.seed = execution.seed;
    record.poison = execution.poison;
    record.end = execution.end;
    if (execution.end == "completed" && !execution.output.empty())
      record.outputHash = hashOf(execution.output);
    record.approximations = execution.approximations;
    record.outcomes = execution.outcomes;
    if (executor == "gpu") record.device = R"({"name":"H200","arch":"sm_90"})";
    store_.recordExecutions({record});
    return record.key;
  }

  void add(const std::string& caseId, const std::vector<Execution>& device, const std::vector<Execution>& cpu,
           const std::function<void(VerdictRecord& device, VerdictRecord& cpu)>& change = {}) {
    CellRecord cell = sampleCell(caseId, "13.0.88", "sm_90", "O3");
    VerdictRecord onCpu = cell.verdicts[0][0], onDevice = onCpu;
    onDevice.executor = "gpu";
    onCpu.executionKeys.clear();
    onDevice.executionKeys.clear();
    for (const Execution& one : cpu)
      onCpu.executionKeys.push_back(record("sass", one));
    for (const Execution& one : device)
      onDevice.executionKeys.push_back(record("gpu", one));
    if (change) change(onDevice, onCpu);
    cell.verdicts[0] = {onCpu, onDevice};
    RowId run = beginSampleRun(store_, "2025-01-01T00:00:00Z");
    store_.recordCells(run, {cell});
  }

  Receipt make() {
    return makeReceipt(store_, {}, [this](const std::string& hash) { return outputs_[hash]; });
  }

  SampleDatabase files_;
  Store store_{files_.path, Store::Mode::ReadWrite};
  std::map<std::string, std::string> outputs_;
  int keys_ = 0;
};

TEST_F(ReceiptTest, CountsWhatIsEqual) {
  add("one", {{}, {.output = "other", .poison = 0x55}}, {{}, {.output = "other", .poison = 0x55}});
  add("fault", {{.end = "fault"}}, {{.end = "fault"}});
  Receipt receipt = make();
  EXPECT_EQ(receipt.cells, 2u);
  EXPECT_EQ(receipt.launches, 3u);
  EXPECT_EQ(receipt.equal, 3u);
  EXPECT_TRUE(receipt.differences.empty());
  EXPECT_EQ(receipt.devices.size(), 1u);
}

TEST_F(ReceiptTest, ADifferenceIsOpenUntilSomethingSettlesIt) {
  add("open", {{.output = "wrong"}}, {{}});
  add("race", {{.output = "wrong"}}, {{}},
      [](VerdictRecord&, VerdictRecord& cpu) { cpu.blame = Blame::Source; });
  add("mufu", {{.output = "wrong"}}, {{.approximations = 3}});
  Receipt receipt = make();
  ASSERT_EQ(receipt.differences.size(), 3u);
  std::map<std::string, ReceiptDifference> byCell;
  for (const ReceiptDifference& one : receipt.differences)
    byCell[one.cell] = one;
  const ReceiptDifference& open = byCell["open@13.0.88/sm_90/O3"];
  EXPECT_EQ(open.settled, "");
  EXPECT_EQ(open.first, "byte 0x0 of the outputs: 0x72 on the CPU, 0x77 on the device"); // r, w
  EXPECT_EQ(byCell["race@13.0.88/sm_90/O3"].settled, "the source leaves it undefined");
  EXPECT_EQ(byCell["mufu@13.0.88/sm_90/O3"].settled,
            "it has results that the CPU knows to within an ulp only (MUFU)");
}

TEST_F(ReceiptTest, OneEndIsNoOther) {
  add("ends", {{.end = "fault"}}, {{}});
  Receipt receipt = make();
  ASSERT_EQ(receipt.differences.size(), 1u);
  EXPECT_EQ(receipt.differences[0].first.find("on the CPU completed"), 0u) << receipt.differences[0].first;
}

TEST_F(ReceiptTest, WhatTheCpuHasInAnotherWayIsCountedApart) {
  add("order", {{.output = "tf"}}, {{}, {.output = "tf", .schedule = "tf"}});
  add("ulp", {{.output = "moved"}}, {{}, {.output = "moved", .seed = 5}});
  add("otherPoison", {{.output = "tf"}}, {{}, {.output = "tf", .schedule = "tf", .poison = 0x55}});
  Receipt receipt = make();
  EXPECT_EQ(receipt.inAnotherOrder, 1u);
  EXPECT_EQ(receipt.withinAnUlp, 1u);
  EXPECT_EQ(receipt.differences.size(), 1u) << "the other poison's does not count";
}

TEST_F(ReceiptTest, WhatVariesIsNotEqual) {
  add("flaky", {{.outcomes = R"([{"count":1},{"count":1}])"}}, {{}});
  Receipt receipt = make();
  ASSERT_EQ(receipt.differences.size(), 1u);
  EXPECT_EQ(receipt.differences[0].first, "it varies");
}

TEST_F(ReceiptTest, SaysWhatWasNotCompared) {
  add("compared", {{}}, {{}});
  add("skipped", {}, {{}}, [](VerdictRecord& device, VerdictRecord&) { device.verdict = Verdict::Skipped; });
  add("unsupported", {{.end = "unsupported"}}, {{}});
  Receipt receipt = make();
  EXPECT_EQ(receipt.cells, 1u);
  EXPECT_EQ(receipt.notCompared["skipped on the device"], 1u);
  EXPECT_EQ(receipt.notCompared["unsupported on the device"], 1u);
}

TEST_F(ReceiptTest, WithoutADeviceThereIsNone) {
  add("cpu", {}, {{}});
  EXPECT_THROW(make(), Error);
}

TEST_F(ReceiptTest, TheDigestIsOfWhatCameOut) {
  add("one", {{}}, {{}});
  std::string first = make().digest;
  EXPECT_EQ(make().digest, first);
  add("two", {{.output = "else"}}, {{}});
  EXPECT_NE(make().digest, first);
}

TEST_F(ReceiptTest, TheFileHasEverything) {
  add("open", {{.output = "wrong"}}, {{}});
  Json file = Json::parse(renderReceipt(make(), "2026-01-02", "abc", R"([{"fits":["sm_90/mma.sync/f16"]}])"));
  EXPECT_EQ(file["devices"][0]["name"], "H200");
  EXPECT_EQ(file["date"], "2026-01-02");
  EXPECT_EQ(file["revision"], "abc");
  EXPECT_EQ(file["different"], 1);
  EXPECT_EQ(file["differences"][0]["cell"], "open@13.0.88/sm_90/O3");
  EXPECT_TRUE(file["differences"][0]["settled"].is_null());
  EXPECT_EQ(file["differences"][0]["explain"], "harness explain open@13.0.88/sm_90/O3");
  EXPECT_EQ(file["digest"].get<std::string>().size(), 64u);
  EXPECT_EQ(file["more"][0]["fits"][0], "sm_90/mma.sync/f16");
}

} // namespace
} // namespace harness
